"""Evidence for a pick."""

import math

import numpy as np
import pytest

from models.router.evidence import Evidence, learn, pick
from tests.unit.models.router.factories import WIDTH, around, unit


def plainly(known, vector, without=None):
    """Spell the step out with whole sorts, as it was first written."""
    centred = vector - known.centre
    centred /= math.sqrt(centred @ centred) or 1.0
    logits = known.head.weights @ centred + known.head.bias
    if without is not None:
        logits[without] = -np.inf
    order = [int(one) for one in np.argsort(-logits, kind="stable") if one != without]
    first, rivals = order[0], order[1:5]
    second = rivals[0] if rivals else first
    best, following = float(logits[first]), float(logits[second])
    energy = math.log(np.exp(logits - logits[first]).sum())
    near = [np.sort(known.phrases[slice(*known.starts[one : one + 2])] @ centred) for one in order]
    found = {
        Evidence.PROBABILITY: -energy,
        Evidence.LEAD: best - following,
        Evidence.ENERGY: best + energy,
        Evidence.PROTOTYPE: known.prototypes[first] @ centred,
        Evidence.NEAREST: near[0][-1],
        Evidence.NEIGHBOURS: sum(near[0][-3:].tolist()) / len(near[0][-3:]),
        Evidence.RIVAL: max((one[-1] for one in near[1:5]), default=-1.0),
        Evidence.OUTSIDE: max(known.outside @ centred, default=-1.0),
    }
    return first, second, [float(found[column]) for column in Evidence]


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
    assert found.evidence[Evidence.PROBABILITY] == found.evidence[Evidence.LEAD] == 0.0
    assert found.evidence[Evidence.RIVAL] == -1.0


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


@pytest.mark.parametrize("intents", [1, 2, 4, 5, 6, 14])
@pytest.mark.parametrize("outside", [0, 5])
@pytest.mark.parametrize("count", [1, 2, 6])
def test_each_number_is_that_of_the_plain_way(intents, outside, count):
    """
    However it is reckoned, pick and evidence are those of whole sorts, to the last bit.
    """
    known = knowledge(intents, outside, count)
    vectors = unit(np.random.default_rng(1).normal(0, 1, (40, WIDTH)))
    hidden = [None, *range(intents)] if intents > 1 else [None]

    for place, vector in enumerate(vectors):
        without = hidden[place % len(hidden)]
        found = pick(known, vector, without)
        assert (found.intent, found.second, list(found.evidence)) == plainly(known, vector, without)
