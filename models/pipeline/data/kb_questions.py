"""
Pairs of questions of one knowledge base: the same fact asked twice, or a sibling's.

Questions of one fact are candidates for the same question, and count as one where each is nearest
to the other among all of the knowledge base in its language: one entry answers several questions.
Those of another fact of the topic, or of the same fact of another topic, are another question.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.pipeline.data.across import Encode
from models.pipeline.data.kb import ANSWER, QUESTION_VARIANTS, KnowledgeBase, Target
from models.pipeline.data.row import Row


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that one entry answers."""

    text: str
    language: str
    #: `topic.fact`.
    fact: str


def rows(bases: Sequence[KnowledgeBase], encode: Encode, siblings: int) -> Iterator[Row]:
    """
    Yield the pairs of each knowledge base.

    Args:
        bases: knowledge bases, of one split only.
        encode: an encoder; vectors are taken from the mean of their language here.
        siblings: negatives of each question, those most alike first.
    """
    asked = [_asked(base) for base in bases]
    everything = [one for own in asked for one in own]
    centred = _centred(encode([one.text for one in everything]), everything)
    start = 0
    for base, own in zip(bases, asked, strict=True):
        cosines = _cosines(centred[start : start + len(own)])
        start += len(own)
        nearest = _nearest(cosines, [one.language for one in own])
        for i, a in enumerate(own):
            for j, b in enumerate(own[:i]):
                mutual = nearest[i][b.language] == j and nearest[j][a.language] == i
                if a.fact == b.fact and mutual:
                    yield _row(base, a, b, 1)
            near = [j for j, b in enumerate(own) if _are_siblings(a.fact, b.fact)]
            for j in sorted(near, key=lambda j: -cosines[i, j])[:siblings]:
                yield _row(base, a, own[j], 0)


def _asked(base: KnowledgeBase) -> list[_Asked]:
    return [
        _Asked(one.text, one.language, base.entries[one.levels.index(ANSWER)].id)
        for one in base.questions
        if one.target is Target.WHOLE and one.levels.count(ANSWER) == 1
    ]


def _centred(vectors: NDArray[np.float32], asked: Sequence[_Asked]) -> NDArray[np.float32]:
    languages = np.array([one.language for one in asked])
    moved = vectors.copy()
    for language in set(languages):
        moved[languages == language] -= vectors[languages == language].mean(axis=0)
    found: NDArray[np.float32] = moved / np.maximum(
        np.linalg.norm(moved, axis=1, keepdims=True), 1e-6
    )
    return found


def _row(base: KnowledgeBase, a: _Asked, b: _Asked, label: int) -> Row:
    return Row(
        a=a.text,
        b=b.text,
        label=label,
        layer="knowledge",
        kind="questions",
        language_a=QUESTION_VARIANTS[a.language],
        language_b=QUESTION_VARIANTS[b.language],
        group=(base.key,),
        source="kb",
    )


def _are_siblings(fact: str, other: str) -> bool:
    """Tell whether facts are two of one topic, or the same of two topics."""
    topic, name = fact.split(".")
    topic_b, name_b = other.split(".")
    return fact != other and (topic == topic_b or name == name_b)


def _cosines(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    cosines: NDArray[np.float32] = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    return cosines


def _nearest(cosines: NDArray[np.float32], languages: Sequence[str]) -> list[dict[str, int]]:
    """For each text, the place of the nearest other one of each language."""
    places = {
        name: np.array([at for at, one in enumerate(languages) if one == name])
        for name in set(languages)
    }
    return [{name: int(own[row[own].argmax()]) for name, own in places.items()} for row in cosines]
