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

from models.evaluation.router.delivered import (
    NO_LANGUAGE,
    WITHHELD,
    deliver,
    missing,
    routed_language,
)
from models.router import Reason
from models.router.compile import compile_router
from models.router.fit import LEAST_OUT_OF_SCOPE
from models.router.heard import LEAST_HEARD
from models.router.profile import options, phrases, sources
from models.router.threshold import LEAST_ACCEPTED
from models.script import Writing
from topics.profile import Mode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from models.evaluation.router.delivered import Delivered
    from models.router import Compiled, Quality, Router
    from models.router.compile import Encodes
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
#: Where callers who speak so are meant.
_SPOKEN = {Writing("latin"): "English or Hinglish"}


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
    #: Intents that answer in it.
    intents: int
    #: Validation phrases that count as spoken so, which is what is compared with the number that a
    #: language needs. Latin phrases that may be English or Hinglish are shared out.
    validation: float
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
    #: What callers would get of it.
    delivered: Delivered
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

    @property
    def state(self) -> str:
        """`routed` where any caller would be, else why nobody is."""
        return self.delivered.state

    @property
    def quality(self) -> Quality | None:
        """What callers would get at the threshold; None where nothing is routed."""
        return self.delivered.quality


def check(profile: AgentProfile, encoder: Encodes) -> Checked:
    """
    Compile a profile's router and look at it.

    Raises:
        InferenceError: the encoder failed.
    """
    given = sources(profile)
    compiled = compile_router(phrases(given), encoder, options(given))
    delivered = deliver(profile, compiled)
    languages = _languages(compiled.router)
    judged = tuple(_phrases(compiled, delivered))
    return Checked(
        profile=profile,
        compiled=compiled,
        delivered=delivered,
        curve=points(delivered.curve, compiled.router.threshold),
        confusions=_confusions(compiled, judged),
        intents=_intents(compiled, judged),
        languages=languages,
        misread=_misread(compiled, judged),
        advice=tuple(_advice(profile, compiled, delivered)),
    )


def points(curve: Curve | None, threshold: float) -> tuple[Point, ...]:
    """Rows of the curve, about evenly by how much is answered, with the chosen one among them."""
    if curve is None:
        return ()
    shares = np.linspace(curve.answered[0], curve.answered[-1], _ROWS)
    places = set(np.searchsorted(curve.answered, shares).clip(max=len(curve.answered) - 1).tolist())
    chosen = chosen_place(curve, threshold)
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
    """A validation phrase and what becomes of it."""

    text: str
    label: int
    picked: int
    confidence: float
    routed: bool


def _phrases(compiled: Compiled, delivered: Delivered) -> Iterator[_Phrase]:
    fitted, threshold = compiled.fitted, compiled.router.threshold
    if fitted is None:
        return
    for place, (text, label) in enumerate(compiled.validation):
        confidence = float(fitted.judged.scores[place])
        playable = delivered.playable is not None and bool(delivered.playable[place])
        yield _Phrase(
            text,
            label,
            int(fitted.picked[place]),
            confidence,
            routed=confidence >= threshold and playable,
        )


def _confusions(compiled: Compiled, judged: Sequence[_Phrase]) -> tuple[Confusion, ...]:
    names, means = compiled.router.names, compiled.router.prototypes
    of = Counter(label for _, label in compiled.validation)
    pairs: Counter[tuple[int, int]] = Counter()
    routed: Counter[tuple[int, int]] = Counter()
    for phrase in judged:
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


def _intents(compiled: Compiled, judged: Sequence[_Phrase]) -> tuple[IntentRow, ...]:
    examples: Counter[int] = Counter(compiled.example_labels)
    validation: Counter[int] = Counter(label for _, label in compiled.validation)
    right: Counter[int] = Counter()
    routed: Counter[int] = Counter()
    wrong: Counter[int] = Counter()
    for phrase in judged:
        hit = phrase.picked == phrase.label
        right[phrase.label] += hit
        routed[phrase.label] += hit and phrase.routed
        wrong[phrase.label] += not hit and phrase.routed
    return tuple(
        IntentRow(name, examples[one], validation[one], right[one], routed[one], wrong[one])
        for one, name in enumerate(compiled.router.names)
    )


