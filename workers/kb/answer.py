"""
One question, one verdict: the order of its steps, and every way it can end.

The rules of a verdict are in `models.kb.verdict`; here is what they are applied to. Nothing is
tried twice, and whatever fails leaves the candidates in search order, with a status that says so.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.errors import InferenceError
from models.kb import JUDGED, Found, Index, Ruling, rule, shown
from models.kb.index import Encodes
from models.kb.reading import question_text
from models.runtime import Cancel
from topics.entry import KbEntry
from topics.profile import AgentProfile, Mode
from topics.question import CandidateEntry, KbQuestion
from topics.verdict import JudgedEntry, KbVerdict, VerdictStatus, verdict_id
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.hot.receipt import Receipt
from workers.hot.stopwatch import Stopwatch
from workers.inference import Inference, Priority
from workers.kb.entries import Entries
from workers.kb.judges import AnswerJudge, Opinion

_log = logging.getLogger(__name__)

#: Kept of the budget for storing and publishing the verdict, milliseconds.
RESERVE_MS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What answering needs; one a worker."""

    judge: AnswerJudge
    index: Index
    entries: Entries
    encoder: Encodes
    inference: Inference
    #: The newest known profile of each (tenant, agent).
    profiles: Mapping[tuple[str, str], AgentProfile]
    #: Time from receipt within which a verdict is stored.
    budget_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question on its way to a verdict, with its candidates."""

    question: KbQuestion
    #: The question as judges read it.
    text: str
    receipt: Receipt
    stopwatch: Stopwatch
    mode: Mode
    #: When judging ends.
    deadline: Deadline
    #: Older than its budget when it arrived, so that nobody waits for it any more.
    stale: bool
    #: In search order.
    candidates: tuple[KbEntry | CandidateEntry, ...]
    #: Cosine of the question with each, where our search found them; else empty.
    cosines: tuple[float, ...] = ()
    #: Why there may be fewer candidates than there are; None where nothing went wrong.
    search_failed: VerdictStatus | None = None


async def look_up(desk: Desk, question: KbQuestion, receipt: Receipt) -> Asked:
    """Find mode and candidates of a question: the agent's own, or what our search finds."""
    stopwatch = Stopwatch()
    stopwatch.note("kb_wait", receipt.elapsed_ms)
    profile = desk.profiles.get((question.tenant_id, question.agent_id))
    deadline = receipt.deadline(desk.budget_ms - RESERVE_MS)
    stale = receipt.age_ms > desk.budget_ms
    text = question_text(question.question)
    candidates: Sequence[KbEntry | CandidateEntry] = question.candidates
    found: Sequence[Found] = ()
    failed = None
    if not candidates:
        with stopwatch.stage("kb_search"):
            found, failed = await _search(desk, question.tenant_id, text, deadline, stale=stale)
        candidates = [one.entry for one in found]
    return Asked(
        question=question,
        text=text,
        receipt=receipt,
        stopwatch=stopwatch,
        mode=Mode.OFF if profile is None else profile.knowledge.mode,
        deadline=deadline,
        stale=stale,
        candidates=tuple(candidates),
        cosines=tuple(one.cosine for one in found),
        search_failed=failed,
    )


async def judge(desk: Desk, asked: Asked) -> Ruling:
    """Judge a question as live mode does, whatever its mode is."""
    opinion = Opinion()
    entries = [shown(one) for one in asked.candidates[:JUDGED]]
    if entries and asked.text and not asked.stale and asked.search_failed is None:
        with asked.stopwatch.stage("kb_judge"):
            opinion = await desk.judge.judge(asked.text, entries, asked.deadline)
    return _ruling(desk, asked, opinion, Mode.LIVE)


def unjudged(desk: Desk, asked: Asked) -> Ruling:
    """Rule without a judge: search order."""
    return _ruling(desk, asked, Opinion(), asked.mode)


def write(desk: Desk, asked: Asked, ruling: Ruling) -> KbVerdict:
    """Write the verdict."""
    question = asked.question
    total_ms = round(asked.receipt.elapsed_ms, 3)
    return KbVerdict(
        verdict_id=verdict_id(question.tenant_id, question.call_id, question.seq),
        tenant_id=question.tenant_id,
        call_id=question.call_id,
        seq=question.seq,
        status=ruling.status,
        answerable=ruling.answerable,
        entries=ruling.entries,
        agent_id=question.agent_id,
        mode=asked.mode,
        judge=desk.judge.name,
        threshold=desk.judge.threshold,
        received_at_ms=asked.receipt.at_ms,
        decided_at_ms=int(time.time() * 1e3),
        timings_ms=asked.stopwatch.timings_ms | {"total": total_ms},
    )


def fallen_back(question: KbQuestion) -> KbVerdict:
    """Write the verdict on a question that met a fault of this code: the agent's own order."""
    ids = [one.entry_id for one in question.candidates]
    return KbVerdict(
        verdict_id=verdict_id(question.tenant_id, question.call_id, question.seq),
        tenant_id=question.tenant_id,
        call_id=question.call_id,
        seq=question.seq,
        status=VerdictStatus.ERROR,
        entries=tuple(JudgedEntry(entry_id=name, rank=rank) for rank, name in enumerate(ids)),
        agent_id=question.agent_id,
        decided_at_ms=int(time.time() * 1e3),
    )


async def _search(
    desk: Desk, tenant_id: str, text: str, deadline: Deadline, *, stale: bool
) -> tuple[Sequence[Found], VerdictStatus | None]:
    """Entries in search order, and what kept us from finding all of them."""
    if stale:
        return (), VerdictStatus.TIMEOUT

    def work(cancel: Cancel) -> tuple[Found, ...]:
        (vector,) = desk.encoder.encode([text], cancel)
        return desk.index.search(tenant_id, text, now_ms=int(time.time() * 1e3), vector=vector)

    ready = desk.entries.ready
    try:
        found = await desk.inference.run(work, deadline=deadline, priority=Priority.QUESTION)
    except TooLate:
        return (), VerdictStatus.TIMEOUT
    except InferenceError as error:
        _log.error("kb_search_failed", extra={"error": type(error).__name__})
        return (), VerdictStatus.ERROR
    # Before all entries are in the index, that none answers says nothing.
    return found, None if ready else VerdictStatus.ERROR


def _ruling(desk: Desk, asked: Asked, opinion: Opinion, mode: Mode) -> Ruling:
    ids = [one.entry_id for one in asked.candidates]
    threshold = desk.judge.threshold
    if asked.search_failed is not None:
        order = rule(ids, (), mode=Mode.OFF, threshold=threshold).entries
        return Ruling(status=asked.search_failed, answerable=None, entries=order)
    if not asked.text and mode is Mode.LIVE:
        # Nothing was asked, so there is nothing to judge.
        order = rule(ids, (), mode=Mode.OFF, threshold=threshold).entries
        return Ruling(status=VerdictStatus.APPLIED, answerable=None, entries=order)
    return rule(
        ids,
        opinion.judged,
        mode=mode,
        failed=opinion.failed,
        threshold=threshold,
        cosines=asked.cosines,
    )
