"""
Blocked folds: near paraphrases stay together.

Somebody who writes validation phrases writes one thing in several ways. With folds drawn at random
every phrase would be judged by its own paraphrases, and the threshold would sit too low for callers
who say it their way: on CLINC150 such folds promised 0.96 top-1 where the test set gave 0.93.
Blocks along the directions in which an intent's phrases differ most gave 0.93 and 0.93.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from models.router.prototypes import Places, Vectors

#: Halvings; 2 make four folds.
_HALVINGS = 2
FOLDS = 2**_HALVINGS


def blocked_folds(vectors: Vectors, labels: Places) -> Places:
    """
    Lay each label's vectors in folds of about equal size, like with like.

    Args:
        vectors: (N, D).
        labels: (N,) what is divided by itself.

    Returns:
        (N,) fold of each, 0 to FOLDS - 1; fewer than FOLDS vectors of a label leave folds empty.
    """
    folds = np.zeros(len(vectors), np.intp)
    for place, label in enumerate(np.unique(labels)):
        rows = np.flatnonzero(labels == label)
        # Small intents do not all fill the same folds.
        folds[rows] = (_halve(vectors[rows], _HALVINGS) + place) % FOLDS
    return folds


def _halve(vectors: Vectors, times: int) -> Places:
    parts = np.zeros(len(vectors), np.intp)
    if times == 0 or len(vectors) < 2:  # noqa: PLR2004
        return parts
    centred = vectors - vectors.mean(axis=0)
    direction = np.linalg.svd(centred, full_matrices=False)[2][0]
    order = np.argsort(centred @ direction, kind="stable")
    lower, upper = np.array_split(order, 2)
    parts[lower] = _halve(vectors[lower], times - 1)
    parts[upper] = _halve(vectors[upper], times - 1) + 2 ** (times - 1)
    return parts
