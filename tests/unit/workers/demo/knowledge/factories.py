"""Makes questions, verdicts, results and gaps for the demo's tests."""

from typing import Any

from topics.codec import encode
from topics.entry import KbEntry
from topics.gap import Gap, GapReason, GapState
from topics.profile import Mode
from topics.reviewed import ReviewedItem, ReviewResult
from topics.verdict import JudgedEntry, KbVerdict, VerdictStatus, verdict_id
from workers.demo.knowledge.collect import Answer, Heard
from workers.demo.knowledge.data import DemoQuestion, KnowledgeData, QuestionKind
from workers.demo.knowledge.play import Asked


def make_question(question_id="q-1", **overrides):
    """Make a question that the entry `right` answers."""
    fields: dict[str, Any] = {
        "tenant": "t",
        "language": "en",
        "kind": QuestionKind.ANSWER,
        "answer": "right",
        "candidates": (),
        "gap": None,
        "hidden": None,
        "text": "when do you open",
    }
    return DemoQuestion(question_id=question_id, **(fields | overrides))


def make_unanswerable(question_id="q-1", **overrides):
    """Make a question that no entry answers."""
    return make_question(
        question_id, **({"kind": QuestionKind.MISSING, "answer": None} | overrides)
    )


def make_knowledge(*questions):
    """Make a knowledge base of two entries, and these questions."""
    entries = [
        KbEntry(tenant_id="t", entry_id=name, title=name, content=name)
        for name in ("right", "other")
    ]
    return KnowledgeData(entries=tuple(entries), questions=questions)


def make_verdict(question, order=(("right", 0, 3), ("other", 1, 1)), **overrides):
    """Make a verdict; its entries are name, rank in the search, and level."""
    fields: dict[str, Any] = {
        "status": VerdictStatus.APPLIED,
        "answerable": True,
        "mode": Mode.LIVE,
        "judge": "onnx:test",
        "decided_at_ms": 2,
        "timings_ms": {"total": 5.0},
    }
    return KbVerdict(
        verdict_id=verdict_id(*question.key),
        tenant_id=question.tenant,
        call_id=question.question_id,
        seq=0,
        entries=tuple(
            JudgedEntry(entry_id=name, rank=rank, level=level) for name, rank, level in order
        ),
        **(fields | overrides),
    )


def make_asked(*questions, **times):
    """Make what was asked: each question once at nine seconds, unless told otherwise."""
    return Asked(
        sent_s={question.key: 9.0 for question in questions},
        times={question.key: times.get(question.question_id, 1) for question in questions},
    )


def make_heard(*verdicts, reviewed=(), gaps=()):
    """Make what came, at ten seconds."""
    heard = Heard()
    for verdict in verdicts:
        answer = Answer(verdict=verdict, value=encode(verdict), at_s=10.0)
        heard.verdicts[verdict.tenant_id, verdict.call_id, verdict.seq].append(answer)
    for item in reviewed:
        heard.reviewed[item.tenant_id, item.call_id, item.seq] = item
    heard.gaps.update({gap.gap_id: gap for gap in gaps})
    heard.written.extend(encode(one) for one in (*reviewed, *gaps))
    return heard


def make_reviewed(question, **overrides):
    """Make the result of a question that belongs to the gap `g`."""
    fields: dict[str, Any] = {
        "masked_question": question.text,
        "result": ReviewResult.MISSING_KNOWLEDGE,
        "gap_id": "g",
        "reviewed_at_ms": 3,
    }
    return ReviewedItem(
        tenant_id=question.tenant,
        call_id=question.question_id,
        seq=0,
        **(fields | overrides),
    )


def make_gap(gap_id="g", **overrides):
    """Make an open gap that was asked once."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "state": GapState.OPEN,
        "count": 1,
        "languages": ("en",),
        "examples": ("is there parking",),
        "first_seen_ms": 1,
        "last_seen_ms": 1,
        "reason": GapReason.MISSING_KNOWLEDGE,
    }
    return Gap(gap_id=gap_id, **(fields | overrides))
