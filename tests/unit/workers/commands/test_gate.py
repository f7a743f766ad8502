"""`turngate gate`, as a person types it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.bundle import load_bundle
from workers.cli import main
from workers.gate_record import read_record

TINY = Path(__file__).parents[2] / "models" / "fixtures" / "judge"
GOOD = {"id": "g1", "utterance": "yes", "prediction": "no", "label": 0}
BAD = {"id": "b1", "utterance": "yes", "prediction": "maybe", "label": 0, "language": "en"}


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
    assert passed.fingerprint == load_bundle(bundle).manifest.fingerprint
    assert [entry.name for entry in path.parent.iterdir()] == ["gate.json"]
