"""Blocked folds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.router.folds import FOLDS, blocked_folds
from tests.unit.models.router.factories import around


def test_near_paraphrases_share_a_fold():
    """
    Groups of near copies within one intent stay together.
    """
    groups = np.concatenate([around(axis, 5, 0.001, axis) for axis in range(4)])
    order = np.random.default_rng(0).permutation(20)

    folds = np.empty(20, int)
    folds[order] = blocked_folds(groups[order], np.zeros(20, int))

    assert [len(set(folds[start : start + 5])) for start in range(0, 20, 5)] == [1] * 4
    assert len(set(folds)) == 4


@pytest.mark.parametrize("step", [1, FOLDS], ids=["next to each other", "a fold count apart"])
def test_intents_of_one_phrase_are_spread(step):
    """
    Intents with a phrase each do not all fall into one fold.
    """
    labels = np.arange(20) * step

    folds = blocked_folds(around(0, 20, 0.5, 0), labels)

    assert np.bincount(folds, minlength=FOLDS).tolist() == [5] * 4


@given(st.lists(st.integers(-1, 5), max_size=60))
def test_every_label_is_spread_evenly(labels):
    """
    Every vector has a fold, and the folds of a label differ by at most one vector.
    """
    labels = np.array(labels, np.intp)

    folds = blocked_folds(around(0, len(labels), 0.3, 1), labels)

    assert ((folds >= 0) & (folds < FOLDS)).all()
    for label in set(labels.tolist()):
        sizes = np.bincount(folds[labels == label], minlength=FOLDS)
        assert sizes.max() - sizes.min() <= 1
