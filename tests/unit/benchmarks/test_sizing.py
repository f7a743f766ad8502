"""The sizing table: made of one row, and put where the deployment's README has a place for it."""

import math
import re

import pytest

from tests.benchmarks.sizing import (
    BEGIN,
    END,
    README,
    SizingError,
    latest_scale,
    pace_in_budget,
    placed,
    planned_pace,
    table,
)
from tests.deployed import ROOT

COMPOSE = ROOT / "docker-compose.yml"

ROW = {
    "benchmark": "scale",
    "commit": "abc",
    "cpu": "a processor",
    "cores": 4,
    "load_1min": 0.5,
    "turns_a_second": {"1": 50.0, "2": 62.5},
    "predictions_a_turn": 6,
    "prediction_bytes_a_turn": 12_000,
    "decision_bytes_a_turn": 1_000,
    "partitions": 8,
}


def test_the_table_follows_from_what_kept_the_budget():
    """Workers at the pace that was measured, a partition each, cores of their own, and Redis."""
    row = ROW | {"turns_a_second_in_budget": 20}
    lines = table(row).splitlines()

    # 1,000 calls: 67 turns a second by 20 each; 40 turns of 12,000 bytes and 240 of 1,000 a call.
    assert "| 1,000 | 67 | 4 | 8 | 8 | 859 |" in lines
    assert "| 100 | 7 | 2 | 4 | 8 | 86 |" in lines
    assert "| 3,000 | 200 | 10 | 20 | 10 | 2,575 |" in lines
    assert "worker decides 50 a second" in lines[-3]
    assert "same cores 62.5" in lines[-3]
    assert "given 20.0 a second, 40% of them (measured" in lines[-1]


def test_without_such_a_measurement_a_queue_is_reckoned():
    """Of 50 a second, so many that 19 of 20 are through within 80 ms; and it says so."""
    pace = planned_pace(ROW)
    lines = table(ROW).splitlines()

    # The share of an M/M/1 queue that is in it for longer.
    assert math.exp(-(50 - pace) * 0.080) == pytest.approx(0.05)
    assert "| 1,000 | 67 | 6 | 12 | 8 | 859 |" in lines
    assert "not measured" in lines[-1]


@pytest.mark.parametrize(
    ("shares", "pace"),
    [
        pytest.param({5: 1.0, 10: 0.95, 20: 0.9}, 10, id="until it no longer holds"),
        pytest.param({20: 1.0, 10: 0.5, 5: 1.0}, 5, id="a lucky pace after an unlucky one"),
        pytest.param({5: 0.94, 10: 1.0}, 0, id="none"),
        pytest.param({5: 1.0}, 5, id="all"),
    ],
)
def test_the_pace_within_the_budget(shares, pace):
    """A pace counts where it and all before it kept the budget."""
    assert pace_in_budget(shares) == pace


@pytest.mark.parametrize(
    "row",
    [
        pytest.param({"turns_a_second": {"1": 20.0, "2": 30.0}}, id="too slow"),
        pytest.param({"turns_a_second_in_budget": 0}, id="none was in time"),
    ],
)
def test_a_worker_that_keeps_no_budget_makes_no_table(row):
    """No number of those would do."""
    with pytest.raises(SizingError):
        table(ROW | row)


def test_compose_agrees_with_the_table():
    """Its cache and its workers are enough for the calls that the file says they are for."""
    text = COMPOSE.read_text("utf-8")
    (calls,) = re.findall(r"enough for ([0-9,]+) calls at once", text)
    (limit,) = re.findall(r"--maxmemory, ([0-9]+)mb", text)
    (replicas,) = re.findall(r"replicas: ([0-9]+)", text)
    (line,) = re.findall(rf"^\| {calls} \|.*$", README.read_text("utf-8"), re.MULTILINE)
    _, _, workers, _, _, memory = (
        int(cell.replace(",", "")) for cell in line.strip("|").split("|")
    )

    assert int(limit) >= memory
    assert int(replicas) >= workers


def test_the_latest_row_counts():
    """Rows of other benchmarks are passed over; without one there is no table."""
    rows = [ROW | {"commit": "old"}, ROW, {"benchmark": "other"}]

    assert latest_scale(rows) == ROW
    with pytest.raises(SizingError):
        latest_scale(rows[2:])


def test_the_readme_has_its_place():
    """What was there before goes; all around it stays."""
    text = README.read_text("utf-8")
    once = placed(text, "| a |")

    assert placed(once, "| a |") == once
    assert placed(once, "| b |").replace("| b |", "| a |") == once
    assert once.partition(BEGIN)[0] == text.partition(BEGIN)[0]
    assert once.partition(END)[2] == text.partition(END)[2]
    with pytest.raises(SizingError):
        placed("no place", "| a |")
