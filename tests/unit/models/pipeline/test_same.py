import numpy as np
import pytest

from models.pipeline.data.build import HELD_OUT
from models.pipeline.data.split import side_of
from models.pipeline.same import best_threshold, draw, held_out, weights_of
from models.pipeline.same_pairs import LabelledPair, question_pairs


def pair(at, *, same, source="twins"):
    return LabelledPair(f"a{at}", f"b{at}", same=same, source=source, group=f"g{at % 10}")


def test_weights():
    """Every source and label counts alike, however many pairs it has."""
    pairs = [pair(at, same=at == 0) for at in range(4)] + [pair(4, same=True, source="xquad")]

    found = weights_of(pairs)

    assert found[0] == pytest.approx(found[1:4].sum())
    assert found[4] == pytest.approx(found[0])


def test_best_threshold():
    """The threshold lies between the scores that it parts."""
    scores = np.array([0.9, 0.8, 0.4, 0.3])
    labels = np.array([True, True, False, False])

    threshold, accuracy = best_threshold(scores, labels, np.ones(4))

    assert 0.4 < threshold < 0.8
    assert accuracy == 1.0


def test_best_threshold_ties():
    """Equal scores fall on one side."""
    threshold, accuracy = best_threshold(
        np.array([0.5, 0.5, 0.1]), np.array([True, False, False]), np.ones(3)
    )

    assert accuracy == pytest.approx(2 / 3)
    assert threshold < 0.5


def test_held_out():
    """Groups that were not seen are told from what the others taught."""
    rng = np.random.default_rng(2)
    labels = np.arange(200) % 2 == 0
    rows = np.stack([labels + rng.normal(0, 0.2, 200), rng.normal(size=200)], axis=1)
    pairs = [pair(at, same=bool(label)) for at, label in enumerate(labels)]

    chances = held_out(pairs, rows, labels)

    assert ((chances >= 0.5) == labels).mean() > 0.95


def test_draw():
    """So many pairs of each label at most."""
    pairs = [pair(at, same=at % 4 == 0) for at in range(40)]

    found = draw(pairs, np.random.default_rng(1), 7)

    assert sum(one.same for one in found) == sum(not one.same for one in found) == 7


def test_question_pairs():
    """Held-out questions alone, in one language and across, with names and without."""
    found = list(question_pairs(np.random.default_rng(3)))

    assert {(one.source, one.same) for one in found} == {
        (source, same) for source in ("questions", "named") for same in (True, False)
    }
    assert all(one.a != one.b for one in found)
    held = side_of(HELD_OUT["questions"])
    assert {held(one.group) for one in found} == {"validation"}
