"""
What a router learns, and an honest score for each validation phrase.

The default gate learns from examples and, unless told otherwise, from validation phrases too. What
each validation phrase scores, though, comes from a head, neighbours and a regression that its fold
was kept out of; only these scores choose the threshold. The router itself then learns from all of
them, so it knows a little more than what was judged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from models.router.evidence import Evidence, Knowledge, learn, picks
from models.router.folds import FOLDS, blocked_folds
from models.router.prototypes import Places, Vectors, top_two
from models.router.regression import Regression, fit_regression
from models.router.threshold import Flags, Judged

#: Fewer out-of-scope phrases than this are joined by stand-ins: validation phrases whose own
#: intent is hidden from the router.
LEAST_OUT_OF_SCOPE = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """Phrases as vectors, unit rows."""

    #: Intents, C.
    count: int
    #: (E, D); every intent has at least one.
    examples: Vectors
    #: (E,)
    example_labels: Places
    #: (V, D)
    validation: Vectors
    #: (V,)
    validation_labels: Places
    #: (O, D)
    outside: Vectors


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fitted:
    """What was learned, and how it did."""

    #: Validation phrases, then out-of-scope phrases, then stand-ins.
    judged: Judged
    #: (R,) the pick for each of them.
    picked: Places
    #: None of the margin gate.
    knowledge: Knowledge | None = None
    regression: Regression | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """Evidence from knowledge that the row's fold was kept out of."""

    #: (R,) what was picked.
    picked: Places
    #: (R, len(Evidence))
    evidence: npt.NDArray[np.float64]
    #: (R,) fold of the row.
    folds: Places
    right: Flags
    in_scope: Flags


def fit_margin(material: Material, means: Vectors) -> Fitted:
    """Judge validation phrases by the published baseline; (C, D) prototypes."""
    rows = np.concatenate([material.validation, material.outside])
    top = top_two(rows @ means.T)
    return Fitted(
        judged=Judged(
            scores=top.margin.astype(np.float64),
            right=top.best == _truth(material),
            in_scope=_truth(material) >= 0,
        ),
        picked=top.best,
    )


def fit_default(material: Material, share: float | None, *, examples_only: bool = False) -> Fitted:
    """
    Learn head, neighbours and regression, and judge each phrase by what did not see it.

    Args:
        material: V at least two.
        share: of out of scope in production; None counts phrases as they are.
        examples_only: head and neighbours learn from examples only.
    """
    teachers = np.full(len(material.validation), not examples_only)
    seen = _judge_apart(material, teachers, stand_ins=_needs_stand_ins(material, share))
    weights = _weights(seen.in_scope, share)
    scores = np.empty(len(seen.folds))
    for fold in np.unique(seen.folds):
        held = seen.folds == fold
        apart = fit_regression(seen.evidence[~held], seen.right[~held], weights[~held])
        scores[held] = apart.chances(seen.evidence[held])
    return Fitted(
        judged=Judged(scores, seen.right, seen.in_scope),
        picked=seen.picked,
        knowledge=_learn(material, teachers, material.outside),
        regression=fit_regression(seen.evidence, seen.right, weights),
    )


def _truth(material: Material) -> Places:
    """(V + O,) intent of each validation phrase, then -1 for each that is out of scope."""
    outside = np.full(len(material.outside), -1, np.intp)
    return np.concatenate([material.validation_labels, outside])


def _needs_stand_ins(material: Material, share: float | None) -> bool:
    few = len(material.outside) < LEAST_OUT_OF_SCOPE
    return few and bool(share) and material.count > 1


def _learn(material: Material, kept: Flags, outside: Vectors) -> Knowledge:
    vectors = np.concatenate([material.examples, material.validation[kept]])
    labels = np.concatenate([material.example_labels, material.validation_labels[kept]])
    return learn(vectors, labels, material.count, outside)


def _judge_apart(material: Material, teachers: Flags, *, stand_ins: bool) -> _Seen:
    """Evidence for each row, from the `teachers` among the validation phrases of other folds."""
    rows = np.concatenate([material.validation, material.outside])
    truth = _truth(material)
    inside = len(material.validation)
    folds = blocked_folds(rows, truth)
    picked, found = np.zeros(len(rows), np.intp), np.zeros((len(rows), len(Evidence)))
    instead, hidden = np.zeros(inside, np.intp), np.zeros((inside, len(Evidence)))
    for fold in range(FOLDS):
        held = folds == fold
        apart = _learn(material, teachers & ~held[:inside], rows[inside:][~held[inside:]])
        picked[held], found[held] = picks(apart, rows[held])
        if stand_ins:
            mine = held[:inside]
            own = material.validation_labels[mine].tolist()
            instead[mine], hidden[mine] = picks(apart, material.validation[mine], own)
    right, in_scope = picked == truth, truth >= 0
    if not stand_ins:
        return _Seen(picked=picked, evidence=found, folds=folds, right=right, in_scope=in_scope)
    never = np.zeros(inside, np.bool_)
    return _Seen(
        picked=np.concatenate([picked, instead]),
        evidence=np.concatenate([found, hidden]),
        folds=np.concatenate([folds, folds[:inside]]),
        right=np.concatenate([right, never]),
        in_scope=np.concatenate([in_scope, never]),
    )


def _weights(in_scope: Flags, share: float | None) -> npt.NDArray[np.float64]:
    """(R,) what each row counts, so that out of scope has its share of the whole."""
    inside, outside = int(in_scope.sum()), int((~in_scope).sum())
    if share is None or not outside:
        return np.ones(len(in_scope))
    return np.where(in_scope, 1.0, inside * share / (1 - share) / outside)
