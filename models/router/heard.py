"""
What a router was made for: the languages of its phrases, and whether they deny or affirm.

A threshold holds for callers who speak as its validation phrases do: chosen on English phrases, it
let 0.85 of the routed Hindi turns be right where 0.95 was promised. And a response belongs to the
languages that its intent's examples are in, as a prediction's does to the prediction's. So a turn
is routed only if both have its language; whatever else the vectors say, it goes to the LLM.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.router.polarity import denies
from models.router.threshold import LEAST_ACCEPTED
from models.script import Writing, compatible, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from models.router.phrases import Prepared

#: Validation phrases in a language from which on the threshold is taken to hold for it: as many as
#: the threshold itself needs.
LEAST_HEARD = LEAST_ACCEPTED


@dataclass(frozen=True, slots=True)
class Heard:
    """What is known of a router's phrases beside their vectors."""

    #: By intent, in the router's order: how the intent's examples are written.
    examples: tuple[frozenset[Writing], ...]
    #: How many validation phrases are written how.
    validation: Mapping[Writing, int]
    #: By intent: whether some of its phrases deny something (True), and some do not (False).
    denying: tuple[frozenset[bool], ...] = ()

    def validated(self, said: Writing) -> bool:
        """Whether enough validation phrases speak like this utterance."""
        return self.like(said) >= LEAST_HEARD

    def like(self, said: Writing) -> float:
        """How many validation phrases count as speaking like this utterance."""
        return phrases_like(self.validation, said)

    def answers(self, intent: int, said: Writing) -> bool:
        """Whether an intent, by its position, has an example in the utterance's language."""
        return any(compatible(said, known) for known in self.examples[intent])

    def agrees(self, intent: int, text: str) -> bool:
        """Whether an intent has a phrase that denies, or does not, as the cleaned utterance."""
        return denies(text) in self.denying[intent]


def listen(prepared: Prepared) -> Heard:
    """Take down how phrases are written, and which deny."""
    examples: list[set[Writing]] = [set() for _ in prepared.names]
    for text, label in prepared.examples:
        examples[label].add(writing(text))
    denying: list[set[bool]] = [set() for _ in prepared.names]
    for text, label in (*prepared.examples, *prepared.validation):
        denying[label].add(denies(text))
    return Heard(
        examples=tuple(map(frozenset, examples)),
        validation=count(text for text, _ in prepared.validation),
        denying=tuple(map(frozenset, denying)),
    )


def count(texts: Iterable[str]) -> Counter[Writing]:
    """Count cleaned texts by how they are written."""
    return Counter(map(writing, texts))


def phrases_like(counts: Mapping[Writing, int], said: Writing) -> float:
    """
    Count the phrases in the language of an utterance.

    Latin phrases that could be English or Hinglish are shared out as the sure ones are.
    """
    if said.script == "none":
        return sum(counts.values())
    same = {one.language: n for one, n in counts.items() if one.script == said.script}
    unsure = same.pop(None, 0)
    sure = sum(same.values())
    if said.language is None or not sure:
        return sure + unsure
    own = same.get(said.language, 0)
    return own + unsure * own / sure
