"""The regression behind the default gate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.router.regression import Regression, fit_regression


def test_chances_are_shares():
    """
    Where a column tells how often a pick is right, the chances say so.
    """
    column = np.repeat([0.0, 1.0], 1000)
    right = np.concatenate([np.arange(1000) < 200, np.arange(1000) < 900])

    fitted = fit_regression(column[:, None], right, np.ones(2000))

    assert fitted.chances(np.array([[0.0], [1.0]])).tolist() == pytest.approx([0.2, 0.9], abs=0.03)


def test_weights_count():
    """
    A row with weight 3 counts as three rows do.
    """
    rows = np.array([[0.0], [1.0], [1.0], [0.0]])
    right = np.array([False, True, False, True])

    weighted = fit_regression(rows, right, np.array([3.0, 1.0, 1.0, 1.0]))
    light = fit_regression(rows, right, np.ones(4))

    assert weighted.chances(rows)[0] < light.chances(rows)[0]


@pytest.mark.parametrize("value", [True, False])
def test_all_rows_agree(value):
    """
    Where all picks are right, or none, the chance says so for any row.
    """
    rows = np.random.default_rng(0).normal(0, 1, (30, 3))

    chances = fit_regression(rows, np.full(30, value), np.ones(30)).chances(rows)

    assert (chances > 0.98).all() if value else (chances < 0.02).all()


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 40),
    st.lists(st.sampled_from([0.0, 1e-12, 1.0, 1e6]), min_size=3, max_size=3),
)
def test_chances_are_numbers(seed, count, scales):
    """
    Columns that are constant, tiny, huge or alike give chances all the same.
    """
    random = np.random.default_rng(seed)
    rows = random.integers(-2, 3, (count, 1)) * np.array(scales) + 7
    right = random.random(count) < 0.5

    chances = fit_regression(rows, right, np.ones(count)).chances(rows)

    assert np.isfinite(chances).all()
    assert ((chances >= 0) & (chances <= 1)).all()


@given(st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3))
def test_one_chance_is_that_of_many(row):
    """
    A row alone has the chance that it has among others, at both ends too.
    """
    regression = Regression(np.array([0.3, -1.7, 0.05]), 0.4)
    several = np.array([row, [0.0, 0.0, 0.0]])

    assert regression.chance(several[0]) == pytest.approx(regression.chances(several)[0], rel=1e-12)
