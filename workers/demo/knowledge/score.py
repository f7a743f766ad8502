"""
Holds the verdicts against the labels; plain values in, plain values out.

Health fails the demo (a question without a verdict, or with two different ones), quality does not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from topics.verdict import KbVerdict
from workers.demo.knowledge.collect import Heard
from workers.demo.knowledge.data import DemoQuestion, KnowledgeData
from workers.demo.knowledge.play import Asked
from workers.demo.knowledge.summary import AnswerMark, KnowledgeSummary, OrderSummary
from workers.demo.score import TRAINED, spread
from workers.demo.summary import Spread

#: Groups of questions by who brought the entries.
_OWN, _SEARCHED = "agent's own", "searched"
_UNJUDGED = "unjudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    question: DemoQuestion
    verdict: KbVerdict
    took_ms: float


def mark(question: DemoQuestion, verdict: KbVerdict) -> AnswerMark:
    """Say how one question went."""
    if verdict.answerable is None:
        return AnswerMark.NOT_KNOWN
    if question.expected is None:
        return AnswerMark.WRONG_ANSWER if verdict.answerable else AnswerMark.RIGHT_NONE
    if not verdict.answerable:
        return AnswerMark.SAID_NONE
    first = verdict.entries[0].entry_id if verdict.entries else None
    return AnswerMark.RIGHT_ENTRY if first == question.expected else AnswerMark.WRONG_ENTRY


def summarise_knowledge(data: KnowledgeData, asked: Asked, heard: Heard) -> KnowledgeSummary:
    """Hold everything that came against everything that was asked."""
    came = {question.key: heard.verdicts.get(question.key, []) for question in data.questions}
    answered = [
        _Answered(
            question=question,
            verdict=came[question.key][0].verdict,
            took_ms=(came[question.key][0].at_s - asked.sent_s[question.key]) * 1e3,
        )
        for question in data.questions
        if came[question.key]
    ]
    without = [
        question.question_id
        for question in data.questions
        if len(came[question.key]) < asked.times.get(question.key, 1)
    ]
    different = [
        question.question_id
        for question in data.questions
        if len({one.value for one in came[question.key]}) > 1
    ]
    return KnowledgeSummary(
        ok=not (without or different),
        entries=len(data.entries),
        questions=len(data.questions),
        own_candidates=sum(bool(question.candidates) for question in data.questions),
        redelivered=sum(asked.times.values()) - len(asked.times),
        judge=next((one.verdict.judge for one in answered if one.verdict.judge), None),
        without_verdict=without,
        different_verdicts=different,
        statuses=dict(Counter(str(one.verdict.status) for one in answered).most_common()),
        levels=_levels(one.verdict for one in answered),
        order=_order(answered),
        marks=_marks(answered),
        stages_ms=_stages(answered),
        end_to_end_ms=spread([one.took_ms for one in answered]),
    )


def _levels(verdicts: Iterable[KbVerdict]) -> dict[str, int]:
    counted = Counter(
        _UNJUDGED if entry.level is None else str(entry.level)
        for verdict in verdicts
        for entry in verdict.entries
    )
    return {name: counted[name] for name in ("3", "2", "1", "0", _UNJUDGED)}


def _order(answered: Sequence[_Answered]) -> OrderSummary:
    before, after = [], []
    for one in answered:
        for place, entry in enumerate(one.verdict.entries):
            if entry.entry_id == one.question.expected:
                before.append(entry.rank)
                after.append(place)
    orders = [[entry.rank for entry in one.verdict.entries] for one in answered]
    return OrderSummary(
        of=len(before),
        first_before=before.count(0),
        first_after=after.count(0),
        changed=sum(order != sorted(order) for order in orders),
    )


def _groups(question: DemoQuestion) -> tuple[str, ...]:
    return "all", _OWN if question.candidates else _SEARCHED, question.language


def _marks(answered: Iterable[_Answered]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {}
    for one in answered:
        name = str(mark(one.question, one.verdict))
        for group in _groups(one.question):
            counted.setdefault(group, Counter())[name] += 1
    order = ("all", _SEARCHED, _OWN, *TRAINED)
    return {
        group: {str(name): counted[group][str(name)] for name in AnswerMark}
        for group in order
        if group in counted
    }


def _stages(answered: Iterable[_Answered]) -> dict[str, Spread]:
    times: dict[str, list[float]] = {}
    for one in answered:
        for stage, took_ms in one.verdict.timings_ms.items():
            times.setdefault(stage, []).append(took_ms)
    return {stage: spread(values) for stage, values in times.items()}
