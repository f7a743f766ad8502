"""Evidence for a pick."""

import numpy as np
import pytest

from models.router.evidence import Evidence, learn, pick
from tests.unit.models.router.factories import WIDTH, around, unit


def knowledge(intents=3, outside=0, count=6):
    """Phrases around an axis an intent."""
    rows = np.concatenate([around(axis, count, 0.05, axis) for axis in range(intents)])
    labels = np.repeat(np.arange(intents), count)
    return learn(rows, labels, intents, around(WIDTH - 1, outside, 0.05, 99))


def test_a_clear_phrase():
    """
    A phrase amid its intent's is picked, near its phrases, and far from rivals and out of scope.
    """
    found = pick(knowledge(outside=5), around(1, 1, 0.05, 7)[0])

    assert found.intent == 1
    assert found.second in (0, 2)
    assert found.evidence[Evidence.NEAREST] >= found.evidence[Evidence.NEIGHBOURS] > 0.9
    assert found.evidence[Evidence.PROTOTYPE] > 0.9
    assert found.evidence[Evidence.RIVAL] < 0.5
    assert found.evidence[Evidence.OUTSIDE] < 0.5
    assert found.evidence[Evidence.LEAD] > 0


def test_out_of_scope_is_near_its_like():
    """
    A phrase like the out-of-scope ones is near them and far from all others.
    """
    found = pick(knowledge(outside=5), around(WIDTH - 1, 1, 0.05, 8)[0])

    assert found.evidence[Evidence.OUTSIDE] > 0.8 > found.evidence[Evidence.NEAREST]


def test_a_hidden_intent_is_as_if_it_were_not_there():
    """
    A hidden intent is neither picked nor second nor a rival.
    """
    vector = around(1, 1, 0.02, 7)[0]

    found = pick(knowledge(), vector, without=1)

    assert 1 not in (found.intent, found.second)
    assert found.evidence[Evidence.RIVAL] < 0.5
    assert np.isfinite(found.evidence).all()


def test_one_intent():
    """
    With one intent there is no rival, no lead and no second.
    """
    found = pick(knowledge(1), around(0, 1, 0.05, 7)[0])

    assert (found.intent, found.second) == (0, 0)
    assert found.evidence[[Evidence.PROBABILITY, Evidence.LEAD, Evidence.RIVAL]].tolist() == [
        0.0,
        0.0,
        -1.0,
    ]


def test_only_phrase_of_all():
    """
    One phrase in all is its own centre; what is picked then has finite evidence.
    """
    alone = learn(unit([[1.0] + [0.0] * (WIDTH - 1)]), np.array([0]), 1, np.empty((0, WIDTH)))

    for vector in (alone.centre, around(3, 1, 0.1, 0)[0]):
        assert np.isfinite(pick(alone, vector).evidence).all()


def test_what_all_phrases_share_does_not_count():
    """
    A component that all vectors share, as encoders add it, hides nothing.
    """
    rows = np.concatenate([around(axis, 6, 0.05, axis) for axis in range(3)])
    shared = unit(rows * 0.2 + np.eye(WIDTH)[10])
    labels = np.repeat(np.arange(3), 6)

    found = pick(learn(shared, labels, 3, np.empty((0, WIDTH))), shared[7])

    assert found.intent == 1
    assert found.evidence[Evidence.NEAREST] == pytest.approx(1.0)
    assert found.evidence[Evidence.RIVAL] < 0.5
