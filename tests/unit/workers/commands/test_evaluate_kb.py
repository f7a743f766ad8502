"""`turngate eval kb`, on a tiny judge."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.evaluation.kb.cases import cases
from workers.cli import main
from workers.commands import evaluate_kb

TINY = Path(__file__).parents[2] / "models" / "fixtures" / "answer"
ENTRIES = [
    {"id": "a", "tenant": "t", "title": "price", "content": "gold price: other"},
    {"id": "b", "tenant": "t", "title": "hours", "content": "the whole of it"},
    {"id": "c", "tenant": "u", "title": "more", "content": "the whole secret"},
]
QUESTIONS = [
    {"id": "1", "tenant": "t", "question": "gold price", "gold": ["b"], "channel": "app"},
    {"id": "2", "tenant": "u", "question": "gold price", "gold": [], "channel": "web"},
]
OWN = {
    "id": "3", "question": "gold", "gold": ["y"], "channel": "app",
    "candidates": [{"id": "x", "content": "near"}, {"id": "y", "content": "whole"}],
}  # fmt: skip


@pytest.fixture
def files(tmp_path):
    """Write entries and questions; return the options that name them."""

    def write(questions=QUESTIONS, entries=ENTRIES):
        options = []
        for name, rows in (("questions", questions), ("entries", entries)):
            if rows is not None:
                path = tmp_path / f"{name}.jsonl"
                path.write_text("\n".join(map(json.dumps, rows)))
                options += [f"--{name}", str(path)]
        return options

    return write


def run(*arguments):
    return CliRunner().invoke(main, ["eval", "kb", *arguments])


def found(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.output.splitlines()[-1])


@pytest.mark.timeout(120)
class TestEval:
    def test_judged(self, files):
        """
        The bundle's order and answers are measured beside search.
        """
        result = found(run(*files(), "--bundle", str(TINY), "--by", "channel"))

        assert (result["n"], result["with_gold"], result["recall8_search"]) == (2, 1, 1.0)
        assert (result["top1_search"], result["top1_judged"], result["improved"]) == (0.0, 1.0, 1)
        assert result["caught_at_50"] == 0.0  # the other tenant's entry says "whole"
        assert result["statuses"] == {"applied": 2}
        assert result["judge"].startswith("onnx:")
        assert result["by_channel"].keys() == {"app", "web"}

    def test_the_nearer_of_two_answers_comes_first(self, files, monkeypatch):
        """
        Entries that answer are ordered as the worker orders them, with a say of their cosines.
        """
        entries = [{**ENTRIES[0], "content": "gold price: the whole of it"}, ENTRIES[1]]
        options = [*files(questions=QUESTIONS[:1], entries=entries), "--bundle", str(TINY)]

        searched = found(run(*options, "--judge", "off"))["top1_judged"]
        monkeypatch.setattr(
            evaluate_kb,
            "cases",
            lambda *args, **named: [
                replace(one, cosines=(0.1, 0.9)) for one in cases(*args, **named)
            ],
        )

        assert (searched, found(run(*options))["top1_judged"]) == (0.0, 1.0)

    def test_off(self, files):
        """
        Without a judge all is as search has it, and no bundle is needed.
        """
        result = found(run(*files(), "--judge", "off"))

        assert result["top1_judged"] == result["top1_search"] == 0.0
        assert result["auroc_judged"] == result["auroc_search"]
        assert (result["judge"], result["statuses"]) == (None, {"disabled": 2})

    def test_own_candidates_alone(self, files, tmp_path):
        """
        Questions with candidates of their own need no entries; the report shows their texts.
        """
        report = tmp_path / "report.html"
        options = files(questions=[OWN], entries=None)

        result = run(*options, "--bundle", str(TINY), "--report", str(report))

        assert (found(result)["top1_search"], found(result)["top1_judged"]) == (0.0, 1.0)
        assert "near" not in result.output
        assert "<table>" in report.read_text("utf-8")

    def test_an_endpoint_that_is_not_there(self, files):
        """
        An endpoint is asked once a question, and what it fails is an error in the statuses.
        """
        result = found(run(*files(), "--judge", "http://127.0.0.1:1", "--budget-ms", "2000"))

        assert result["statuses"] == {"error": 2}
        assert (result["top1_judged"], result["judged"]) == (0.0, 0)
        assert result["judge"] == "system_one:clef-flash"

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            pytest.param(["--bundle", "."], "manifest.json", id="no bundle there"),
            pytest.param(["--judge", "off", "--by", "colour"], "colour", id="unknown column"),
            pytest.param(["--judge", "elsewhere"], "SYSTEM_ONE_URL", id="no judge"),
            pytest.param(["--report", "/nowhere/r.html"], "folder", id="nowhere to write"),
        ],
    )
    def test_a_clear_error(self, files, options, said):
        """
        What cannot be done is said in a sentence.
        """
        result = run(*files(), *options)

        assert result.exit_code != 0
        assert said in result.output
        assert "Traceback" not in result.output

    def test_without_a_bundle(self, files, monkeypatch, tmp_path):
        """
        Where there is no answer judge, that is said, with what can be done.
        """
        monkeypatch.setenv("TURNGATE_ANSWER", str(tmp_path / "nothing"))

        result = run(*files())

        assert result.exit_code == 2
        assert "no answer judge" in result.output
        assert found(run(*files(), "--judge", "off"))["n"] == 2

    def test_a_bad_row(self, files):
        """
        A bad row is named by line, and its text is not shown.
        """
        result = run(*files(questions=[{"id": "1", "question": "secret"}]), "--judge", "off")

        assert result.exit_code == 1
        assert "questions.jsonl, line 1" in result.output
        assert "secret" not in result.output
