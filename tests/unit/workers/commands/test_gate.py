"""`turngate gate`, as a person types it."""

import errno
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.bundle import load_bundle
from workers.cli import main
from workers.gate_record import read_record

FIXTURES = Path(__file__).parents[2] / "models" / "fixtures"
TINY = FIXTURES / "judge"
GOOD = {"id": "g1", "utterance": "yes", "prediction": "no", "label": 0}
BAD = {"id": "b1", "utterance": "yes", "prediction": "maybe", "label": 0, "language": "en"}
#: The tiny answer judge goes by words: near is no answer, whole is one.
NEAR = {"id": "n1", "question": "when", "title": "hours", "content": "only near", "answers": False}
WHOLE = {"id": "w1", "question": "when", "title": "hours", "content": "the whole", "answers": True}
WRONG = WHOLE | {"id": "x1", "answers": False, "language": "en", "class": "entity"}


@pytest.fixture
def bundle(tmp_path):
    """A bundle that may be written to."""
    folder = tmp_path / "judge"
    shutil.copytree(TINY, folder)
    return folder


@pytest.fixture
def run(tmp_path, bundle):
    """Run the gate on a suite of the given rows."""

    def run_rows(*rows, options=()):
        path = tmp_path / "suite.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        return CliRunner().invoke(main, ["gate", str(bundle), "--suite", str(path), *options])

    return run_rows


def test_passes(run):
    """
    A bundle that passes ends with 0, and its last line says what it was held against.
    """
    result = run(GOOD)

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert found["gate"]["passed"] is True
    assert found["gate"]["suites"].keys() == {"suite.jsonl"}
    assert found.keys() >= {"n", "recall", "wrong_hits", "cpu_features", "threshold", "fingerprint"}
    assert "cpu features" in result.output


def test_fails(run, bundle):
    """
    A wrong hit ends with 1, shows the pair, and writes nothing.
    """
    before = load_bundle(bundle)

    result = run(GOOD, BAD, options=["--write"])

    assert result.exit_code == 1
    assert "b1 (en)" in result.output
    assert "said       yes\n  predicted  maybe\n" in result.output
    found = json.loads(result.output.splitlines()[-1])
    assert (found["wrong_hits"], found["written"]) == (["b1"], False)
    assert load_bundle(bundle) == before


def test_writes(run, bundle):
    """
    A passed result is written into the manifest on request, and not without.
    """
    run(GOOD)
    assert load_bundle(bundle).manifest.gate is None

    result = run(GOOD, options=["--write"])

    manifest = load_bundle(bundle).manifest
    assert manifest.gate is not None
    assert manifest.gate.cases == 1
    assert json.loads(result.output.splitlines()[-1])["fingerprint"] == manifest.fingerprint


def test_no_judge(run, bundle):
    """
    A bundle that does not verify fails in one sentence.
    """
    with (bundle / "model.onnx").open("ab") as file:
        file.write(b"\0")

    result = run(GOOD)

    assert result.exit_code == 1
    assert result.output == "Error: model.onnx: its SHA-256 is not the manifest's\n"


def test_records_what_a_worker_shows(run, bundle, tmp_path):
    """
    A failed result is recorded as well as a passed one, for the very bytes that were judged.
    """
    path = tmp_path / "run" / "gate.json"

    run(GOOD, BAD, options=["--record", str(path)])
    failed = read_record(path)
    run(GOOD, options=["--record", str(path)])
    passed = read_record(path)

    assert failed is not None
    assert passed is not None
    assert (failed.passed, failed.wrong_hits) == (False, 1)
    assert (passed.passed, passed.wrong_hits) == (True, 0)
    manifest = load_bundle(bundle).manifest
    assert (passed.fingerprint, passed.seal) == (manifest.fingerprint, manifest.seal)
    assert [entry.name for entry in path.parent.iterdir()] == ["gate.json"]


