"""Measuring routers on a set."""

import pytest

from models.evaluation.router.rows import Row
from models.evaluation.router.run import Plan, run, summary
from models.evaluation.router.sets import RoutingSet
from models.router import Gate
from tests.unit.models.router.factories import WIDTH, World


@pytest.fixture
def world():
    """Phrases and their encoder."""
    return World(spread=0.15)


def rows_of(lists, outside=()):
    """Rows of lists of phrases."""
    inside = [Row(text, name) for name, texts in lists.items() for text in texts]
    return inside + [Row(text, "oos") for text in outside]


@pytest.fixture
def rows(world):
    """A set with known test rows, some of an intent that no router will have."""
    test = {
        f"intent {axis}": world.phrases(f"test {axis}", axis, 10, 0.15, 300 + axis)
        for axis in range(4)
    }
    unknown = {"intent 9": world.phrases("unknown", 9, 5, 0.1, 400)}
    outside = world.phrases("test else", WIDTH - 1, 5, 0.2, 401)
    return RoutingSet(
        name="world",
        train=rows_of(world.intents),
        validation=rows_of(world.validation, world.out_of_scope),
        test=rows_of(test | unknown, outside),
    )


def plan(gate=Gate.DEFAULT, **changes):
    """How it is measured."""
    return Plan(**{"k": 5, "draws": 2, "gate": gate, "target": 0.95} | changes)


@pytest.mark.parametrize("gate", list(Gate))
def test_a_set_is_measured(world, rows, gate):
    """
    Each draw has its numbers, their means lead, and an intent without examples is out of scope.
    """
    drawn = list(run(rows, world.encoder, plan(gate)))

    found = summary(drawn)
    assert [one.seed for one in drawn] == [0, 1]
    assert all(len(one.times_s) == 50 for one in drawn)
    assert found["top1"] > 0.9
    assert found["answered"] > 0.8
    assert found["oos_answered"] < 0.4
    assert found["threshold"] == pytest.approx(
        sum(one.compiled.router.threshold for one in drawn) / 2
    )
    assert found["abstained"] == []
    assert len(found["by_draw"]) == 2


def test_what_the_guard_against_denials_takes_out(world, rows):
    """
    Its share of the answers, and how many of them were wrong; the other numbers are without it.
    """
    world.vectors |= {
        f"i do not want {row.text}": world.vectors[row.text] for row in rows.test[:10]
    }
    denied = [Row(f"i do not want {row.text}", "oos") for row in rows.test[:10]]
    test = RoutingSet(
        name="denied", train=rows.train, validation=rows.validation, test=[*rows.test[:40], *denied]
    )

    found = summary(list(run(test, world.encoder, plan(out_of_scope_share=0.2))))

    assert found["denial_withheld"] > 0.15
    assert found["denial_withheld_wrong"] == 1.0
    plain = summary(list(run(rows, world.encoder, plan())))
    assert plain["denial_withheld"] == 0.0
    assert plain["denial_withheld_wrong"] is None


def test_out_of_scope_has_the_share_of_the_test_rows(world, rows):
    """
    Where nothing else is said the default gate takes the share that the test rows have, and the
    baseline counts phrases as they are.
    """
    said = next(run(rows, world.encoder, plan(out_of_scope_share=0.2))).compiled
    own = next(run(rows, world.encoder, plan())).compiled
    baseline = next(run(rows, world.encoder, plan(Gate.MARGIN))).compiled

    assert said.router.digest == own.router.digest  # 10 of 50 test rows
    accepted = baseline.curve.accepted[-1]
    assert baseline.curve.accuracy[-1] == pytest.approx(
        baseline.fitted.judged.right.sum() / accepted
    )


def test_a_router_that_abstains(world, rows):
    """
    Draws that abstain are counted by their reason, and their numbers have no threshold.
    """
    few = RoutingSet(name="few", train=rows.train[:4], validation=(), test=rows.test)

    found = summary(list(run(few, world.encoder, plan(k=1))))

    assert found["abstained"] == ["too_few_phrases"] * 2
    assert found["threshold"] is None
    assert found["answered"] == 0.0
    assert found["validation"]["answered"] is None
