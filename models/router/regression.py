"""Logistic regression on a handful of columns: how likely is it that the pick is right?"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Ridge on standardised columns, for weights that add up to 1: columns that say much the same
#: share the credit instead of fighting over it. The second part is that of so many rows: a profile
#: of 50 phrases would otherwise believe its own accidents.
_RIDGE = 1e-2
_RIDGE_ROWS = 5.0
#: The bias is nearly free, but bounded where all rows agree.
_BIAS_RIDGE = 1e-4
#: Newton steps; it has converged long before.
_STEPS = 25
#: Clipped here, where float64 would overflow or no longer tell two chances apart.
_EXTREME = 35.0

Rows = npt.NDArray[np.float64]


class Regression(NamedTuple):
    """A fitted regression; works on columns as they are."""

    #: (F,) float64.
    weights: Rows
    bias: float

    def chances(self, rows: Rows) -> Rows:
        """(N, F) to (N,) chances that the pick is right, 0 to 1."""
        return _sigmoid(rows @ self.weights + self.bias)

    def chance(self, row: Sequence[float]) -> float:
        """F numbers to their chance, as `chances` gives it; a few numbers are no work for numpy."""
        value = math.fsum(map(mul, row, self.weights.tolist())) + self.bias
        return 1 / (1 + math.exp(-min(max(value, -_EXTREME), _EXTREME)))


def fit_regression(rows: Rows, right: npt.NDArray[np.bool_], weights: Rows) -> Regression:
    """
    Fit a regression.

    Args:
        rows: (N, F), N at least one.
        right: (N,) what is to be foretold.
        weights: (N,) how much each row counts; at least one is above 0.
    """
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    # A column that never changes says nothing, and rounding must not make it speak.
    scale = np.where(spread > 1e-9, spread, np.inf)  # noqa: PLR2004
    columns = np.concatenate([(rows - mean) / scale, np.ones((len(rows), 1))], axis=1)
    shares = weights / weights.sum()
    ridge = np.full(columns.shape[1], _RIDGE + _RIDGE_ROWS / len(rows))
    ridge[-1] = _BIAS_RIDGE
    found = np.zeros(columns.shape[1])
    for _ in range(_STEPS):
        chances = _sigmoid(columns @ found)
        slope = columns.T @ (shares * (chances - right)) + ridge * found
        bend = (columns * (shares * chances * (1 - chances))[:, None]).T @ columns
        found -= np.linalg.solve(bend + np.diag(ridge), slope)
    return Regression(found[:-1] / scale, float(found[-1] - (found[:-1] / scale) @ mean))


def _sigmoid(values: Rows) -> Rows:
    chances: Rows = 1 / (1 + np.exp(-np.clip(values, -_EXTREME, _EXTREME)))
    return chances
