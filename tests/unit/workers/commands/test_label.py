"""`turngate label`, as a person types it."""

import json
import stat

import pytest
from click.testing import CliRunner

from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)
from workers.cli import main

CALLS = [{"call_id": f"call-{number}"} for number in range(8)]
EVENTS = [make(**call) for call in CALLS for make in (make_decision, make_said, make_predicted)]
LABELS = [
    {"tenant_id": "t", "seq": 1, "prediction_id": "p1", "label": 1, "note": "secret"} | call
    for call in CALLS
]


@pytest.fixture
def files(tmp_path):
    """Write a log and labels."""
    log = write_lines(tmp_path / "log.jsonl", *EVENTS)
    return log, write_lines(tmp_path / "labels.jsonl", *LABELS, {"label": "secret"})


def run(*arguments):
    return CliRunner().invoke(main, ["label", "export", *map(str, arguments)])


def test_export(files, tmp_path):
    """
    Two files are written for their owner alone; what is said of them shows no text.
    """
    log, labels = files
    out = tmp_path / "new" / "out"

    result = run(log, "--labels", labels, "--out", out)

    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    written = {path.name: path.read_bytes().splitlines() for path in out.iterdir()}
    assert {name: len(rows) for name, rows in written.items()} == {
        "validation.jsonl": found["validation"]["rows"],
        "test.jsonl": found["test"]["rows"],
    }
    assert (found["rows"], found["left_out"]["bad_rows"]) == (8, 1)
    assert all(written.values())
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()} == {0o600}
    assert f"{labels}, line 9: " in result.stderr
    assert not any(text in result.output for text in ("secret", "ok sure", "yes please"))


def test_again(files, tmp_path):
    """
    A second export writes the same bytes over the first ones, whatever their mode was.
    """
    log, labels = files
    run(log, "--labels", labels, "--out", tmp_path)
    path = tmp_path / "test.jsonl"
    before = path.read_bytes()
    path.chmod(0o644)

    run(log, "--labels", labels, "--out", tmp_path)

    assert path.read_bytes() == before != b""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_row(files, tmp_path):
    """
    If no label gives a row the command fails, writes nothing, and still counts.
    """
    log = write_lines(tmp_path / "decisions.jsonl", make_decision())
    _, labels = files

    result = run(log, "--labels", labels, "--out", tmp_path / "out")

    assert result.exit_code == 1
    assert json.loads(result.stdout.splitlines()[-1])["left_out"]["unknown_decisions"] == 8
    assert not (tmp_path / "out").exists()


def test_inputs_are_not_overwritten(tmp_path):
    """
    A file that is read is never written over.
    """
    log = write_lines(tmp_path / "test.jsonl", *EVENTS)
    labels = write_lines(tmp_path / "labels.jsonl", *LABELS)
    before = log.read_bytes()

    result = run(log, "--labels", labels, "--out", tmp_path)

    assert (result.exit_code, log.read_bytes()) == (2, before)
    assert "would overwrite" in result.output
