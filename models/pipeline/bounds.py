"""Exact binomial bounds, without a statistics library."""

from __future__ import annotations

import math

#: Bisection steps: enough for the last digit of a float.
_STEPS = 60


def upper_bound(hits: int, trials: int, confidence: float = 0.95) -> float:
    """
    One-sided Clopper-Pearson upper bound of a share.

    Args:
        hits: how often it happened.
        trials: out of how many, at least one.
        confidence: of the bound.

    Returns:
        The share at which so few hits are as unlikely as `1 - confidence`.
    """
    if hits >= trials:
        return 1.0
    low, high = hits / trials, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(hits, trials, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(hits: int, trials: int, share: float) -> float:
    """Probability of at most so many hits."""
    if share >= 1:
        return 0.0
    whole, log_hit, log_miss = (
        math.lgamma(trials + 1),
        math.log(share or 5e-324),
        math.log1p(-share),
    )
    return math.fsum(
        math.exp(
            whole
            - math.lgamma(k + 1)
            - math.lgamma(trials - k + 1)
            + k * log_hit
            + (trials - k) * log_miss
        )
        for k in range(hits + 1)
    )
