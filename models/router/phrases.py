"""
What a router is compiled from, cleaned and freed of what would mislead it.

Two phrases that sound the same are one phrase (`models.text.match_key`). A phrase counts once: as
an example before a validation phrase before an out-of-scope phrase. One that stands under two
intents tells nothing about either, so it counts under neither. Whatever is left out is a finding,
which names the place and never the text.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from models.text import clean, match_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Part(StrEnum):
    """The lists of a profile."""

    EXAMPLES = "examples"
    VALIDATION = "validation"
    OUT_OF_SCOPE = "out_of_scope"


class Problem(StrEnum):
    """Why a phrase, or an intent, was left out."""

    #: Nothing is left of it after cleaning.
    EMPTY = "empty"
    #: Longer than an utterance may be.
    TOO_LONG = "too long"
    #: It stands in this list already, or in one that counts before it, with the same meaning.
    REPEATED = "repeated"
    #: The same list has it under another intent too.
    AMBIGUOUS = "under two intents"
    #: A list that counts before this one says something else of it.
    CONTRADICTED = "contradicted"
    #: A validation phrase of an intent that there is not.
    UNKNOWN_INTENT = "unknown intent"
    #: An intent that no example is left of.
    NO_EXAMPLES = "no examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that was left out."""

    problem: Problem
    part: Part
    #: Whose phrase it is; None for out of scope.
    intent: str | None = None
    #: Position within its list, from 0; None where the whole list is meant.
    index: int | None = None
    #: The other intent that has the phrase, where there is one; None may also be out of scope.
    other: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """What somebody wrote for a router. User text: never logged."""

    #: Example phrases by intent.
    intents: Mapping[str, Sequence[str]]
    #: Phrases by intent that the threshold is chosen on, in every language that callers speak: what
    #: holds for English phrases does not hold for Hindi callers.
    validation: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: Phrases that no intent answers.
    out_of_scope: Sequence[str] = ()
    #: Intents that were given more than once, which a mapping cannot show; with any, nothing is
    #: routed.
    named_twice: frozenset[str] = frozenset()

    @property
    def size(self) -> int:
        """How many phrases there are, in all lists."""
        lists = [*self.intents.values(), *self.validation.values(), self.out_of_scope]
        return sum(map(len, lists))


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Phrases that count, in a fixed order."""

    #: Intents that have examples, in their given order; C of them.
    names: tuple[str, ...]
    #: Examples, cleaned, and the position of each one's intent.
    examples: tuple[tuple[str, int], ...]
    #: Validation phrases likewise.
    validation: tuple[tuple[str, int], ...]
    #: Out-of-scope phrases, cleaned.
    out_of_scope: tuple[str, ...]
    #: What was left out.
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """A phrase and where it stands."""

    key: str
    text: str
    intent: str | None
    index: int


def prepare(phrases: Phrases) -> Prepared:
    """Clean phrases and take out what cannot count; nothing that is left sounds the same twice."""
    findings: list[Finding] = []
    taken: dict[str, str | None] = {}
    examples = _count(Part.EXAMPLES, _flat(phrases.intents), taken, findings)
    kept = {phrase.intent for phrase in examples}
    names = tuple(name for name in phrases.intents if name in kept)
    findings += [
        Finding(problem=Problem.NO_EXAMPLES, part=Part.EXAMPLES, intent=name)
        for name in phrases.intents
        if name not in kept
    ]
    known = {name: texts for name, texts in phrases.validation.items() if name in kept}
    findings += [
        Finding(problem=Problem.UNKNOWN_INTENT, part=Part.VALIDATION, intent=name)
        for name in phrases.validation
        if name not in kept
    ]
    validation = _count(Part.VALIDATION, _flat(known), taken, findings)
    nowhere = ((None, index, text) for index, text in enumerate(phrases.out_of_scope))
    out_of_scope = _count(Part.OUT_OF_SCOPE, nowhere, taken, findings)
    place = {name: index for index, name in enumerate(names)}
    return Prepared(
        names=names,
        examples=_placed(examples, place),
        validation=_placed(validation, place),
        out_of_scope=tuple(phrase.text for phrase in out_of_scope),
        findings=tuple(findings),
    )


def _flat(phrases: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, int, str]]:
    return (
        (name, index, text) for name, texts in phrases.items() for index, text in enumerate(texts)
    )


def _placed(phrases: Sequence[_Phrase], place: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple((one.text, place[one.intent]) for one in phrases if one.intent is not None)


def _count(
    part: Part,
    given: Iterable[tuple[str | None, int, str]],
    taken: dict[str, str | None],
    findings: list[Finding],
) -> list[_Phrase]:
    """The phrases of one list that count; `taken` and `findings` grow."""

    def leave_out(problem: Problem, phrase: _Phrase, other: str | None = None) -> None:
        found = Finding(
            problem=problem, part=part, intent=phrase.intent, index=phrase.index, other=other
        )
        findings.append(found)

    here = _by_key(given, leave_out)
    kept = []
    for key, same in here.items():
        first, *repeated = same
        intents = dict.fromkeys(phrase.intent for phrase in same)
        if key in taken:
            for phrase in same:
                agrees = taken[key] == phrase.intent
                problem = Problem.REPEATED if agrees else Problem.CONTRADICTED
                leave_out(problem, phrase, None if agrees else taken[key])
        elif len(intents) > 1:
            for phrase in same:
                other = next(name for name in intents if name != phrase.intent)
                leave_out(Problem.AMBIGUOUS, phrase, other)
        else:
            kept.append(first)
            for phrase in repeated:
                leave_out(Problem.REPEATED, phrase)
    # An ambiguous phrase is taken too, so that no later list brings it back.
    for key, same in here.items():
        taken.setdefault(key, same[0].intent)
    return kept


def _by_key(
    given: Iterable[tuple[str | None, int, str]],
    leave_out: Callable[[Problem, _Phrase], None],
) -> dict[str, list[_Phrase]]:
    here: dict[str, list[_Phrase]] = defaultdict(list)
    for intent, index, raw in given:
        cleaned = clean(raw)
        phrase = _Phrase(match_key(cleaned.text), cleaned.text, intent, index)
        if cleaned.too_long:
            leave_out(Problem.TOO_LONG, phrase)
        elif not phrase.key:
            leave_out(Problem.EMPTY, phrase)
        else:
            here[phrase.key].append(phrase)
    return here
