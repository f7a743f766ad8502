"""Choosing a threshold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.router.threshold import LEAST_ACCEPTED, Judged, choose, trade_off


def judged(*rows):
    """Rows of score, right, in scope."""
    scores, right, inside = zip(*rows, strict=True)
    return Judged(np.array(scores, float), np.array(right, bool), np.array(inside, bool))


def ladder(right, inside=None):
    """Rows with falling scores."""
    inside = [True] * len(right) if inside is None else inside
    return judged(
        *((1 - i / 1000, r, s) for i, (r, s) in enumerate(zip(right, inside, strict=True)))
    )


def test_the_smallest_that_holds_the_target():
    """
    The lowest threshold at which the target share is right is chosen, also past one that is not.
    """
    curve = trade_off(ladder([True] * 18 + [False] * 2 + [True] * 30 + [False] * 30), None)

    place = choose(curve, 0.95)

    assert curve.accepted[place] == 50
    assert curve.accuracy[place] == pytest.approx(48 / 50)


def test_enough_must_be_accepted():
    """
    A threshold that accepts fewer phrases than needed is none, however right they are.
    """
    few = [True] * (LEAST_ACCEPTED - 1)

    assert choose(trade_off(ladder(few), None), 0.95) is None
    assert choose(trade_off(ladder([*few, True]), None), 0.95) is not None


def test_never_below_the_floor():
    """
    However well the average stands, no threshold lies below the floor.
    """
    curve = trade_off(ladder([True] * 60), None)

    place = choose(curve, 0.95, floor=0.97)

    assert curve.thresholds[place] == 0.97


def test_equal_scores_are_accepted_together():
    """
    Phrases with one score are accepted together, so right ones cannot hide wrong ones.
    """
    rows = [(0.9, True, True)] * 20 + [(0.5, True, True)] * 10 + [(0.5, False, True)] * 10

    curve = trade_off(judged(*rows), None)

    assert curve.thresholds.tolist() == [0.9, 0.5]
    assert curve.accuracy.tolist() == [1.0, 0.75]
    assert choose(curve, 0.95) == 0


def test_out_of_scope_counts_with_its_share():
    """
    Accepted out-of-scope phrases count as often as production has them, not as often as somebody
    wrote them.
    """
    rows = ladder([True] * 90 + [False] * 10, [True] * 90 + [False] * 10)

    as_written = trade_off(rows, None).accuracy[-1]
    weighted = trade_off(rows, 0.5).accuracy[-1]
    none = trade_off(rows, 0.0).accuracy[-1]

    assert as_written == pytest.approx(0.9)
    assert weighted == pytest.approx(0.5)
    assert none == 1.0


def test_few_out_of_scope_phrases_prove_little():
    """
    With the bound, the same share of a few out-of-scope phrases counts more than that of many.
    """
    few = ladder([True] * 40 + [False] * 10, [True] * 40 + [False] * 10)
    many = ladder([True] * 40 + [False] * 1000, [True] * 40 + [False] * 1000)

    unbounded = [trade_off(rows, 0.2).accuracy[39] for rows in (few, many)]
    bounded = [trade_off(rows, 0.2, bound=True).accuracy[39] for rows in (few, many)]

    assert unbounded == [1.0, 1.0]
    assert bounded[0] < 0.96
    assert 0.99 < bounded[1] < 1.0


def test_nothing_known_of_out_of_scope():
    """
    Without out-of-scope phrases the bound takes all of it to pass.
    """
    curve = trade_off(ladder([True] * 40), 0.2, bound=True)

    assert curve.accuracy[-1] == pytest.approx(0.8)


SCORES = st.lists(
    st.tuples(st.integers(0, 9).map(float), st.booleans(), st.booleans()), min_size=1, max_size=80
)


@given(SCORES, st.sampled_from([None, 0.0, 0.2, 0.7]), st.booleans())
def test_the_curve_says_what_accepting_does(rows, share, bound):
    """
    At each threshold the curve has the counts of the phrases at or above it, shares are shares, and
    the bound never promises more.
    """
    rows = [(score, right and inside, inside) for score, right, inside in rows]
    one = judged(*rows)

    curve = trade_off(one, share, bound=bound)

    for threshold, accepted in zip(curve.thresholds, curve.accepted, strict=True):
        assert accepted == (one.scores >= threshold).sum()
    assert ((curve.accuracy >= 0) & (curve.accuracy <= 1 + 1e-9)).all()
    assert (np.diff(curve.answered) >= 0).all()
    assert (np.diff(curve.thresholds) < 0).all()
    assert (curve.accuracy <= trade_off(one, share).accuracy + 1e-9).all()
