"""`turngate compare`, as a person types it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.pipeline.pack import amend
from tests.unit.models.evaluation.factories import (
    make_decision,
    make_predicted,
    make_said,
    write_lines,
)
from workers.cli import main

#: Sums the weights of words: yes 2, no -3, maybe 0.5, and serves from 1.5.
TINY = Path(__file__).parents[3] / "unit" / "models" / "fixtures" / "judge"
ROWS = [
    {"agent": "?", "utterance": "yes", "predictions": [{"text": "sure maybe", "label": 0}]},
    {"agent": "?", "utterance": "yes yes", "predictions": [{"text": "yes", "label": 1}]},
]


@pytest.fixture
def strict(tmp_path):
    """The same judge with a threshold that only surer pairs reach."""
    folder = tmp_path / "strict"
    shutil.copytree(TINY, folder)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    serve = manifest["thresholds"]["serve"] | {"value": 3.0}
    amend(folder, thresholds={"serve": serve})
    return folder


def run(*arguments):
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_rows(tmp_path, strict):
    """
    The turn that one judge serves is shown with both logits, and no text is.
    """
    path = write_lines(tmp_path / "rows.jsonl", *ROWS)

    result = run(TINY, strict, "--turns", path)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert (found["turns"], found["agree"], found["ends"]["only_a"]["turns"]) == (2, 1, 1)
    assert (found["ends"]["only_a"]["a_wrong"], found["ends"]["both_same"]["b_right"]) == (1, 1)
    assert (found["a"]["threshold"], found["b"]["threshold"]) == (1.5, 3.0)
    assert found["a"]["judge"] != found["b"]["judge"]
    assert "1  only a  prediction 1: A +2.500, B +2.500, label 0" in result.output
    assert "sure maybe" not in result.output


def test_logged_events(tmp_path, strict):
    """
    Logged events are decided too, and labelled by a file of labels.
    """
    predicted = make_predicted("sure maybe")
    log = write_lines(tmp_path / "log.jsonl", make_decision(), make_said("yes"), predicted)
    label = {"tenant_id": "t", "call_id": "c", "seq": 1, "prediction_id": "p1", "label": 1}
    labels = write_lines(tmp_path / "labels.jsonl", label)

    result = run(strict, TINY, "--turns", log, "--labels", labels)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    (one,) = found["differences"]
    assert (one["id"], one["end"]) == (make_decision().decision_id, "only_b")
    assert found["b"]["served_right"] == found["traffic"]["labelled_predictions"] == 1


def test_bad_line(tmp_path):
    """
    A bad line ends the command with one sentence that does not show it.
    """
    log = write_lines(tmp_path / "log.jsonl", make_said(), b"{secret")

    result = run(TINY, TINY, "--turns", log)

    assert result.exit_code == 1
    assert result.output == "Error: log.jsonl, line 2: not valid JSON in UTF-8\n"
