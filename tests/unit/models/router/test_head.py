"""The linear head."""

import numpy as np

from models.router.head import fit_head, softmax
from tests.unit.models.router.factories import around


def test_it_learns_what_means_cannot_tell():
    """
    Two intents with one mean each in the middle of the other's spread are told apart by the
    direction that differs.
    """
    random = np.random.default_rng(0)
    common = random.normal(0, 1, (200, 8))
    labels = np.arange(200) % 2
    common[:, 0] = np.where(labels == 0, 0.3, -0.3)
    rows = (common / np.linalg.norm(common, axis=1, keepdims=True)).astype(np.float32)

    head = fit_head(rows[:150], labels[:150], 2)

    right = (head.logits(rows[150:]).argmax(axis=1) == labels[150:]).mean()
    assert right >= 0.9


def test_one_intent():
    """
    With one intent there is nothing to learn, and every logit is 0.
    """
    head = fit_head(around(0, 5, 0.1, 0), np.zeros(5, np.intp), 1)

    assert head.logits(around(1, 3, 0.1, 1)).tolist() == [[0.0]] * 3


def test_softmax_of_large_logits():
    """
    Large logits neither overflow nor lose their sum.
    """
    shares = softmax(np.array([[1e4, 0.0], [-1e4, -1e4]], np.float32))

    assert shares.tolist() == [[1.0, 0.0], [0.5, 0.5]]
