"""What a judge would do at every threshold, and what that would cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from models.evaluation.measure import Scored


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """False accept rate and recall at T thresholds, from the highest to the lowest."""

    #: (T,) a score at or above it is accepted.
    thresholds: NDArray[np.float64]
    #: (T,) share of the negatives that is accepted.
    false_accepts: NDArray[np.float64]
    #: (T,) share of the positives that is accepted.
    recall: NDArray[np.float64]


def trade_off(scored: Scored) -> Curve:
    """
    Walk through all thresholds that make a difference.

    What no threshold accepts counts among the pairs, so the curve may end below 1.

    Raises:
        ValueError: one of the labels is missing.
    """
    positives, negatives = _by_label(scored)
    scores = np.concatenate([positives, negatives])
    thresholds = np.unique(scores[scores > -np.inf])[::-1]
    return Curve(
        thresholds=thresholds,
        false_accepts=_accepted(negatives, thresholds),
        recall=_accepted(positives, thresholds),
    )


def cost(scored: Scored, thresholds: NDArray[np.float64], ratio: float) -> NDArray[np.float64]:
    """
    Cost of all errors, as a share of what it costs to serve nothing.

    Args:
        scored: the pairs; they count as if they were the traffic.
        thresholds: (T,).
        ratio: how many misses a wrong serve is as bad as.

    Returns:
        (T,) 0 without errors, 1 where serving is as bad as not serving.

    Raises:
        ValueError: one of the labels is missing.
    """
    positives, negatives = _by_label(scored)
    wrong = _accepted(negatives, thresholds) * negatives.size
    missed = positives.size - _accepted(positives, thresholds) * positives.size
    total: NDArray[np.float64] = (ratio * wrong + missed) / positives.size
    return total


def best_threshold(scored: Scored, ratio: float) -> float:
    """
    The threshold of the least cost; of several, the highest.

    Raises:
        ValueError: one of the labels is missing.
    """
    thresholds = np.append(np.inf, trade_off(scored).thresholds)
    return float(thresholds[np.argmin(cost(scored, thresholds, ratio))])


def _by_label(scored: Scored) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores of the positives and of the negatives, each in ascending order."""
    truth = scored.labels == 1
    scores = scored.scores.astype(np.float64)
    if truth.all() or not truth.any():
        raise ValueError("the pairs have one label only")
    return np.sort(scores[truth]), np.sort(scores[~truth])


def _accepted(
    ascending: NDArray[np.float64], thresholds: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(T,) share of the scores at or above each threshold."""
    below = np.searchsorted(ascending, thresholds, side="left")
    return 1 - below / ascending.size
