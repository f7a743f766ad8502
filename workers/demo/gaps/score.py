"""
Holds results and gaps of the slow worker against the labels; plain values in, plain values out.

Health fails the demo (a question without a result, personal data that is not masked), quality does
not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from topics.gap import Gap
from topics.reviewed import ReviewedItem, ReviewResult
from workers.demo.gaps.summary import FoundGap, GapSummary, Grouping, SetAside
from workers.demo.knowledge.collect import Heard
from workers.demo.knowledge.data import DemoQuestion
from workers.demo.play import TurnKey
from workers.kb.review import cause
from workers.slow.gap import final

#: Results that make a question part of a gap.
_GAPS = (ReviewResult.MISSING_KNOWLEDGE, ReviewResult.NOT_JUDGED)


def handed_on(heard: Heard) -> set[TurnKey]:
    """Name the questions that the slow worker is to review, by their first verdicts."""
    return {key for key, came in heard.verdicts.items() if came and cause(came[0].verdict)}


def summarise_gaps(questions: Sequence[DemoQuestion], heard: Heard) -> GapSummary:
    """Hold what the slow worker wrote against what it was given."""
    wanted = handed_on(heard)
    given = [question for question in questions if question.key in wanted]
    results = {q.key: heard.reviewed[q.key] for q in given if q.key in heard.reviewed}
    without = [question.question_id for question in given if question.key not in results]
    personal = [question for question in given if question.hidden is not None]
    not_masked = [
        question.question_id for question in personal if _is_written(question.hidden, heard.written)
    ]
    return GapSummary(
        ok=not (without or not_masked),
        handed_on=len(given),
        without_result=without,
        results=dict(Counter(str(item.result) for item in results.values()).most_common()),
        gaps=_found(heard.gaps.values()),
        set_aside=_set_aside(results.values()),
        grouping=_grouping(given, results, heard.gaps),
        personal=len(personal),
        not_masked=not_masked,
    )


def _is_written(hidden: str | None, written: Iterable[bytes]) -> bool:
    return hidden is not None and any(hidden.encode() in value for value in written)


def _found(gaps: Iterable[Gap]) -> list[FoundGap]:
    alive = [gap for gap in gaps if gap.merged_into is None]
    return [
        FoundGap(
            tenant=gap.tenant_id,
            state=str(gap.state),
            reason=str(gap.reason),
            count=gap.count,
            languages=list(gap.languages),
            examples=list(gap.examples),
        )
        for gap in sorted(alive, key=lambda gap: (-gap.count, gap.tenant_id, gap.examples))
    ]


def _set_aside(results: Iterable[ReviewedItem]) -> list[SetAside]:
    by_result: dict[ReviewResult, list[ReviewedItem]] = {}
    for item in results:
        if item.result not in _GAPS:
            by_result.setdefault(item.result, []).append(item)
    return [
        SetAside(result=str(result), count=len(items), example=items[0].masked_question)
        for result, items in by_result.items()
    ]


def _grouping(
    given: Iterable[DemoQuestion],
    results: Mapping[TurnKey, ReviewedItem],
    gaps: Mapping[str, Gap],
) -> Grouping:
    placed = [
        # A question that is no gap by its label is one of its own here.
        (question.tenant, question.gap or question.question_id, _alive(item.gap_id, gaps))
        for question in given
        if (item := results.get(question.key)) is not None and item.gap_id is not None
    ]
    pairs = [(a[:2] == b[:2], a[2] == b[2]) for a, b in combinations(placed, 2)]
    return Grouping(
        same=sum(same for same, _ in pairs),
        together=sum(same and together for same, together in pairs),
        wrongly_together=sum(together and not same for same, together in pairs),
    )


def _alive(gap_id: str, gaps: Mapping[str, Gap]) -> str:
    """The gap that a question belongs to now."""
    gap = final(gaps, gap_id)
    return gap_id if gap is None else gap.gap_id
