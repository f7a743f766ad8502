"""Deciding labelled pairs."""

import math

import pytest

from models.evaluation.pairs import ALWAYS, NEVER, decide_pairs, make_option
from tests.fakes.models import FakeJudge
from tests.unit.models.evaluation.factories import make_pair


def decide_one(utterance, prediction, judge=None, **options):
    decided = decide_pairs([make_pair(utterance, prediction)], judge or FakeJudge(), **options)
    return bool(decided.served[0]), decided.reasons[0], float(decided.scores[0])


class TestDecidePairs:
    @pytest.mark.parametrize(
        ("there", "back", "expected"),
        [
            pytest.param(3.0, 2.0, (True, "judged", 2.0), id="both above"),
            pytest.param(3.0, 0.5, (False, "second_opinion", 0.5), id="reversed below"),
            pytest.param(0.5, 3.0, (False, "below_threshold", 0.5), id="below"),
            pytest.param(1.0, 1.0, (True, "judged", 1.0), id="at the threshold"),
        ],
    )
    def test_both_orders_must_reach_the_threshold(self, there, back, expected):
        """
        The lower logit of both orders is the score, and decides.
        """
        judge = FakeJudge({("ok sure", "yes please"): there, ("yes please", "ok sure"): back})

        assert decide_one("ok sure", "yes please", judge) == expected

    @pytest.mark.parametrize(
        ("utterance", "prediction", "reason", "score"),
        [
            pytest.param("Yes please.", "yes please", "exact", ALWAYS, id="the same text"),
            pytest.param("call at 5 pm", "call at 6 pm", "value", NEVER, id="another value"),
            pytest.param("I mean the", "yes please", "fragment", NEVER, id="fragment"),
            pytest.param("آپ کیسے ہیں", "yes please", "language", NEVER, id="another language"),
            pytest.param("", "yes please", "empty", NEVER, id="nothing said"),
            pytest.param("word " * 999, "yes please", "too_long", NEVER, id="too much said"),
            pytest.param("yes", "\u200b", "unusable", NEVER, id="nothing predicted"),
            pytest.param("yes", "word " * 999, "unusable", NEVER, id="too much predicted"),
        ],
    )
    def test_what_decides_beside_the_judge(self, utterance, prediction, reason, score):
        """
        Guards, bypasses and the exact tier count whatever the judge says, as in the hot path.
        """
        judge = FakeJudge({(utterance, prediction): 9.0})

        assert decide_one(utterance, prediction, judge) == (reason == "exact", reason, score)

    def test_cross_script_guard(self):
        """
        A pair in two scripts is the judge's unless the cross-script guard is asked for.
        """
        judge = FakeJudge({("haan ji", "हाँ जी"): 4.0})

        without = decide_one("haan ji", "हाँ जी", judge)
        with_guard = decide_one("haan ji", "हाँ जी", judge, script_guard=True)

        assert without == (True, "judged", 4.0)
        assert with_guard == (False, "script", NEVER)

    def test_a_pair_that_was_cut_is_never_served(self):
        """
        What the judge could not read to its end has no score.
        """
        judge = FakeJudge({("ok sure", "yes please"): 9.0})
        judge.unreadable = {"yes please"}

        assert decide_one("ok sure", "yes please", judge) == (False, "below_threshold", NEVER)

    def test_the_bare_logits_are_kept(self):
        """
        A pair that a guard took out still has its logits, for the bare model; no text has none.
        """
        pairs = [make_pair("call at 5 pm", "call at 6 pm"), make_pair("", "yes")]
        judge = FakeJudge(
            {("call at 5 pm", "call at 6 pm"): 4.0, ("call at 6 pm", "call at 5 pm"): 3.0}
        )

        decided = decide_pairs(pairs, judge)

        assert decided.logits.tolist() == [4.0, NEVER]
        assert decided.reversed_logits.tolist() == [3.0, NEVER]
        assert ("", "yes") not in judge.asked

    def test_nothing_to_read(self):
        """
        Pairs without text ask no model.
        """
        judge = FakeJudge()

        decided = decide_pairs([make_pair("", "yes")], judge)

        assert not judge.asked
        assert math.isinf(decided.scores[0])


class TestMakeOption:
    def test_cleaned(self):
        """
        A prediction is compared in its cleaned form.
        """
        option = make_option("  Yes\u200b   please ", "3", script_guard=True)

        assert option is not None
        assert (option.text, option.prediction_id) == ("Yes please", "3")
