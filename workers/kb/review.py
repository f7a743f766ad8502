"""What becomes of a verdict in the slow path: which questions are reviewed, and what for."""

from collections.abc import Sequence

from models.kb import JUDGED, Ruling
from topics.profile import Mode
from topics.question import CandidateEntry, KbQuestion
from topics.review import ReviewCause, ReviewItem
from topics.verdict import KbVerdict, VerdictStatus

#: Statuses of questions of which it is not known whether they are answered.
_NOT_KNOWN = (VerdictStatus.PARTIAL, VerdictStatus.TIMEOUT, VerdictStatus.ERROR)


def cause(verdict: KbVerdict) -> ReviewCause | None:
    """Say why a question is reviewed; None where it is not."""
    if verdict.mode is Mode.SHADOW:
        return ReviewCause.SHADOW
    if verdict.mode is Mode.OFF:
        return None
    if verdict.answerable is False:
        return ReviewCause.UNANSWERABLE
    if verdict.answerable is None and verdict.status in _NOT_KNOWN:
        return ReviewCause.LATE
    return None


def review_item(
    question: KbQuestion,
    verdict: KbVerdict,
    why: ReviewCause,
    *,
    would: Ruling | None = None,
    candidates: Sequence[CandidateEntry] | None = None,
) -> ReviewItem:
    """
    Make the item of one question.

    Args:
        question: what was asked.
        verdict: the one that was published.
        why: it is reviewed.
        would: in shadow mode, what live would have said.
        candidates: the agent's own to hand on; those that are judged by default.
    """
    said = would or verdict
    handed = question.candidates[:JUDGED] if candidates is None else candidates
    return ReviewItem(
        tenant_id=question.tenant_id,
        agent_id=question.agent_id,
        call_id=question.call_id,
        seq=question.seq,
        question=question.question,
        cause=why,
        asked_at_ms=question.asked_at_ms,
        candidates=tuple(handed),
        status=said.status,
        answerable=said.answerable,
        entries=said.entries,
        judge=verdict.judge,
    )
