"""One order from several: reciprocal rank fusion, and freshness where that leaves a tie."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Fused = npt.NDArray[np.float64]

#: Constant of reciprocal rank fusion; the published value.
_K = 60
#: Entries of each leg that count.
DEPTH = 100
#: What the oldest entry loses. Less than one rank near the top of one leg (1/61 to 1/62), so that
#: freshness decides between entries that search cannot tell apart and never against it.
FRESHNESS_SHARE = 0.01
#: Age at which half of it is lost, milliseconds: half a year.
FRESHNESS_HALF_LIFE_MS = 180 * 24 * 3_600_000


class Leg(NamedTuple):
    """One way of searching and what it says of each entry."""

    #: (N,) higher is better.
    scores: npt.NDArray[np.floating]
    #: How much its ranks count.
    weight: float
    #: Entries at or below this score are not found by it.
    least: float = -np.inf


def fuse(legs: Sequence[Leg]) -> Fused:
    """
    Fuse legs by reciprocal rank; equal scores have the rank of the first of them.

    Args:
        legs: at least one, each with scores of the same N entries.

    Returns:
        (N,) float64; 0 for an entry that no leg found.
    """
    fused = np.zeros(len(legs[0].scores), np.float64)
    for scores, weight, least in legs:
        order = np.argsort(-scores, kind="stable")[:DEPTH]
        order = order[scores[order] > least]
        ranks = np.searchsorted(-scores[order], -scores[order]) + 1
        fused[order] += weight / (_K + ranks)
    return fused


def freshness(updated_ms: npt.NDArray[np.int64], now_ms: int) -> Fused:
    """
    Work out the multiplier of each entry.

    Args:
        updated_ms: (N,) when each last changed, Unix epoch; negative where nobody knows, which
            counts as long ago.
        now_ms: the present, Unix epoch.

    Returns:
        (N,) float64 from 1, changed just now, down to 1 - `FRESHNESS_SHARE`.
    """
    age = np.maximum(now_ms - updated_ms, 0) / FRESHNESS_HALF_LIFE_MS
    kept = np.where(updated_ms < 0, 0.0, 0.5**age)
    return 1 - FRESHNESS_SHARE * (1 - kept)
