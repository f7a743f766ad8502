"""The adversarial gate."""

import hashlib
import json

import msgspec
import pytest

from models.evaluation.gate import SuiteError
from models.evaluation.suite import run_gate
from models.manifest import Gate
from tests.fakes.models import FakeJudge


@pytest.fixture
def suite(tmp_path):
    """Write a suite and give its path."""

    def write(*rows):
        path = tmp_path / "suite.jsonl"
        names = ("utterance", "prediction", "label", "id")
        path.write_text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows))
        return path

    return write


POLARITY = ("ok sure", "no way", 0, "polarity-1")
VALUE = ("call at 5 pm", "call at 6 pm", 0, "value-1")
SAME = ("ok sure", "yes please", 1, "same-1")


class TestRunGate:
    def test_passes(self, suite):
        """
        A judge that keeps apart what it must passes, whatever it misses.
        """
        result = run_gate(FakeJudge(), [suite(POLARITY, SAME)])

        assert result.passed
        assert result.measures["recall"] == 0.0

    def test_one_wrong_hit_fails(self, suite):
        """
        One pair that is served and must not be fails the bundle, and is shown.
        """
        judge = FakeJudge({("ok sure", "no way"): 4.0, ("no way", "ok sure"): 3.0})

        result = run_gate(judge, [suite(POLARITY, SAME)])

        assert not result.passed
        (hit,) = result.wrong_hits
        assert (hit.name, hit.utterance, hit.prediction) == ("polarity-1", "ok sure", "no way")
        assert (hit.logit, hit.reversed_logit) == (4.0, 3.0)

    @pytest.mark.parametrize(
        ("row", "logits"),
        [(VALUE, {VALUE[:2]: 9.0}), (POLARITY, {POLARITY[:2]: 9.0, POLARITY[1::-1]: -9.0})],
        ids=["value guard", "second opinion"],
    )
    def test_what_helps_the_model(self, suite, row, logits):
        """
        Guards and second opinion count as in the hot path, and not for the bare model.
        """
        judge, path = FakeJudge(logits), suite(row)

        assert run_gate(judge, [path]).passed
        assert not run_gate(judge, [path], judge_only=True).passed

    def test_block_of_the_manifest(self, suite):
        """
        The result fits into a manifest.
        """
        path = suite(POLARITY, SAME)

        block = run_gate(FakeJudge(), [path]).for_manifest

        gate = msgspec.convert(block, Gate)
        assert (gate.passed, gate.cases, gate.wrong_hits) == (True, 2, 0)
        assert gate.suites == {"suite.jsonl": hashlib.sha256(path.read_bytes()).hexdigest()}

    def test_a_suite_that_cannot_fail(self, suite):
        """
        Without a pair to keep apart there is nothing to pass.
        """
        with pytest.raises(SuiteError, match="label 0"):
            run_gate(FakeJudge(), [suite(SAME)])
