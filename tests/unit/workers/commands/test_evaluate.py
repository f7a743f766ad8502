"""`turngate eval`, as a person types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from workers.cli import main

TINY = Path(__file__).parents[3] / "unit" / "models" / "fixtures" / "judge"
MEASURES = {
    "n",
    "positives",
    "auc",
    "recall",
    "false_accept_rate",
    "false_accept_upper95",
    "recall_at_far_1pct",
}


@pytest.fixture
def write(tmp_path):
    """Write rows to a file and give its path."""

    def write_file(*rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        return str(path)

    return write_file


def run(*arguments):
    return CliRunner().invoke(main, ["eval", *arguments])


class TestMatch:
    def test_last_line(self, write):
        """
        The last line is JSON with every measure, overall and in part, and shows no text.
        """
        path = write(
            {"utterance": "yes yes", "prediction": "yes", "label": 1, "class": "polarity"},
            {"utterance": "yes", "prediction": "maybe", "label": 0, "id": "p2", "language": "en"},
        )

        result = run("match", path, "--bundle", str(TINY))

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert found.keys() >= MEASURES | {"judge_only", "batch20_ms", "wrong_hits", "threshold"}
        assert found["by_class"]["polarity"].keys() >= MEASURES
        assert found["by_file"]["rows.jsonl"].keys() >= MEASURES
        assert found["judge_only"].keys() >= MEASURES
        assert (found["recall"], found["wrong_hits"]) == (1.0, ["p2"])
        assert found["batch20_ms"]["1"].keys() == found["batch20_ms"]["2"].keys() == {"p50", "p95"}
        assert "maybe" not in result.output

    def test_report(self, write, tmp_path):
        """
        The report is written where it was asked for.
        """
        path = write({"utterance": "yes", "prediction": "maybe", "label": 0})
        report = tmp_path / "report.html"

        result = run("match", path, "--bundle", str(TINY), "--report", str(report))

        assert result.exit_code == 0, result.output
        assert "maybe" in report.read_text("utf-8")

    def test_nowhere_to_write(self, write, tmp_path):
        """
        A report without a folder is refused before anything is measured.
        """
        path = write({"utterance": "yes", "prediction": "maybe", "label": 0})

        result = run("match", path, "--report", str(tmp_path / "no" / "report.html"))

        assert result.exit_code == 2
        assert "folder does not exist" in result.output

    def test_bad_row(self, write):
        """
        A bad row ends the command with one sentence.
        """
        path = write({"utterance": "yes", "prediction": "no"})

        result = run("match", path, "--bundle", str(TINY))

        assert result.exit_code == 1
        assert result.output == "Error: rows.jsonl, line 1: field 'label' is neither 0 nor 1\n"

    def test_no_file(self):
        """
        Without a file there is nothing to measure.
        """
        assert run("match").exit_code == 2


class TestTurns:
    def test_last_line(self, write):
        """
        The last line is JSON with the counts of turns.
        """
        path = write(
            {"agent": "?", "utterance": "yes", "predictions": [{"text": "yes", "label": 1}]},
            {"agent": "?", "utterance": "yes", "predictions": [{"text": "maybe", "label": 0}]},
        )

        result = run("turns", path, "--bundle", str(TINY))

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert (found["turns"], found["served_right"], found["wrong_serves"]) == (2, 1, [2])
        assert (found["precision"], found["conversion"]) == (0.5, 1.0)
