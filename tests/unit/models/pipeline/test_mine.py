"""Drawing hard rows: what a row's loss does to its chances."""

import math

import numpy as np
import pytest

from models.pipeline.mine import CAP, FLOOR, drawn, losses


def test_losses():
    """Cross-entropy: undecided costs log 2, sure and wrong as much as the logit."""
    found = losses(np.array([0, 0, 9, 9, -9], np.float32), np.array([0, 1, 1, 0, 1]))

    assert found == pytest.approx([math.log(2), math.log(2), 0.0, 9.0, 9.0], abs=1e-3)


def test_the_hard_are_likelier_and_none_comes_twice():
    """Of as many easy rows as hard ones, nearly only hard ones are drawn."""
    loss = np.array([0.0] * 1000 + [2.0] * 1000, np.float32)
    places = drawn(loss, 500, seed=1)

    assert len(set(places.tolist())) == 500
    assert (places >= 1000).mean() > 0.9
    assert (places < 1000).any()


def test_the_very_hard_are_no_likelier_than_the_hard():
    """A wrong label has the largest loss of all."""
    loss = np.array([CAP] * 1000 + [50.0] * 1000, np.float32)

    assert (drawn(loss, 1000, seed=1) >= 1000).mean() == pytest.approx(0.5, abs=0.05)


def test_the_known_keep_their_chance():
    """Rows that cost nothing are drawn as the floor says."""
    loss = np.array([0.0] * 5000 + [FLOOR] * 5000, np.float32)

    assert (drawn(loss, 2000, seed=1) < 5000).mean() == pytest.approx(0.5, abs=0.05)


def test_all_rows_may_be_asked_for():
    """More than there are gives all of them, in order."""
    assert drawn(np.ones(3, np.float32), 10, seed=1).tolist() == [0, 1, 2]