def _languages(router: Router) -> tuple[LanguageRow, ...]:
    rows = [
        LanguageRow(
            language=LANGUAGES.get(one, one.script),
            intents=_answering(router, one),
            validation=0 if router.heard is None else router.heard.like(one),
            routed=routed_language(router, one),
        )
        for one in _known(router)
    ]
    return tuple(sorted(rows, key=lambda row: (-row.validation, row.language)))


def _known(router: Router) -> tuple[Writing, ...]:
    """How any phrase of the intents is written."""
    if router.heard is None:
        return ()
    examples = (one for each in router.heard.examples for one in each)
    return tuple(dict.fromkeys([*router.heard.validation, *examples]))


def _answering(router: Router, said: Writing) -> int:
    if router.heard is None:
        return 0
    return sum(router.heard.answers(place, said) for place in range(len(router.names)))


def _misread(compiled: Compiled, judged: Sequence[_Phrase]) -> tuple[Misread, ...]:
    names = compiled.router.names
    found = [
        Misread(
            phrase.text,
            names[phrase.label],
            names[phrase.picked],
            phrase.confidence,
            routed=phrase.routed,
        )
        for phrase in judged
        if phrase.picked != phrase.label
    ]
    return tuple(sorted(found, key=lambda one: -one.confidence))


def _advice(profile: AgentProfile, compiled: Compiled, delivered: Delivered) -> Iterator[str]:
    router = compiled.router
    if profile.router.mode is Mode.OFF and not profile.intents:
        return
    if (why := _abstains(profile, compiled) or _keeps_back(router, delivered)) is not None:
        yield f"Nothing will be routed: {why}"
    if router.heard is None:
        return
    if delivered.state in {Reason.ROUTED, WITHHELD}:
        yield from _unrouted(router)
    if delivered.quality is not None and delivered.withheld:
        yield _withheld(profile, delivered, delivered.quality)
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


def _keeps_back(router: Router, delivered: Delivered) -> str | None:
    if delivered.state == NO_LANGUAGE:
        lacking = ", ".join(f"{name} {count}" for name, _, count in _lacking(router))
        return (
            f"a language is routed from {LEAST_HEARD} validation phrases on, and none has them"
            f"{f'; missing: {lacking}' if lacking else ''}."
        )
    if delivered.state == WITHHELD:
        return "the language, a denial or a side effect keeps back all that the router is sure of."
    return None


def _unrouted(router: Router) -> Iterator[str]:
    for name, said, count in _lacking(router):
        counted = shown(router.heard.like(said)) if router.heard is not None else "0"
        yield (
            f"Callers who speak {name} are not routed, though {_answering(router, said)} intents "
            f"have examples: only {counted} validation phrases count as theirs, and {LEAST_HEARD} "
            f"are needed; {count} are missing."
        )


def _withheld(profile: AgentProfile, delivered: Delivered, quality: Quality) -> str:
    reasons = ", ".join(
        f"{name.removeprefix('route_').replace('_', ' ')} {count}"
        for name, count in delivered.withheld.items()
    )
    below = (
        "; among fewer answers out of scope weighs more, so they fall short of the target"
        if quality.accuracy < profile.router.target_accuracy
        else ""
    )
    return (
        f"{sum(delivered.withheld.values())} validation phrases that the router is sure of are "
        f"withheld ({reasons}) and count as not answered{below}."
    )


def _lacking(router: Router) -> list[tuple[str, Writing, int]]:
    """Languages that intents have examples in and callers are not routed in, the fullest first."""
    known = [one for one in _known(router) if one.script != "none" and _answering(router, one)]
    # Short Latin phrases are no language of their own where a longer one says which it is.
    sure = {one.script for one in known if one.language is not None}
    found = [
        (_SPOKEN.get(one) or LANGUAGES.get(one, one.script), one, missing(router, one))
        for one in known
        if (one.language is not None or one.script not in sure) and missing(router, one)
    ]
    return sorted(found, key=lambda each: (each[2], each[0]))


def shown(counted: float) -> str:
    """Write how many phrases count, never more than there are: 19.96 is not 20."""
    return f"{int(counted * 10) / 10:g}"


def _best(curve: Curve) -> float:
    enough = curve.accuracy[curve.accepted >= LEAST_ACCEPTED]
    return float(enough.max(initial=0.0))


def _validated(compiled: Compiled) -> dict[str, int]:
    counts = Counter(label for _, label in compiled.validation)
    return {name: counts[place] for place, name in enumerate(compiled.router.names)}
