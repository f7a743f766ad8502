"""Prototypes and the best two scores."""

import numpy as np
import pytest

from models.router.prototypes import prototypes, top_two, unit


def test_a_prototype_is_the_mean_at_length_one():
    """
    Each intent's prototype is the mean of its rows, at length 1.
    """
    rows = np.array([[1, 0], [0, 1], [0, 1]], np.float32)

    found = prototypes(rows, np.array([1, 1, 0]), 2)

    assert found.dtype == np.float32
    assert found.tolist() == [[0, 1], pytest.approx([0.5**0.5, 0.5**0.5])]


def test_examples_that_cancel_out():
    """
    An intent whose vectors cancel out has a prototype that is near nothing, not one that is no
    number.
    """
    rows = np.array([[1, 0], [-1, 0]], np.float32)

    assert prototypes(rows, np.array([0, 0]), 1).tolist() == [[0, 0]]
    assert unit(np.zeros((1, 3))).tolist() == [[0, 0, 0]]


def test_top_two():
    """
    The best two of each row are found; of equals the first is best and the margin is 0.
    """
    top = top_two(np.array([[0.1, 0.7, 0.4], [0.5, 0.5, 0.2]], np.float32))

    assert top.best.tolist() == [1, 0]
    assert top.second.tolist() == [2, 1]
    assert top.margin.tolist() == pytest.approx([0.3, 0.0])


def test_one_intent_has_no_second():
    """
    With one intent the margin is the score itself.
    """
    top = top_two(np.array([[0.25]], np.float32))

    assert (top.best[0], top.second[0], top.margin[0]) == (0, 0, 0.25)
