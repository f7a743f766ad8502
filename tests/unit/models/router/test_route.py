"""A decision's numbers; `test_compile.py` has decisions of whole routers."""

import numpy as np
import pytest

from models.router import Gate, Router
from models.router.evidence import learn, pick
from tests.unit.models.router.factories import WIDTH, around


def router(intents):
    """A router of phrases around an axis an intent."""
    rows = np.concatenate([around(axis, 6, 0.3, axis) for axis in range(intents)])
    known = learn(rows, np.repeat(np.arange(intents), 6), intents, around(WIDTH - 1, 4, 0.3, 99))
    return Router(
        encoder_fingerprint="encoder-1",
        digest="d",
        gate=Gate.DEFAULT,
        names=tuple(f"intent {axis}" for axis in range(intents)),
        prototypes=np.stack(
            [rows[axis * 6 : axis * 6 + 6].mean(axis=0) for axis in range(intents)]
        ),
        knowledge=known,
    )


def test_the_margin_is_to_the_runner_up():
    """
    Score and margin are cosines of prototypes for the two that the head finds best, so that a head
    that disagrees with the prototypes has a margin below 0.
    """
    made = router(5)
    margins = []

    for vector in around(2, 300, 0.6, 500):
        found = pick(made.knowledge, vector)
        routed = made.route(vector)
        best, second = made.prototypes[[found.intent, found.second]] @ vector

        assert routed.candidate == f"intent {found.intent}"
        assert routed.runner_up == f"intent {found.second}"
        assert routed.score == pytest.approx(float(best), abs=1e-6)
        assert routed.margin == pytest.approx(float(best - second), abs=1e-6)
        margins.append(routed.margin)

    assert min(margins) < 0 < max(margins)


def test_alone():
    """
    The margin of a single intent is its score, and there is no runner-up.
    """
    routed = router(1).route(around(0, 1, 0.1, 500)[0])

    assert routed.runner_up is None
    assert routed.margin == routed.score > 0.5
