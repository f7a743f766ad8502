"""
What speaks for the pick of the head, and what against it.

Margins alone say which of two intents is closer. Whether the caller said anything of the kind at
all shows in how near the nearest phrases are, in and out of scope.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.router.head import Head, fit_head
from models.router.prototypes import Places, Vectors, prototypes, unit

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Intents whose phrases are looked at: the pick and its closest rivals by the head. All of them
#: would cost more than the rest of the step together.
_RIVALS = 4
#: Nearest phrases of the pick that are averaged: one alone may be an odd one.
_NEAREST = 3
#: Phrases of one intent, and out-of-scope phrases, that are kept to look at; bounds the time.
_KEPT = 256


class Evidence(IntEnum):
    """The columns; all grow with how clear the pick is, but RIVAL and OUTSIDE."""

    #: Log of the head's probability of the pick.
    PROBABILITY = 0
    #: Head: logit of the pick minus the second.
    LEAD = 1
    #: Log-sum-exp of the logits: how much the head sees at all.
    ENERGY = 2
    #: Cosine to the prototype of the pick.
    PROTOTYPE = 3
    #: Cosine to the nearest phrase of the pick.
    NEAREST = 4
    #: Mean cosine of the nearest few phrases of the pick.
    NEIGHBOURS = 5
    #: Cosine to the nearest phrase of a rival; -1 without rivals.
    RIVAL = 6
    #: Cosine to the nearest out-of-scope phrase; -1 without any.
    OUTSIDE = 7


class Pick(NamedTuple):
    """The best intent for a vector, and what is known about it."""

    #: Position of the intent.
    intent: int
    #: Position of the second best by the head; the same where there is only one intent.
    second: int
    #: One number a column of `Evidence`.
    evidence: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """What phrases taught; all vectors are centred (see `centre`)."""

    #: (D,) what all phrases of the agent have in common; taken out of every vector.
    centre: Vectors
    head: Head
    #: (C, D) unit rows.
    prototypes: Vectors
    #: (P, D) phrases, by intent.
    phrases: Vectors
    #: C + 1 places where each intent's phrases begin.
    starts: tuple[int, ...]
    #: (O, D) out-of-scope phrases; may be empty.
    outside: Vectors


def learn(vectors: Vectors, labels: Places, count: int, outside: Vectors) -> Knowledge:
    """
    Learn from phrases.

    Args:
        vectors: (N, D) unit rows, as the encoder gives them.
        labels: (N,) intent of each; every intent has at least one.
        count: intents, C.
        outside: (O, D) out-of-scope phrases; may be empty.
    """
    middle = vectors.mean(axis=0)
    rows = unit(vectors - middle)
    kept = [np.flatnonzero(labels == intent)[:_KEPT] for intent in range(count)]
    return Knowledge(
        centre=middle,
        head=fit_head(rows, labels, count),
        prototypes=prototypes(rows, labels, count),
        phrases=rows[np.concatenate(kept)],
        starts=tuple(itertools.accumulate(map(len, kept), initial=0)),
        outside=unit(outside[:_KEPT] - middle),
    )


def pick(knowledge: Knowledge, vector: Vectors, without: int | None = None) -> Pick:
    """
    Find the best intent.

    It runs right after an embedding, when no code of it is in the caches: there a call into numpy
    costs several times the work that it does, so few are made, and numbers are plain floats.

    Args:
        knowledge: what phrases taught.
        vector: (D,) at length 1, as the encoder gives it.
        without: an intent that must not be picked, as if the agent did not have it.
    """
    centred = vector - knowledge.centre
    centred /= math.sqrt(centred.dot(centred)) or 1.0
    logits = knowledge.head.weights.dot(centred)
    logits += knowledge.head.bias
    candidates = len(logits)
    if without is not None:
        logits[without] = -np.inf
        candidates -= 1
    # of equals the first is the better one
    first, *rivals = (-logits).argsort(kind="stable")[: min(candidates, _RIVALS + 1)].tolist()
    second = rivals[0] if rivals else first
    best, following = logits[[first, second]].tolist()
    logits -= best
    energy = math.log(np.exp(logits, logits).sum())
    own = _cosines(knowledge, centred, first)
    own.sort()
    few = own[-_NEAREST:].tolist()
    rival = -1.0
    for one in rivals:
        rival = max(rival, float(_cosines(knowledge, centred, one).max()))
    evidence = (
        -energy,
        best - following,
        best + energy,
        float(knowledge.prototypes[first].dot(centred)),
        few[-1],
        sum(few) / len(few),
        rival,
        float(knowledge.outside.dot(centred).max(initial=-1.0)),
    )
    return Pick(first, second, evidence)


def picks(
    knowledge: Knowledge, vectors: Vectors, without: Sequence[int] | None = None
) -> tuple[Places, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Pick for each of (N, D) vectors: (N,) intents and (N, len(Evidence)) evidence."""
    hidden = without if without is not None else [None] * len(vectors)
    found = [pick(knowledge, row, one) for row, one in zip(vectors, hidden, strict=True)]
    rows = np.array([one.evidence for one in found], np.float64).reshape(-1, len(Evidence))
    return np.array([one.intent for one in found], np.intp), rows


def _cosines(knowledge: Knowledge, centred: Vectors, intent: int) -> Vectors:
    """Cosines to the phrases of an intent."""
    phrases = knowledge.phrases[knowledge.starts[intent] : knowledge.starts[intent + 1]]
    cosines: Vectors = phrases.dot(centred)
    return cosines
