from pathlib import Path

import msgspec
import pytest

from models.errors import BundleError, InferenceCancelled, InferenceError
from models.judge import Judge
from models.manifest import Form
from models.runtime import Cancel

TINY = Path(__file__).parent / "fixtures" / "judge"


@pytest.fixture(scope="module")
def judge():
    """A judge that adds up words: yes 2, no -3, maybe 0.5."""
    return Judge.load(TINY)


def with_trap(judge, **changes):
    """The judge with changes to its first trap."""
    first, *rest = judge.manifest.traps
    traps = (msgspec.structs.replace(first, **changes), *rest)
    manifest = msgspec.structs.replace(judge.manifest, traps=traps)
    return Judge(manifest, judge._session, judge._tokens)


class TestLoad:
    def test_tiny(self, judge):
        """
        A judge tells its threshold and fingerprint.
        """
        assert judge.threshold == 1.5
        assert len(judge.fingerprint) == 64

    def test_encoder_is_no_judge(self):
        """
        An encoder's bundle is refused as a judge.
        """
        with pytest.raises(BundleError, match="kind"):
            Judge.load(Path(__file__).parents[3] / "models" / "bundles" / "encoder")


class TestJudge:
    def test_order(self, judge):
        """
        Logits come in the order of the pairs, whatever bucket each ran in.
        """
        pairs = [("yes", "no"), ("maybe " * 10, "yes"), ("yes", "yes"), ("b", "a")]

        logits = judge.logits(pairs)

        assert logits.tolist() == [-1.0, 7.0, 4.0, 0.0]
        assert logits.dtype == "float32"

    def test_form(self, judge):
        """
        A bundle that says what form is worth gives weighed logits, and its proof expects them.
        """
        form = Form(bias=1.0, weights=(1.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        manifest = msgspec.structs.replace(judge.manifest, form=form)
        weighing = Judge(manifest, judge._session, judge._tokens)

        assert weighing.logits([("yes", "yes"), ("yes", "maybe")]).tolist() == [3.0, 3.5]
        with pytest.raises(BundleError, match="traps"):
            weighing.prove()

    def test_padding_counts_nothing(self, judge):
        """
        Padding adds nothing to a logit, though its row of the table is not zero.
        """
        assert judge.logits([("yes", "no")]).tolist() == [-1.0]

    def test_nothing(self, judge):
        """
        No pairs are no logits.
        """
        assert judge.logits([]).shape == (0,)

    def test_truncation_is_told(self, judge):
        """
        A pair beyond the limit is judged up to it, and marked.
        """
        judged = judge.judge([("yes", "no"), ("yes", "maybe " * 300)])

        assert judged.truncated.tolist() == [False, True]
        assert judged.logits.tolist() == [-1.0, 2.0 + 0.5 * 123]

    def test_not_finite(self, judge):
        """
        A logit that is not finite never leaves the judge.
        """
        with pytest.raises(InferenceError):
            judge.logits([("yes", "endless")])

    def test_cancelled(self, judge):
        """
        A token that is set stops the work, and the judge lives on.
        """
        cancel = Cancel()
        cancel.set()

        with pytest.raises(InferenceCancelled):
            judge.logits([("yes", "no")], cancel)

        assert judge.logits([("yes", "yes")], Cancel()).tolist() == [4.0]


class TestProve:
    def test_tiny(self, judge):
        """
        A judge that gives its traps' verdicts proves itself, warm.
        """
        judge.warm()
        judge.prove()

    def test_wrong_verdict(self, judge):
        """
        A trap with another verdict than the judge's is refused, by its number.
        """
        with pytest.raises(BundleError, match=r"traps\[0\].*verdict"):
            with_trap(judge, match=False).prove()

    def test_other_numbers(self, judge):
        """
        A right verdict at another logit than when it was packed is refused.
        """
        with pytest.raises(BundleError, match=r"traps\[0\]"):
            with_trap(judge, logit=5.0).prove()