class TestAnswerJudge:
    @pytest.fixture
    def bundle(self, tmp_path):
        """An answer judge's bundle that may be written to."""
        return Path(shutil.copytree(FIXTURES / "answer", tmp_path / "answer"))

    def test_passes(self, run):
        """
        A bundle of an answer judge is told by its manifest and held against questions with entries.
        """
        result = run(NEAR, WHOLE)

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert (found["kind"], found["gate"]["passed"], found["gate"]["cases"]) == (
            "answer", True, 2
        )  # fmt: skip
        assert (found["n"], found["positives"], found["recall"]) == (2, 1, 1.0)
        assert found["threshold"] == 0.5
        assert found.keys() >= {"by_language", "by_class", "wrong_hits", "cpu_features", "written"}
        assert "judge_only" not in found

    def test_fails(self, run, bundle):
        """
        An entry that is taken for an answer ends with 1, is shown, and writes nothing.
        """
        before = load_bundle(bundle)

        result = run(NEAR, WRONG, options=["--write"])

        assert result.exit_code == 1
        assert "wrong hit x1 (en, entity): probability 0." in result.output
        assert "  asked    when\n  title    hours\n  content  the whole\n" in result.output
        found = json.loads(result.output.splitlines()[-1])
        assert (found["wrong_hits"], found["written"]) == (["x1"], False)
        assert load_bundle(bundle) == before

    def test_writes(self, run, bundle):
        """
        A passed result is written into the manifest, and the bundle is named as it is then.
        """
        result = run(NEAR, options=["--write"])

        manifest = load_bundle(bundle).manifest
        assert manifest.gate is not None
        assert manifest.gate.cases == 1
        found = json.loads(result.output.splitlines()[-1])
        assert (found["written"], found["fingerprint"]) == (True, manifest.fingerprint)

    @pytest.mark.parametrize(
        "options", [["--judge-only"], ["--script-guard"], ["--record", "gate.json"]], ids=str
    )
    def test_what_only_a_match_judge_has(self, run, options, tmp_path, monkeypatch):
        """
        An option that means nothing for an answer judge is a mistake of use, and nothing runs.
        """
        monkeypatch.chdir(tmp_path)

        result = run(NEAR, options=options)

        assert result.exit_code == 2
        assert f"{options[0]} is for match judges" in result.output
        assert not (tmp_path / "gate.json").exists()

    def test_rows_of_the_other_gate(self, run):
        """
        Pairs are no rows for an answer judge; the error names the line.
        """
        result = run(NEAR, GOOD)

        assert result.exit_code == 1
        assert result.output.startswith("Error: suite.jsonl, line 2: ")

    def test_a_bundle_that_does_not_prove_itself(self, run, bundle):
        """
        An answer judge that was changed is refused in one sentence.
        """
        with (bundle / "model.onnx").open("ab") as file:
            file.write(b"\0")

        result = run(NEAR)

        assert result.exit_code == 1
        assert result.output == "Error: model.onnx: its SHA-256 is not the manifest's\n"

    def test_the_shipped_suite_is_the_default(self, bundle):
        """
        Without a suite each kind has its own.
        """
        result = CliRunner().invoke(main, ["gate", str(bundle)])

        found = json.loads(result.output.splitlines()[-1])
        assert found["gate"]["suites"].keys() == {"answer_gate.jsonl"}


@pytest.mark.parametrize("kind", ["encoder", "same", "reasons"])
def test_another_kind(run, bundle, kind):
    """
    A bundle that is no judge is a mistake of use that tells its kind.
    """
    manifest = bundle / "manifest.json"
    manifest.write_text(json.dumps({"kind": kind, "schema": 1}), "utf-8")

    result = run(GOOD)

    assert result.exit_code == 2
    assert f"is a bundle of kind {kind}" in result.output


def test_no_manifest(run, bundle):
    """
    A folder without a manifest, or with one that says no kind, is no bundle.
    """
    (bundle / "manifest.json").write_text("{}", "utf-8")
    empty = run(GOOD)
    (bundle / "manifest.json").unlink()
    absent = run(GOOD)

    assert (empty.exit_code, absent.exit_code) == (1, 1)
    assert empty.output.startswith("Error: manifest.json")
    assert absent.output.startswith("Error: manifest.json")


def test_a_bundle_that_cannot_be_written_is_a_sentence(run, monkeypatch):
    """
    A read-only bundle costs no traceback.
    """

    def amend(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("workers.commands.gate.amend", amend)

    result = run(GOOD, options=["--write"])

    assert result.exit_code == 1
    assert "--write: cannot write" in result.stderr
