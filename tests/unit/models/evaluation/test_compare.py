"""Two judges on the same turns."""

from dataclasses import replace
from typing import Any

import pytest

from models.evaluation.compare import End, compare, summarise
from models.evaluation.traffic import Case
from models.evaluation.turns import Gate, options_of
from tests.fakes.models import FakeEncoder, FakeJudge
from tests.unit.models.evaluation.factories import make_turn

YES, DO, NO = "yes please", "please do", "no way"


def make_gates(*judges):
    """Make a gate for each judge, with one encoder."""
    encoder = FakeEncoder()
    return [Gate(encoder=encoder, judge=judge, shortlist=20) for judge in judges]


def make_judge(threshold=1.0, **logits) -> Any:
    """Make a judge of "ok sure" against YES, DO and NO."""
    texts = {"yes": YES, "do": DO, "no": NO}
    judge = FakeJudge({("ok sure", texts[name]): logit for name, logit in logits.items()})
    judge.threshold = threshold
    return judge


def make_case(predictions=((YES, 1), (DO, 1), (NO, 0)), utterance="ok sure", **overrides) -> Case:
    turn = make_turn(utterance, predictions, id="t1")
    fields = {"options": options_of(turn, script_guard=True)} | overrides
    return Case(turn=turn, **fields)


def compare_one(case, a, b):
    (compared,) = compare([case], *make_gates(a, b))
    return compared


@pytest.mark.parametrize(
    ("a", "b", "end"),
    [
        pytest.param({"yes": 4.0}, {"yes": 2.0}, End.SAME, id="same"),
        pytest.param({}, {}, End.NEITHER, id="neither"),
        pytest.param({"yes": 4.0}, {}, End.ONLY_A, id="only a"),
        pytest.param({}, {"no": 4.0}, End.ONLY_B, id="only b"),
        pytest.param({"yes": 4.0}, {"no": 4.0}, End.DIFFERENT, id="different"),
        pytest.param({"yes": 4.0}, {"yes": 4.0, "threshold": 5.0}, End.ONLY_A, id="own threshold"),
        pytest.param({"yes": 4.0}, {"yes": 4.0, "do": 4.0}, End.ONLY_A, id="tie"),
    ],
)
def test_end(a, b, end):
    """
    Each judge decides at its own threshold, and by the worker's rules.
    """
    assert compare_one(make_case(), make_judge(**a), make_judge(**b)).end is end


@pytest.mark.parametrize(
    ("reply", "end"), [("r1", End.SAME), (None, End.DIFFERENT)], ids=["one reply", "not known"]
)
def test_same_reply(reply, end):
    """
    Two predictions that play one reply are no difference; that of two unknown ones is not known.
    """
    case = make_case()
    case = replace(case, options=[replace(one, response_ref=reply) for one in case.options])

    assert compare_one(case, make_judge(yes=4.0), make_judge(do=4.0)).end is end


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        pytest.param({"utterance": "I mean the"}, "fragment", id="fragment"),
        pytest.param({"utterance": "Yes please."}, "exact", id="exact"),
        pytest.param(
            {"utterance": "at 5 pm", "predictions": (("at 6 pm", 0),)}, "guarded", id="guard"
        ),
        pytest.param({"hint": "es-MX"}, "language", id="hint"),
    ],
)
def test_guards_are_the_same(overrides, reason):
    """
    What ends a turn before the judges ends it for both, and asks neither.
    """
    a, b = make_judge(yes=9.0), make_judge(yes=9.0)

    compared = compare_one(make_case(**overrides), a, b)

    assert (compared.a.reason, compared.b.reason) == (reason, reason)
    assert a.asked == b.asked == []


def test_neither_is_always_first():
    """
    The judges take turns in going first, or the second would find the caches warm each time.
    """
    order = []

    class Noting(FakeJudge):
        def judge(self, pairs, cancel=None):
            order.append(self.fingerprint)
            return super().judge(pairs, cancel)

    a, b = Noting(), Noting()
    a.fingerprint, b.fingerprint = "a", "b"

    compare([make_case(), make_case()], *make_gates(a, b))

    assert order == ["a", "b", "b", "a"]


class TestSummarise:
    def test_differences(self):
        """
        A difference has both logits of each prediction that was served, by number, and no text.
        """
        a, b = make_judge(yes=4.0, no=-1.5), make_judge(no=3.0, yes=0.25)

        found = summarise(compare([make_case()], *make_gates(a, b)))

        assert found["differences"] == [
            {
                "id": "t1",
                "end": "both_different",
                "a": {"served": 1, "reason": "judged"},
                "b": {"served": 3, "reason": "judged"},
                "predictions": [
                    {"prediction": 1, "logit_a": 4.0, "logit_b": 0.25, "label": 1},
                    {"prediction": 3, "logit_a": -1.5, "logit_b": 3.0, "label": 0},
                ],
            }
        ]
        assert (found["agree"], found["differ"]) == (0, 1)
        assert YES not in str(found)

    def test_unread_pair(self):
        """
        A pair that one judge cannot read to its end has no logit there.
        """
        a, b = make_judge(yes=4.0), make_judge(yes=4.0)
        b.unreadable = {YES}

        (one,) = summarise(compare([make_case()], *make_gates(a, b)))["differences"]

        assert [(each["logit_a"], each["logit_b"]) for each in one["predictions"]] == [(4.0, None)]

    def test_counts(self):
        """
        Right and wrong are counted for each judge, over all turns and over each end.
        """
        unknown = ((YES, None), (DO, None), (NO, None))
        cases = [
            make_case(),
            make_case(((YES, 0), (NO, 0))),
            make_case(unknown),
            make_case(((NO, 0),)),
            make_case(utterance="I mean the"),
        ]

        found = summarise(compare(cases, *make_gates(make_judge(yes=4.0), make_judge())))

        assert found["ends"]["only_a"] == {
            "turns": 3,
            "a_right": 1,
            "a_wrong": 1,
            "b_right": 0,
            "b_wrong": 0,
        }
        assert found["ends"]["neither"]["turns"] == found["agree"] == 2
        a, b = found["a"], found["b"]
        assert (a["served"], a["served_right"], a["served_wrong"]) == (3, 1, 1)
        assert (a["served_unlabelled"], a["precision"]) == (1, 0.5)
        assert (b["served"], b["precision"], b["bypassed"]) == (0, None, 1)
        assert a["judged"] == b["judged"] == 4
        assert a["judge_p50_ms"] >= 0 <= a["judge_p95_ms"]

    def test_nothing_judged(self):
        """
        Without a judged turn there is no latency to report.
        """
        cases = [make_case(utterance="I mean the")]

        found = summarise(compare(cases, *make_gates(make_judge(), make_judge())))

        assert (found["a"]["judged"], found["a"]["judge_p95_ms"]) == (0, None)
