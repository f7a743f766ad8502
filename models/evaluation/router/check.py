"""
What a profile's router would do, for the people who write the profile.

Everything here comes from validation phrases, each judged by what did not see it; none of it is a
promise about callers who say something else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.router import Reason
from models.router.compile import compile_router
from models.router.fit import LEAST_OUT_OF_SCOPE
from models.router.heard import LEAST_HEARD
from models.router.profile import options, phrases, sources
from models.router.threshold import LEAST_ACCEPTED
from models.script import Writing
from topics.profile import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from models.router import Compiled, Router
    from models.router.compile import Encodes
    from models.router.fit import Fitted
    from models.router.threshold import Curve
    from topics.profile import AgentProfile

#: Rows of the curve that a table shows, beside the chosen one.
_ROWS = 10
#: Writings as people call them.
LANGUAGES = {
    Writing("latin", "en"): "English",
    Writing("latin", "hinglish"): "Hinglish",
    Writing("latin"): "Latin, short",
    Writing("devanagari", "hi"): "Hindi",
    Writing("arabic", "ar"): "Arabic",
    Writing("none"): "digits only",
}


class Point(NamedTuple):
    """One threshold and what it does; shares, 0 to 1."""

    threshold: float
    #: Of in-scope phrases.
    answered: float
    #: Right answers among all answers, at the share of out of scope that the profile states.
    accuracy: float
    #: Of out-of-scope phrases.
    out_of_scope_answered: float
    #: Phrases accepted, in and out of scope.
    accepted: int
    chosen: bool


class Confusion(NamedTuple):
    """Phrases of one intent that look more like another one."""

    intent: str
    taken_for: str
    #: Validation phrases that are, of all that the intent has.
    phrases: int
    of: int
    #: Of them, those that would be routed, wrongly.
    routed: int
    #: Cosine of the two intents' examples.
    cosine: float


class IntentRow(NamedTuple):
    """How one intent does on its validation phrases."""

    intent: str
    #: Phrases that count.
    examples: int
    validation: int
    #: Of the validation phrases: picked right, routed right, and routed to another intent.
    right: int
    routed: int
    wrong: int


class LanguageRow(NamedTuple):
    """How far a language is covered."""

    language: str
    #: Intents with an example in it.
    intents: int
    validation: int
    #: Whether callers who speak it are routed at all.
    routed: bool


class Misread(NamedTuple):
    """A validation phrase that is taken for another intent. User text."""

    text: str
    intent: str
    taken_for: str
    #: How sure the router is of it, and whether that is enough.
    confidence: float
    routed: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Checked:
    """All of it, for one profile."""

    profile: AgentProfile
    compiled: Compiled
    curve: tuple[Point, ...]
    confusions: tuple[Confusion, ...]
    intents: tuple[IntentRow, ...]
    languages: tuple[LanguageRow, ...]
    misread: tuple[Misread, ...]
    #: What its writer should know, a sentence each; none quotes a phrase.
    advice: tuple[str, ...]

    @property
    def router(self) -> Router:
        """The router."""
        return self.compiled.router


def check(profile: AgentProfile, encoder: Encodes) -> Checked:
    """
    Compile a profile's router and look at it.

    Raises:
        InferenceError: the encoder failed.
    """
    given = sources(profile)
    compiled = compile_router(phrases(given), encoder, options(given))
    languages = _languages(compiled.router)
    return Checked(
        profile=profile,
        compiled=compiled,
        curve=points(compiled),
        confusions=_confusions(compiled),
        intents=_intents(compiled),
        languages=languages,
        misread=_misread(compiled),
        advice=tuple(_advice(profile, compiled, languages)),
    )


def points(compiled: Compiled) -> tuple[Point, ...]:
    """Rows of the curve, about evenly by how much is answered, with the chosen one among them."""
    curve = compiled.curve
    if curve is None:
        return ()
    shares = np.linspace(curve.answered[0], curve.answered[-1], _ROWS)
    places = set(np.searchsorted(curve.answered, shares).clip(max=len(curve.answered) - 1).tolist())
    chosen = chosen_place(curve, compiled.router.threshold)
    if chosen is not None:
        places.add(chosen)
    return tuple(_point(curve, place, chosen=place == chosen) for place in sorted(places))


def chosen_place(curve: Curve, threshold: float) -> int | None:
    """Position of a threshold on the curve; None where nothing was chosen."""
    found = np.flatnonzero(curve.thresholds == threshold)
    return int(found[0]) if found.size else None


def _point(curve: Curve, place: int, *, chosen: bool) -> Point:
    return Point(
        threshold=float(curve.thresholds[place]),
        answered=float(curve.answered[place]),
        accuracy=float(curve.accuracy[place]),
        out_of_scope_answered=float(curve.out_of_scope_answered[place]),
        accepted=int(curve.accepted[place]),
        chosen=chosen,
    )


class _Phrase(NamedTuple):
    """A validation phrase and what the router made of it."""

    text: str
    label: int
    picked: int
    confidence: float
    routed: bool


def _phrases(compiled: Compiled, fitted: Fitted) -> Iterator[_Phrase]:
    threshold = compiled.router.threshold
    for place, (text, label) in enumerate(compiled.validation):
        confidence = float(fitted.judged.scores[place])
        yield _Phrase(
            text, label, int(fitted.picked[place]), confidence, routed=confidence >= threshold
        )


def _confusions(compiled: Compiled) -> tuple[Confusion, ...]:
    if compiled.fitted is None:
        return ()
    names, means = compiled.router.names, compiled.router.prototypes
    of = Counter(label for _, label in compiled.validation)
    pairs: Counter[tuple[int, int]] = Counter()
    routed: Counter[tuple[int, int]] = Counter()
    for phrase in _phrases(compiled, compiled.fitted):
        if phrase.picked != phrase.label:
            pairs[phrase.label, phrase.picked] += 1
            routed[phrase.label, phrase.picked] += phrase.routed
    found = [
        Confusion(
            intent=names[label],
            taken_for=names[picked],
            phrases=times,
            of=of[label],
            routed=routed[label, picked],
            cosine=float(means[label] @ means[picked]),
        )
        for (label, picked), times in pairs.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.routed, -one.phrases, one.intent)))


def _intents(compiled: Compiled) -> tuple[IntentRow, ...]:
    examples: Counter[int] = Counter(compiled.example_labels)
    validation: Counter[int] = Counter(label for _, label in compiled.validation)
    right: Counter[int] = Counter()
    routed: Counter[int] = Counter()
    wrong: Counter[int] = Counter()
    if compiled.fitted is not None:
        for phrase in _phrases(compiled, compiled.fitted):
            hit = phrase.picked == phrase.label
            right[phrase.label] += hit
            routed[phrase.label] += hit and phrase.routed
            wrong[phrase.label] += not hit and phrase.routed
    return tuple(
        IntentRow(name, examples[one], validation[one], right[one], routed[one], wrong[one])
        for one, name in enumerate(compiled.router.names)
    )


def _languages(router: Router) -> tuple[LanguageRow, ...]:
    if router.heard is None:
        return ()
    known = [*router.heard.validation, *(one for each in router.heard.examples for one in each)]
    routes = router.state is Reason.ROUTED
    rows = [
        LanguageRow(
            language=LANGUAGES.get(one, one.script),
            intents=sum(one in each for each in router.heard.examples),
            validation=router.heard.validation.get(one, 0),
            routed=routes and router.heard.validated(one),
        )
        for one in dict.fromkeys(known)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.validation, row.language)))


def _misread(compiled: Compiled) -> tuple[Misread, ...]:
    if compiled.fitted is None:
        return ()
    names = compiled.router.names
    found = [
        Misread(
            phrase.text,
            names[phrase.label],
            names[phrase.picked],
            phrase.confidence,
            routed=phrase.routed,
        )
        for phrase in _phrases(compiled, compiled.fitted)
        if phrase.picked != phrase.label
    ]
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _advice(
    profile: AgentProfile, compiled: Compiled, languages: tuple[LanguageRow, ...]
) -> Iterator[str]:
    router = compiled.router
    if profile.router.mode is Mode.OFF and not profile.intents:
        return
    if (why := _abstains(profile, compiled)) is not None:
        yield f"Nothing will be routed: {why}"
    if router.heard is None:
        return
    for row in languages:
        if row.intents and not row.routed and router.state is Reason.ROUTED:
            yield (
                f"Callers who speak {row.language} are not routed, though {row.intents} intents "
                f"have examples: only {row.validation} validation phrases are like theirs, and "
                f"{LEAST_HEARD} are needed."
            )
    bare = [name for name, count in _validated(compiled).items() if not count]
    if bare and len(bare) < len(router.names):
        yield f"{len(bare)} intents have no validation phrase, so nothing is known of them."
    outside = len(profile.out_of_scope_phrases)
    if outside < LEAST_OUT_OF_SCOPE and len(router.names) > 1:
        yield (
            f"With {outside} out-of-scope phrases, fewer than {LEAST_OUT_OF_SCOPE}, other intents "
            "stand in for what callers say beside them; real ones make the threshold truer."
        )


def _abstains(profile: AgentProfile, compiled: Compiled) -> str | None:
    counted = len(compiled.validation)
    target = profile.router.target_accuracy
    curve = compiled.curve
    best = "" if curve is None else f"; the best of them holds {_best(curve) * 100:.1f} %"
    return {
        Reason.NO_INTENTS: "there is no intent with an example that counts.",
        Reason.TOO_FEW_PHRASES: f"{counted} validation phrases count, and {LEAST_ACCEPTED} are "
        "needed to choose a threshold.",
        Reason.TARGET_NOT_REACHED: f"no threshold that accepts {LEAST_ACCEPTED} phrases keeps "
        f"{target * 100:g} % of them right at {profile.router.out_of_scope_share * 100:g} % out of "
        f"scope{best}. More validation and out-of-scope phrases make it surer, and intents that "
        "are taken for each other are better one.",
        Reason.NAMED_TWICE: "an intent stands twice, so which response was meant is not known.",
        Reason.TOO_MANY_PHRASES: "there are more phrases than a router takes.",
    }.get(compiled.router.state)


def _best(curve: Curve) -> float:
    enough = curve.accuracy[curve.accepted >= LEAST_ACCEPTED]
    return float(enough.max(initial=0.0))


def _validated(compiled: Compiled) -> dict[str, int]:
    counts = Counter(label for _, label in compiled.validation)
    return {name: counts[place] for place, name in enumerate(compiled.router.names)}
