"""The JSON on the demo's last line."""

from dataclasses import replace

import orjson
import pytest

from tests.unit.workers.demo.factories import make_answers, make_sent
from tests.unit.workers.demo.knowledge.factories import make_asked, make_heard, make_knowledge
from workers.demo.gaps.score import summarise_gaps
from workers.demo.knowledge.score import summarise_knowledge
from workers.demo.outcome import Outcome
from workers.demo.score import summarise


@pytest.fixture
def outcome():
    """Give an outcome without routes in which nothing was played, and all is well."""
    return Outcome(
        turns=summarise([], make_sent([]), make_answers()),
        routes=None,
        knowledge=summarise_knowledge(make_knowledge(), make_asked(), make_heard()),
        gaps=summarise_gaps([], make_heard()),
    )


def test_json(outcome):
    """
    Turns are at the top, the other parts beside them, and one that was not played is null.
    """
    found = orjson.loads(outcome.as_json())

    assert found["ok"]
    assert found["events"]["turns"] == found["knowledge"]["questions"] == 0
    assert found["gaps"]["gaps"] == []
    assert found["routes"] is None


def test_one_part_fails_all(outcome):
    """
    The demo is only well if each of its parts is.
    """
    broken = replace(outcome, gaps=replace(outcome.gaps, ok=False))

    assert outcome.ok
    assert not broken.ok
    assert not orjson.loads(broken.as_json())["ok"]
