"""The sizing table: made of one row, and put where the deployment's README has a place for it."""

import pytest

from tests.benchmarks.sizing import BEGIN, END, README, SizingError, latest_scale, placed, table

ROW = {
    "benchmark": "scale",
    "commit": "abc",
    "cpu": "a processor",
    "cores": 4,
    "load_1min": 0.5,
    "turns_a_second": {"1": 20.0, "2": 38.5},
    "predictions_a_turn": 6,
    "prediction_bytes_a_turn": 12_000,
    "decision_bytes_a_turn": 1_000,
    "partitions": 8,
}


def test_the_table_follows_from_the_row():
    """Workers at half their speed, a partition each, and what predictions and decisions take."""
    lines = table(ROW).splitlines()

    # 1,000 calls: 67 turns a second by 10 each; 40 turns of 12,000 bytes and 240 of 1,000 a call.
    assert "| 1,000 | 67 | 7 | 8 | 687 |" in lines
    assert "| 100 | 7 | 2 | 8 | 69 |" in lines
    assert "| 3,000 | 200 | 20 | 20 | 2,060 |" in lines
    assert "20 turns a second" in lines[-1]
    assert "two decide 38.5" in lines[-1]


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
