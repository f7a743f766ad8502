"""Rows of benchmarks: one frame, written and read back, the latest against the one before."""

import json

import pytest

from tests.benchmarks import machine
from tests.benchmarks.history import FRAME, SPREAD, HistoryError, before, latest, main, read


def run(monkeypatch, path, benchmark: str, *medians: float) -> None:
    """Report a benchmark into a history, once for each median."""
    monkeypatch.setenv(machine.HISTORY, str(path))
    for median in medians:
        machine.report(benchmark, "ms", times=[median] * 3, note="हाँ")


def test_what_is_reported_is_read_back(monkeypatch, tmp_path, capsys):
    """A row has the whole frame; it is printed once on a line of its own, and kept as it is."""
    path = tmp_path / "folder" / "bench.jsonl"
    run(monkeypatch, path, "one", 1.5)
    (row,) = read(path)

    assert set(FRAME) | set(SPREAD) | {"n", "note"} == row.keys()
    assert (row["n"], row["p50"], row["p99"], row["note"]) == (3, 1.5, 1.5, "हाँ")
    (printed,) = [line for line in capsys.readouterr().out.splitlines() if line]
    assert json.loads(printed) == row


def test_without_a_history_a_row_is_only_printed(monkeypatch, tmp_path, capsys):
    """A benchmark that is run by hand leaves no file; one without times has no distribution."""
    monkeypatch.delenv(machine.HISTORY, raising=False)
    monkeypatch.chdir(tmp_path)
    machine.report("one", "MiB", resident=4)

    assert list(tmp_path.iterdir()) == []
    assert not set(SPREAD) & json.loads(capsys.readouterr().out).keys()


@pytest.mark.parametrize("name", ["cpu", "p50"])
def test_no_field_has_two_meanings(name):
    """What a benchmark found does not hide what every row says."""
    with pytest.raises(ValueError, match=name):
        machine.report("one", "ms", times=[1.0], **{name: 3})


def test_percentiles_are_of_the_values_themselves():
    """A distribution is of measured values, not of means between them."""
    values = [float(value) for value in range(100, 0, -1)]

    assert machine.percentiles(values) == {"p50": 51.0, "p95": 96.0, "p99": 100.0}


def test_only_alike_rows_are_compared(monkeypatch, tmp_path):
    """A row is held against the last one of its name, on the same machine."""
    path = tmp_path / "bench.jsonl"
    run(monkeypatch, path, "one", 2.0)
    run(monkeypatch, path, "other", 7.0)
    run(monkeypatch, path, "one", 4.0, 3.0)
    rows = read(path)
    elsewhere = rows[-1] | {"cpu": "another"}

    assert [(row["benchmark"], row["p50"]) for row in latest(rows)] == [
        ("one", 3.0),
        ("other", 7.0),
    ]
    assert before(rows, rows[-1]) == rows[-2]
    assert before(rows, rows[1]) is None
    assert before([*rows, elsewhere], elsewhere) is None


def test_it_is_shown(monkeypatch, tmp_path, capsys):
    """The latest row of each benchmark, or all of one, each with its change."""
    path = tmp_path / "bench.jsonl"
    run(monkeypatch, path, "one", 2.0, 3.0)
    run(monkeypatch, path, "other", 7.0)
    capsys.readouterr()

    assert main([str(path)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in shown] == ["benchmark", "one", "other"]
    assert shown[1].endswith("+50%")
    assert main([str(path), "one"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize("line", ["{", "[1]", '{"benchmark": "one"}'], ids=["cut", "list", "bare"])
def test_a_line_that_is_no_row_is_named(tmp_path, line):
    """A history that was damaged says where."""
    path = tmp_path / "bench.jsonl"
    path.write_text(line + "\n", "utf-8")

    with pytest.raises(HistoryError, match="line 1"):
        read(path)
