"""Verdicts are held against the labels."""

import pytest

from tests.unit.workers.demo.knowledge.factories import (
    make_asked,
    make_heard,
    make_knowledge,
    make_question,
    make_unanswerable,
    make_verdict,
)
from topics.verdict import VerdictStatus
from workers.demo.knowledge.score import mark, summarise_knowledge
from workers.demo.knowledge.summary import AnswerMark

_WRONG_ORDER = (("other", 1, 3), ("right", 0, 1))


def summary_of(*pairs, **times):
    """Summarise questions with the verdicts on them."""
    questions = [question for question, *_ in pairs]
    verdicts = [verdict for _, *verdicts in pairs for verdict in verdicts]
    return summarise_knowledge(
        make_knowledge(*questions), make_asked(*questions, **times), make_heard(*verdicts)
    )


class TestMark:
    @pytest.mark.parametrize(
        ("question", "verdict", "expected"),
        [
            pytest.param(make_question(), {}, AnswerMark.RIGHT_ENTRY, id="right"),
            pytest.param(
                make_question(), {"order": _WRONG_ORDER}, AnswerMark.WRONG_ENTRY, id="wrong entry"
            ),
            pytest.param(make_question(), {"answerable": False}, AnswerMark.SAID_NONE, id="none"),
            pytest.param(
                make_unanswerable(), {"answerable": False}, AnswerMark.RIGHT_NONE, id="right none"
            ),
            pytest.param(make_unanswerable(), {}, AnswerMark.WRONG_ANSWER, id="wrong answer"),
            pytest.param(make_question(), {"answerable": None}, AnswerMark.NOT_KNOWN, id="late"),
            pytest.param(
                make_question(candidates=("other",)),
                {"answerable": False},
                AnswerMark.RIGHT_NONE,
                id="not brought",
            ),
            pytest.param(make_question(), {"order": ()}, AnswerMark.WRONG_ENTRY, id="no entries"),
        ],
    )
    def test_mark(self, question, verdict, expected):
        """
        A verdict is right where it names the entry that answers, or says rightly that none does.
        """
        assert mark(question, make_verdict(question, **verdict)) is expected


class TestSummary:
    def test_all_well(self):
        """
        One verdict a question is all well, with counts of statuses, levels and marks.
        """
        first, second = make_question("q-1"), make_unanswerable("q-2", language="hi")

        found = summary_of(
            (first, make_verdict(first)), (second, make_verdict(second, answerable=False))
        )

        assert found.ok
        assert found.statuses == {"applied": 2}
        assert found.levels == {"3": 2, "2": 0, "1": 2, "0": 0, "unjudged": 0}
        assert found.marks["all"]["right_entry"] == found.marks["hi"]["right_none"] == 1
        assert found.end_to_end_ms.p50 == 1_000
        assert found.judge == "onnx:test"

    def test_order(self):
        """
        What the judge moved is told: where the answer stood before, and where it stands now.
        """
        better, worse, same = (make_question(f"q-{number}") for number in range(3))

        order = summary_of(
            (better, make_verdict(better, (("right", 1, 3), ("other", 0, 1)))),
            (worse, make_verdict(worse, _WRONG_ORDER)),
            (same, make_verdict(same)),
        ).order

        assert (order.of, order.first_before, order.first_after, order.changed) == (3, 2, 2, 2)

    def test_no_judge(self):
        """
        Without a judge nothing is known, which is no fault of the demo.
        """
        question = make_question()
        verdict = make_verdict(
            question, status=VerdictStatus.ERROR, answerable=None, judge=None,
            order=(("right", 0, None),),
        )  # fmt: skip

        found = summary_of((question, verdict))

        assert found.ok
        assert (found.judge, found.levels["unjudged"]) == (None, 1)
        assert found.marks["all"]["not_known"] == 1

    def test_missing_and_different(self):
        """
        A question without a verdict, with too few or with two different ones is named.
        """
        none, few, two = (make_question(f"q-{number}") for number in range(3))

        found = summary_of(
            (none,),
            (few, make_verdict(few)),
            (two, make_verdict(two), make_verdict(two, answerable=False)),
            **{"q-1": 2, "q-2": 2},
        )

        assert not found.ok
        assert found.without_verdict == ["q-0", "q-1"]
        assert found.different_verdicts == ["q-2"]
        assert found.redelivered == 2

    def test_groups(self):
        """
        Questions with candidates of their agent count apart from those that were searched.
        """
        own, searched = make_question("q-1", candidates=("other", "right")), make_question("q-2")

        marks = summary_of((own, make_verdict(own)), (searched, make_verdict(searched))).marks

        assert list(marks) == ["all", "searched", "agent's own", "en"]
        assert marks["agent's own"]["right_entry"] == marks["searched"]["right_entry"] == 1
