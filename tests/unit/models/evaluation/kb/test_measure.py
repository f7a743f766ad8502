"""What is counted of questions and verdicts."""

import math

import pytest

from models.evaluation.kb.measure import ece, flagged, group, mcnemar, measure, times
from models.evaluation.kb.report import render
from tests.unit.models.evaluation.kb.factories import NEAR, OTHER, WHOLE, answers_with, outcome
from topics.profile import Mode


def measured(outcomes, **options):
    return group(outcomes, **{"threshold": 0.5, "judge": True} | options)


class TestOrder:
    def test_search_and_judge(self):
        """
        First place and first eight are counted over questions with gold, improvements by pair.
        """
        found = measured(
            [
                outcome("a", [WHOLE, OTHER, OTHER]),
                outcome("b", [OTHER, WHOLE, OTHER]),  # improved
                outcome("a", [OTHER, OTHER, WHOLE]),  # worsened
                outcome("x", [OTHER, OTHER, OTHER]),  # not found
                outcome("", [OTHER, OTHER, OTHER]),
                outcome(gold=True, judged=[WHOLE, OTHER, OTHER]),
            ]
        )

        assert (found["n"], found["answerable"], found["with_gold"]) == (6, 5, 4)
        assert (found["recall8_search"], found["top1_search"]) == (0.75, 0.5)
        assert (found["top1_judged"], found["improved"], found["worsened"]) == (0.5, 1, 1)

    def test_the_ninth_is_not_among_eight(self):
        """
        An answer behind the eighth place is not found, though the list is longer.
        """
        assert measured([outcome("j", ids="abcdefghij")])["recall8_search"] == 0
        assert measured([outcome("h", ids="abcdefghij")])["recall8_search"] == 1

    def test_off_is_search(self):
        """
        Without a judge every measure of the judge equals that of search.
        """
        outcomes = [
            outcome("a", mode=Mode.OFF, cosine=0.9, took_ms=None),
            outcome("b", mode=Mode.OFF, cosine=0.4, took_ms=None),
            outcome("", mode=Mode.OFF, cosine=0.5, took_ms=None),
        ]

        found = measured(outcomes, judge=False)

        assert found["top1_judged"] == found["top1_search"] == 0.5
        assert found["auroc_judged"] == found["auroc_search"] == 0.5
        assert (found["improved"], found["worsened"], found["mcnemar_p"]) == (0, 0, 1.0)
        assert (found["caught_at_50"], found["false_at_50"], found["ece"]) == (0, 0, None)

    def test_a_failed_judge_is_search(self):
        """
        A question that the judge failed keeps search order and counts as not judged.
        """
        found = measured([outcome("b", [OTHER, WHOLE, OTHER], failed=True), outcome("", [])])

        assert (found["top1_judged"], found["judged"]) == (0, 0)
        assert found["auroc_judged"] is None


class TestAnswerability:
    def test_caught_and_false(self):
        """
        Unanswerable questions that are called so, and answerable ones that are.
        """
        found = measured(
            [
                outcome("", [OTHER] * 3),  # caught
                outcome("", [OTHER, NEAR, answers_with(0.6)]),  # not
                outcome("a", [WHOLE, OTHER, OTHER]),
                outcome("a", [NEAR, OTHER, OTHER]),  # wrongly flagged
                outcome("x", [NEAR, OTHER, OTHER]),  # flagged, since search did not bring it
                outcome(gold=False, judged=[OTHER] * 3),  # caught
            ]
        )

        assert found["caught_at_50"] == round(2 / 3, 4)
        assert found["false_at_50"] == round(2 / 3, 4)
        assert found["false_at_50_found"] == 0.5
        assert found["auroc_judged"] == pytest.approx(0.778, abs=0.1)

    def test_its_own_threshold(self):
        """
        The judge's own threshold is measured beside one half.
        """
        found = measured([outcome("", [answers_with(0.6)] * 3)], threshold=0.7)

        assert (found["caught_at_50"], found["caught_at_threshold"]) == (0, 1)

    @pytest.mark.parametrize(
        ("judged", "ids", "expected"),
        [
            pytest.param([OTHER] * 3, "abc", True, id="all judged"),
            pytest.param([OTHER] * 2, "abc", False, id="one late"),
            pytest.param([OTHER, None, OTHER], "abc", False, id="one not read"),
            pytest.param([], "", False, id="nothing found"),
            pytest.param([OTHER] * 8, "abcdefghij", True, id="all that are judged"),
        ],
    )
    def test_late_is_not_unanswerable(self, judged, ids, expected):
        """
        Only where everything was judged is a question called unanswerable.
        """
        assert flagged(outcome("", judged, ids=ids), 0.5) is expected

    def test_cosine_is_the_baseline(self):
        """
        What search knows of answerability is the cosine of the best candidate.
        """
        found = measured([outcome("a", [WHOLE], cosine=0.9), outcome("", [WHOLE], cosine=0.1)])

        assert (found["auroc_search"], found["auroc_judged"]) == (1.0, 0.5)


