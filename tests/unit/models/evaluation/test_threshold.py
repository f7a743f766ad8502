"""Choosing a bundle's threshold."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from models.bundle import load_bundle
from models.errors import BundleError
from models.evaluation.pairs import ALWAYS, NEVER, decide_pairs
from models.evaluation.threshold import CalibrationError, Rule, bare_scores, choose, write
from models.judge import Judge
from models.pipeline.bounds import upper_bound
from models.pipeline.pack import amend
from tests.fakes.models import FakeJudge
from tests.unit.models.evaluation.factories import make_pair

TINY = Path(__file__).parents[1] / "fixtures" / "judge"
RULE = Rule(ceiling=0.01)


def make_data(*parts):
    """Pairs and scores; each part is language, label and scores."""
    pairs = [
        make_pair("yes", "no", label, language=language)
        for language, label, scores in parts
        for _ in scores
    ]
    return pairs, np.concatenate([scores for _, _, scores in parts]).astype(np.float32)


class TestChoose:
    def test_the_bound_holds_at_the_threshold(self):
        """
        At the threshold the upper bound is at most the ceiling, and one more hit would break it.
        """
        pairs, scores = make_data(("en", 0, np.linspace(-5, 5, 2000)), ("en", 1, np.full(10, 6)))

        choice = choose(pairs, scores, RULE)

        wrong = int((scores[:2000] >= choice.value).sum())
        assert upper_bound(wrong, 2000) <= 0.01 < upper_bound(wrong + 1, 2000)
        assert choice.entry["false_accept_upper95"] <= 0.01
        assert choice.entry["recall"] == 1.0

    def test_a_hard_part_is_not_hidden_behind_an_easy_one(self):
        """The threshold is that of the hardest part alone, not that of all pairs together."""
        easy = (("en", 0, np.linspace(-9, -5, 9000)), ("en", 1, np.full(10, 6)))
        hard = (("en", 0, np.linspace(-5, 5, 1000)), ("en", 1, np.full(10, 6)))
        pairs, scores = make_data(*easy, *hard)

        apart = choose(pairs, scores, RULE, parts=(9010, 1010)).value

        assert apart == choose(*make_data(*hard), RULE).value
        assert apart > choose(pairs, scores, RULE).value

    def test_own_thresholds(self):
        """
        Each language has the threshold of its own pairs, unless they are too few to prove one.
        """
        pairs, scores = make_data(
            ("en", 0, np.linspace(-9, 0, 1000)),
            ("en", 1, np.full(10, 5)),
            ("ar-EG", 0, np.linspace(-9, 3, 1000)),
            ("ar-EG", 1, np.full(10, 5)),
            ("hi", 0, np.full(20, -5)),
            ("hi", 1, np.full(10, 5)),
        )

        own = choose(pairs, scores, RULE).own

        assert own["hi"] is None
        assert own["en"] is not None
        assert own["ar"] is not None
        assert own["en"][0] < own["ar"][0] < 3
        assert own["ar"][1] == 1.0

    def test_unknown_language_is_read(self):
        """
        A pair that does not say its language counts for that of its utterance.
        """
        negatives = [make_pair("हाँ जी ठीक है", "no", 0)] * 400
        pairs = [*negatives, make_pair("हाँ जी ठीक है", "yes", 1)]
        scores = np.array([-5.0] * 400 + [5.0], np.float32)

        assert set(choose(pairs, scores, RULE).entry["languages"]) == {"hi"}

    def test_what_a_guard_takes_out_lowers_the_threshold(self):
        """
        A negative that can never be served does not hold the threshold up.
        """
        pairs, scores = make_data(("en", 0, np.linspace(-5, 5, 1000)), ("en", 1, np.full(10, 6)))
        guarded = np.where(scores[:1000] > 0, NEVER, scores[:1000])

        with_guard = choose(pairs, np.append(guarded, scores[1000:]).astype(np.float32), RULE)

        assert with_guard.value < 0 < choose(pairs, scores, RULE).value

    @pytest.mark.parametrize(
        ("parts", "reason"),
        [
            pytest.param([("en", 0, np.zeros(400))], "one label", id="no positives"),
            pytest.param([("en", 1, np.zeros(400))], "one label", id="no negatives"),
            pytest.param(
                [("en", 0, np.zeros(50)), ("en", 1, np.ones(9))], "too few", id="few negatives"
            ),
            pytest.param(
                [("en", 0, np.full(400, NEVER)), ("en", 1, np.ones(9))], "guards", id="all guarded"
            ),
            pytest.param(
                [("en", 0, np.full(400, ALWAYS)), ("en", 1, np.ones(9))], "same text", id="equal"
            ),
        ],
    )
    def test_no_threshold(self, parts, reason):
        """
        Pairs that bound no threshold are an error that says why.
        """
        with pytest.raises(CalibrationError, match=reason):
            choose(*make_data(*parts), RULE)


def test_bare_scores():
    """
    Without guards a pair's score is still the lower of both orders.
    """
    judge = FakeJudge({("at 5 pm", "at 6 pm"): 4.0, ("at 6 pm", "at 5 pm"): 3.0})

    decided = decide_pairs([make_pair("at 5 pm", "at 6 pm", 0)], judge)

    assert decided.scores.tolist() == [NEVER]
    assert bare_scores(decided).tolist() == [3.0]


class TestWrite:
    @pytest.fixture
    def bundle(self, tmp_path):
        """A copy of the tiny judge that has passed a gate."""
        folder = tmp_path / "judge"
        shutil.copytree(TINY, folder)
        amend(folder, gate={"passed": True, "cases": 1, "wrong_hits": 0, "suites": {}})
        return folder

    def choice_at(self, value):
        """A choice of about this threshold: one per cent of the negatives lie right below it."""
        pairs, scores = make_data(
            ("en", 0, np.append(np.full(20, value - 1e-3), np.full(2000, -9))),
            ("en", 1, np.full(9, 9)),
        )
        return choose(pairs, scores, RULE)

    def test_the_bundle_verifies_with_it(self, bundle):
        """
        The bundle loads and proves itself with the new threshold; its old gate result is gone.
        """
        choice = self.choice_at(1.25)

        write(bundle, choice, RULE, {"validation.jsonl": "0" * 64})

        judge = Judge.load(bundle)
        judge.prove()
        assert judge.threshold == choice.value == pytest.approx(1.25, abs=2e-3)
        assert judge.manifest.gate is None
        assert judge.manifest.calibration.data == {"validation.jsonl": "0" * 64}
        assert "0.01" in judge.manifest.calibration.method

    def test_the_same_threshold_keeps_the_gate(self, bundle):
        """
        A gate result stands as long as the threshold does.
        """
        choice = self.choice_at(1.25)
        write(bundle, choice, RULE, {})
        amend(bundle, gate={"passed": True, "cases": 1, "wrong_hits": 0, "suites": {}})

        write(bundle, choice, RULE, {})

        assert load_bundle(bundle).manifest.gate is not None

    def test_a_threshold_that_breaks_a_trap(self, bundle):
        """
        A threshold at which the bundle's traps fail is refused, and the bundle stays as it was.
        """
        before = load_bundle(bundle)

        with pytest.raises(BundleError, match="traps"):
            write(bundle, self.choice_at(8.0), RULE, {})

        assert load_bundle(bundle) == before
