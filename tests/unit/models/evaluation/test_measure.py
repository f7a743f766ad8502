"""Measuring decided pairs."""

import numpy as np
import pytest

from models.evaluation.measure import (
    Scored,
    as_served,
    ends,
    judge_only,
    measure,
    wrong_places,
)
from models.evaluation.pairs import NEVER, decide_pairs
from models.pipeline.bounds import upper_bound
from tests.fakes.models import FakeJudge
from tests.unit.models.evaluation.factories import make_pair


def make_scored(*rows, **fields) -> Scored:
    """Each row is score, label and, if it has any, what is known of the pair; threshold 1."""
    pairs = [
        make_pair(f"utterance {number}", f"prediction {number}", label, row=number, **known)
        for number, (_, label, known) in enumerate(rows, 1)
    ]
    scores = np.array([score for score, _, _ in rows], np.float32)
    return Scored(pairs=pairs, scores=scores, served=scores >= 1, **fields)


class TestMeasure:
    def test_counts(self):
        """
        Recall is of the positives, false accepts are of the negatives, with their bound.
        """
        scored = make_scored(
            (5, 1, {}), (4, 1, {}), (0, 1, {}), (3, 0, {}), (-1, 0, {}), (-2, 0, {}), (-3, 0, {})
        )

        found = measure(scored)

        assert (found["n"], found["positives"]) == (7, 3)
        assert found["recall"] == pytest.approx(2 / 3, abs=1e-4)
        assert (found["false_accepts"], found["false_accept_rate"]) == (1, 0.25)
        assert found["false_accept_upper95"] == pytest.approx(upper_bound(1, 4), abs=1e-5)
        assert found["auc"] == pytest.approx(11 / 12, abs=1e-4)
        assert found["recall_at_far_1pct"] == pytest.approx(2 / 3, abs=1e-4)

    def test_parts(self):
        """
        The same measures come by class, file and language; what is not known is in no part.
        """
        scored = make_scored(
            (5, 1, {"kind": "value", "file": "easy", "language": "hi"}),
            (3, 0, {"kind": "value", "file": "hard", "language": "ar"}),
            (2, 0, {"file": "hard"}),
        )

        found = measure(scored)

        assert {name: part["n"] for name, part in found["by_file"].items()} == {
            "easy": 1,
            "hard": 2,
        }
        assert found["by_class"]["value"]["false_accept_rate"] == 1.0
        assert found["by_language"]["hi"]["recall"] == 1.0
        assert sum(part["n"] for part in found["by_language"].values()) == 2

    def test_a_share_of_nothing_is_not_known(self):
        """
        Without negatives there is no false accept rate, and no bound of it.
        """
        found = measure(make_scored((5, 1, {})))

        unknown = ("auc", "false_accept_rate", "false_accept_upper95", "recall_at_far_1pct")
        assert [found[name] for name in unknown] == [None] * 4
        assert found["recall"] == 1.0

    def test_wrong_hits(self):
        """
        Wrong hits are listed worst first, by id or by row, with the file where there are several.
        """
        scored = make_scored((2, 0, {}), (9, 1, {}), (4, 0, {"id": "p3"}), (0, 0, {"file": "b"}))

        assert wrong_places(scored) == [2, 0]
        assert measure(scored)["wrong_hits"] == ["p3", "pairs.jsonl:1"]

    def test_without_a_threshold(self):
        """
        Scores that serve nothing have no recall and no wrong hits, only a ranking.
        """
        scored = make_scored((5, 1, {}), (-1, 0, {}))

        found = measure(Scored(pairs=scored.pairs, scores=scored.scores))

        assert found["auc"] == 1.0
        assert not {"recall", "wrong_hits"} & found.keys()

    def test_what_is_taken_out_is_recalled_at_no_rate(self):
        """
        A positive that a guard took out cannot be won back by a lower threshold.
        """
        scored = make_scored((5, 1, {}), (NEVER, 1, {}), (NEVER, 0, {}))

        assert measure(scored)["recall_at_far_1pct"] == 0.5


def test_the_bare_model_has_no_guard():
    """
    By the bare model a pair is decided by its logit alone.
    """
    pairs = [make_pair("call at 5 pm", "call at 6 pm", 0), make_pair("ok sure", "yes please", 1)]
    judge = FakeJudge(
        {
            ("call at 5 pm", "call at 6 pm"): 4.0,
            ("ok sure", "yes please"): 3.0,
            ("yes please", "ok sure"): 0.0,
        }
    )
    decided = decide_pairs(pairs, judge)

    bare = measure(judge_only(decided))
    whole = measure(as_served(decided))

    assert (bare["recall"], bare["false_accept_rate"]) == (1.0, 1.0)
    assert (whole["recall"], whole["false_accept_rate"]) == (0.0, 0.0)
    assert ends(decided) == {"positives": {"second_opinion": 1}, "negatives": {"value": 1}}