class TestEce:
    def test_well_calibrated(self):
        """
        Sure and right, or half sure and right half of the time, is no error.
        """
        right = [outcome("a", [answers_with(1.0)]), outcome("", [answers_with(0.0)])]
        half = [outcome("a", [answers_with(0.5)]), outcome("", [answers_with(0.5)])]

        assert ece(right) == 0
        assert ece(half) == 0

    def test_sure_and_wrong(self):
        """
        Being sure of what is not so is an error of its whole sureness.
        """
        assert ece([outcome("", [answers_with(0.9)])]) == pytest.approx(0.9)

    def test_what_search_did_not_bring(self):
        """
        No answer among the candidates is no answer, whatever the knowledge base holds.
        """
        assert ece([outcome("x", [answers_with(0.0)])]) == 0
        assert ece([outcome("x", [])]) is None


class TestMcNemar:
    @pytest.mark.parametrize(
        ("improved", "worsened", "expected"),
        [(0, 0, 1), (5, 5, 1), (1, 0, 1), (6, 0, 2 / 64), (0, 6, 2 / 64), (9, 1, 22 / 1024)],
    )
    def test_small(self, improved, worsened, expected):
        """
        Both tails of fair coins.
        """
        assert mcnemar(improved, worsened) == pytest.approx(expected)

    def test_large(self):
        """
        Thousands of changed questions neither overflow nor give more than certainty.
        """
        assert mcnemar(5_000, 5_000) == 1
        assert 0 <= mcnemar(5_000, 4_000) < 1e-20
        assert math.isfinite(mcnemar(100_000, 0))


class TestTimes:
    def test_of_eight_candidates(self):
        """
        Only questions with eight candidates are timed, however many stand behind them.
        """
        outcomes = [
            outcome("a", took_ms=1_000.0),
            outcome("a", ids="abcdefgh", took_ms=10.0),
            outcome("a", ids="abcdefghij", took_ms=20.0),
        ]

        assert times(outcomes) == {"p50_ms": 15.0, "p95_ms": 19.5}
        assert times(outcomes[:1]) == {"p50_ms": None, "p95_ms": None}


class TestMeasure:
    OUTCOMES = (
        outcome("a", [WHOLE] * 3, variety="hindi", channel="app"),
        outcome("b", [OTHER, WHOLE, OTHER], variety="gulf", channel="app"),
        outcome("", [OTHER] * 3, variety="gulf"),
        outcome("", [], channel="<b>"),
    )

    def test_groups(self):
        """
        Known columns and named ones are grouped by; rows without one are in none of its groups.
        """
        found = measure(self.OUTCOMES, threshold=0.5, judge=True, by=("channel",))

        assert {value: part["n"] for value, part in found["by_variety"].items()} == {
            "gulf": 2, "hindi": 1,
        }  # fmt: skip
        assert {value: part["n"] for value, part in found["by_channel"].items()} == {
            "<b>": 1, "app": 2,
        }  # fmt: skip
        assert "by_language_pair" not in found
        assert found["statuses"] == {"applied": 3, "timeout": 1}

    def test_report(self):
        """
        The page has the numbers and the worst questions, and texts are no markup in it.
        """
        found = measure(self.OUTCOMES, threshold=0.5, judge=True, by=("channel",))

        written = render(self.OUTCOMES, found | {"judge": "onnx:<i>"})

        assert "&lt;b&gt;" in written
        assert "<i>" not in written
        assert written.count("<table>") == written.count("</table>") == 3
