"""What the slow worker wrote is held against what it was given."""

import pytest

from tests.unit.workers.demo.knowledge.factories import (
    make_gap,
    make_heard,
    make_question,
    make_reviewed,
    make_unanswerable,
    make_verdict,
)
from topics.reviewed import ReviewResult
from topics.verdict import VerdictStatus
from workers.demo.gaps.score import handed_on, summarise_gaps


def none_answers(question):
    """Make the verdict that no entry answers."""
    return make_verdict(question, answerable=False)


class TestHandedOn:
    def test_what_is_not_known_to_be_answered(self):
        """
        The slow worker gets what is unanswered or late, and not what is answered.
        """
        answered, none, late = (make_question(f"q-{number}") for number in range(3))
        heard = make_heard(
            make_verdict(answered),
            none_answers(none),
            make_verdict(late, answerable=None, status=VerdictStatus.TIMEOUT),
        )

        assert handed_on(heard) == {none.key, late.key}


class TestSummary:
    def test_all_well(self):
        """
        A result for each question that was handed on is all well.
        """
        question = make_unanswerable()
        heard = make_heard(
            none_answers(question), reviewed=[make_reviewed(question)], gaps=[make_gap()]
        )

        found = summarise_gaps([question], heard)

        assert found.ok
        assert (found.handed_on, found.results) == (1, {"missing_knowledge": 1})
        assert [(gap.count, gap.examples) for gap in found.gaps] == [(1, ["is there parking"])]

    def test_missing_result(self):
        """
        A question that was handed on and has no result is named.
        """
        question = make_unanswerable()

        found = summarise_gaps([question], make_heard(none_answers(question)))

        assert not found.ok
        assert found.without_result == ["q-1"]

    @pytest.mark.parametrize(
        ("shown", "well"), [("call [PHONE]", True), ("call 98765 43210", False)], ids=["no", "yes"]
    )
    def test_personal_data(self, shown, well):
        """
        Planted personal data in a result or a gap fails the demo, and its question is named.
        """
        question = make_unanswerable(hidden="98765 43210", text="call 98765 43210")
        masked = make_reviewed(question, masked_question="call [PHONE]")
        heard = make_heard(
            none_answers(question), reviewed=[masked], gaps=[make_gap(examples=(shown,))]
        )

        found = summarise_gaps([question], heard)

        assert (found.ok, found.personal) == (well, 1)
        assert found.not_masked == ([] if well else ["q-1"])

    def test_set_aside(self):
        """
        What is no gap is told by its result, with an example.
        """
        question = make_unanswerable()
        item = make_reviewed(question, result=ReviewResult.NEEDS_LIVE_DATA, gap_id=None)

        found = summarise_gaps([question], make_heard(none_answers(question), reviewed=[item]))

        assert [(one.result, one.count, one.example) for one in found.set_aside] == [
            ("needs_live_data", 1, question.text)
        ]
        assert found.gaps == []

    def test_order(self):
        """
        What is asked most often stands first, and what became part of another gap is left out.
        """
        gaps = [make_gap("a"), make_gap("b", count=3), make_gap("c", merged_into="b")]

        found = summarise_gaps([], make_heard(gaps=gaps))

        assert [gap.count for gap in found.gaps] == [3, 1]

    def test_grouping(self):
        """
        Pairs in one gap are right where the labels say so, also by way of a gap that was merged.
        """
        one, same, apart, other = (
            make_unanswerable(f"q-{number}", gap=gap)
            for number, gap in enumerate(["parking", "parking", "parking", "price"])
        )
        questions = [one, same, apart, other]
        placed = {"q-0": "a", "q-1": "b", "q-2": "c", "q-3": "b"}
        heard = make_heard(
            *map(none_answers, questions),
            reviewed=[make_reviewed(each, gap_id=placed[each.question_id]) for each in questions],
            gaps=[make_gap("a"), make_gap("b", merged_into="a"), make_gap("c")],
        )

        found = summarise_gaps(questions, heard).grouping

        assert (found.same, found.together, found.wrongly_together) == (3, 1, 2)

    def test_tenants_are_apart(self):
        """
        The same question of two tenants is no pair that asks the same.
        """
        questions = [
            make_unanswerable("q-1", gap="x"),
            make_unanswerable("q-2", gap="x", tenant="u"),
        ]
        heard = make_heard(
            *map(none_answers, questions),
            reviewed=[make_reviewed(each, gap_id=each.tenant) for each in questions],
        )

        assert summarise_gaps(questions, heard).grouping.same == 0
