"""`turngate calibrate`, as a person types it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from models.bundle import load_bundle
from models.judge import Judge
from workers.cli import main

TINY = Path(__file__).parents[2] / "models" / "fixtures" / "judge"


@pytest.fixture
def bundle(tmp_path):
    """A bundle that may be written to."""
    folder = tmp_path / "judge"
    shutil.copytree(TINY, folder)
    return folder


@pytest.fixture
def pairs(tmp_path):
    """Pairs whose negatives have logits of -1 and, four of 800, 1."""
    same = {"utterance": "yes sure", "prediction": "yes okay", "label": 1, "language": "en"}
    other = {"utterance": "sure yes", "prediction": "no", "label": 0, "language": "en"}
    hard = {"utterance": "maybe sure", "prediction": "maybe okay", "label": 0, "language": "en"}
    path = tmp_path / "validation.jsonl"
    rows = [same] * 50 + [other] * 796 + [hard] * 4
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return path


def run(bundle, pairs, *options):
    return CliRunner().invoke(main, ["calibrate", str(bundle), "--pairs", str(pairs), *options])


def test_writes_nothing(bundle, pairs):
    """
    The threshold is printed, overall and by language, and the bundle stays as it was.
    """
    before = load_bundle(bundle)

    result = run(bundle, pairs, "--max-false-accept", "0.005")

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    assert found["threshold"] == pytest.approx(1.0, abs=0.01)
    assert (found["recall"], found["false_accept_rate"], found["written"]) == (1.0, 0.0, False)
    assert found["by_language"]["en"]["own_recall"] == 1.0
    assert found["without_guards"]["threshold"] == found["threshold"]
    assert load_bundle(bundle) == before


def test_writes(bundle, pairs):
    """
    With --write the bundle carries the threshold and still verifies.
    """
    result = run(bundle, pairs, "--max-false-accept", "0.005", "--write")

    assert result.exit_code == 0, result.output
    found = json.loads(result.output.splitlines()[-1])
    judge = Judge.load(bundle)
    judge.prove()
    assert (judge.threshold, judge.fingerprint) == (found["threshold"], found["fingerprint"])
    assert found["written"] is True


def test_several_files_must_each_hold(bundle, pairs, tmp_path):
    """
    Four wrong hits of 800 pass beside ten times as many easy pairs, but not in their own file.
    """
    easy = tmp_path / "easy.jsonl"
    easy.write_text((pairs.read_text("utf-8").rsplit("\n", 4)[0] + "\n") * 10, "utf-8")
    both = tmp_path / "both.jsonl"
    both.write_text(easy.read_text("utf-8") + pairs.read_text("utf-8"), "utf-8")

    together = run(bundle, both, "--max-false-accept", "0.005")
    apart = run(bundle, easy, "--pairs", str(pairs), "--max-false-accept", "0.005")

    found = [json.loads(result.output.splitlines()[-1]) for result in (together, apart)]
    assert found[0]["threshold"] < 0
    assert found[1]["threshold"] == pytest.approx(1.0, abs=0.01)


def test_too_few(bundle, pairs):
    """
    A ceiling that the pairs cannot prove is an error in one sentence.
    """
    result = run(bundle, pairs, "--max-false-accept", "0.001")

    assert result.exit_code == 1
    assert result.output == "Error: too few negatives to prove the ceiling\n"
