"""Whole turns through the gate."""

from typing import Any

import pytest

from models.errors import InferenceError
from models.evaluation.turns import Gate, decide_turns, measure
from tests.fakes.models import FakeEncoder, FakeJudge
from tests.unit.models.evaluation.factories import make_turn


def make_gate(judge=None, **overrides) -> Gate:
    values: dict[str, Any] = {
        "encoder": FakeEncoder(),
        "judge": judge or FakeJudge(),
        "shortlist": 20,
    }
    return Gate(**(values | overrides))


def decide_one(turn, judge=None, **overrides):
    (outcome,) = decide_turns([turn], make_gate(judge, **overrides))
    return outcome


class TestDecideTurns:
    def test_the_best_prediction_is_served(self):
        """
        The judge's best prediction above the threshold is served, and held against its label.
        """
        turn = make_turn("ok sure", [("no thanks", 0), ("yes please", 1), ("who is it", 0)])
        judge = FakeJudge({("ok sure", "yes please"): 4.0, ("ok sure", "who is it"): 2.0})

        outcome = decide_one(turn, judge)

        assert (outcome.served, outcome.right, outcome.reason) == (1, True, "judged")

    @pytest.mark.parametrize(
        ("utterance", "predictions", "reason", "bypassed"),
        [
            pytest.param("I mean the", [("yes please", 0)], "fragment", True, id="bypass"),
            pytest.param("yes", [], "no_predictions", False, id="no predictions"),
            pytest.param("yes", [("\u200b", 0)], "no_predictions", False, id="unusable ones"),
            pytest.param("at 5 pm", [("at 6 pm", 0)], "guarded", False, id="value guard"),
            pytest.param("haan ji", [("हाँ जी", 0)], "guarded", False, id="script guard"),
            pytest.param("ok sure", [("no way", 0)], "below_threshold", False, id="judge"),
        ],
    )
    def test_not_served(self, utterance, predictions, reason, bypassed):
        """
        Everything that keeps a turn from being served does so here.
        """
        judge = FakeJudge({("at 5 pm", "at 6 pm"): 9.0, ("haan ji", "हाँ जी"): 9.0})

        outcome = decide_one(make_turn(utterance, predictions), judge)

        assert (outcome.served, outcome.reason, outcome.bypassed) == (None, reason, bypassed)

    def test_exact_asks_no_model(self):
        """
        The same text is served before any model.
        """
        judge = FakeJudge()

        outcome = decide_one(make_turn("Yes please.", [("no", 0), ("yes please", 1)]), judge)

        assert (outcome.served, outcome.reason, judge.asked) == (1, "exact", [])

    def test_index_counts_unusable_predictions(self):
        """
        What is served is named by its place in the row, also after a prediction that is dropped.
        """
        outcome = decide_one(make_turn("yes please", [("\u200b", 0), ("yes please", 1)]))

        assert outcome.served == 1

    def test_a_tie_between_replies_is_a_miss(self):
        """
        Two texts have two replies, so equal logits are a tie; the same text twice has one.
        """
        judge = FakeJudge({("ok sure", "yes please"): 4.0, ("ok sure", "please do"): 4.0})

        two = decide_one(make_turn("ok sure", [("yes please", 1), ("please do", 1)]), judge)
        one = decide_one(make_turn("ok sure", [("yes please", 1), ("Yes please", 1)]), judge)

        assert (two.served, two.reason) == (None, "tie")
        assert one.served == 0

    def test_shortlist(self):
        """
        The judge reads the best by cosine only.
        """
        encoder = FakeEncoder({"ok sure": (1, 0, 0, 0), "yes please": (1, 0, 0, 0)})
        judge = FakeJudge({("ok sure", "yes please"): 4.0})
        turn = make_turn("ok sure", [("who is it", 0), ("yes please", 1)])

        outcome = decide_one(turn, judge, encoder=encoder, shortlist=1)

        assert outcome.served == 1
        assert ("ok sure", "who is it") not in judge.asked

    def test_a_failing_judge_measures_nothing(self):
        """
        Cosine never stands in for the judge in a measurement.
        """
        judge = FakeJudge()
        judge.failing = True

        with pytest.raises(InferenceError):
            decide_one(make_turn("ok sure", [("yes please", 1)]), judge)


class TestMeasure:
    def test_counts(self):
        """
        Precision is of the serves, conversion of the turns that had a match.
        """
        turns = [
            make_turn("yes", [("yes", 1)], language="en"),
            make_turn("ok sure", [("no way", 0), ("yes please", 1)], id="wrong", language="en"),
            make_turn("maybe", [("yes", 0)], language="hi"),
            make_turn("why", [("how come", 1)]),
            make_turn("I mean the", [("yes", 0)]),
        ]
        judge = FakeJudge({("ok sure", "no way"): 4.0})

        found = measure(decide_turns(turns, make_gate(judge)))

        assert {name: found[name] for name in ("turns", "with_match", "served")} == {
            "turns": 5,
            "with_match": 3,
            "served": 2,
        }
        assert (found["served_right"], found["served_wrong"], found["bypassed"]) == (1, 1, 1)
        assert (found["precision"], found["conversion"]) == (0.5, 0.3333)
        assert found["precision_lower95"] < 0.5
        assert found["wrong_serves"] == ["wrong"]
        assert found["by_language"]["hi"]["precision"] is None
        assert found["by_file"]["turns.jsonl"]["turns"] == 5
        assert sum(found["reasons"].values()) == 5
