"""
One item of `kb.review` on its way to a finding; what a finding does to the gaps is elsewhere.

1. Mask, before anything else sees the question.
2. Re-judge what the verdict did not know.
3. Look deeper than it did.
4. Say why what is left stays unanswered.

Nothing here depends on what was asked before, so items may be on their way together.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from models.encoder import Vectors
from models.gaps.reasons import Classified, Reason
from models.kb import JUDGED, Found, Index, Shown, shown
from models.kb.index import Encodes
from models.runtime import Cancel
from topics.review import ReviewItem
from topics.reviewed import ReviewResult
from workers.deadline import Deadline
from workers.inference import Inference
from workers.slow.judging import PatientJudge
from workers.slow.knowledge import Knowledge
from workers.slow.marks import wording
from workers.slow.masked import language_of, masked_question
from workers.slow.running import run

#: Entries of our own search that are judged before a question counts as unanswered.
DEPTH = 50
#: Of those, how many a suggestion may quote.
NEAR = 5
#: Results by what the classifier says.
_RESULTS = {
    Reason.OFF_TOPIC: ReviewResult.OFF_TOPIC,
    Reason.NEEDS_LIVE_DATA: ReviewResult.NEEDS_LIVE_DATA,
    Reason.UNCLEAR: ReviewResult.UNCLEAR,
    Reason.MISSING_KNOWLEDGE: ReviewResult.MISSING_KNOWLEDGE,
}


class Classifies(Protocol):
    """Says why questions stayed unanswered."""

    def classify(
        self,
        questions: Sequence[str],
        vectors: Vectors,
        nearness: Sequence[float | None] | None = None,
    ) -> list[Classified]:
        """Classify N masked questions by their (N, D) vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewer:
    """What reviewing needs; one a worker."""

    judge: PatientJudge
    index: Index
    #: Names the state of the entries that a question is judged by.
    knowledge: Knowledge
    encoder: Encodes
    inference: Inference
    #: None where there is no classifier: then everything unanswered counts as missing.
    classifier: Classifies | None
    depth: int = DEPTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What is known of a question when its review is done."""

    #: Masked and cleaned. User text all the same: never logged.
    text: str
    language: str
    result: ReviewResult
    #: The entry that holds the answer, if one does, and its place in our search.
    entry_id: str | None = None
    rank: int | None = None
    #: (D,) of the question; None where its result needs none.
    vector: Vectors | None = None
    #: The nearest entries, nearest first.
    near: tuple[Shown, ...] = ()
    #: The judge and the entries that it was judged by; empty where nobody could judge.
    judged_by: str = ""


async def review(reviewer: Reviewer, item: ReviewItem, give_up: Deadline) -> Finding:
    """
    Review an item.

    Args:
        reviewer: what it needs.
        item: as it came; from here on only the masked question is used.
        give_up: when a judge that does not answer is given up.

    Raises:
        InferenceError: a model in this process fails, again and again.

    """
    text, language = await asyncio.to_thread(_masked, item.question)
    if not wording(text):
        return Finding(text=text, language=language, result=ReviewResult.UNCLEAR)
    known = await _answered(reviewer, item, text, give_up)
    if known is not None:
        return Finding(text=text, language=language, result=ReviewResult.ANSWERED, entry_id=known)
    state = reviewer.knowledge.state(item.tenant_id)
    vector, found = await look(reviewer, item.tenant_id, text)
    late = await _found_late(reviewer, item, text, found, give_up)
    if isinstance(late, Found):
        return Finding(
            text=text,
            language=language,
            result=ReviewResult.ANSWERED
            if _was_brought(item, late)
            else ReviewResult.NOT_RETRIEVED,
            entry_id=late.entry.entry_id,
            rank=late.rank,
        )
    result = await why(reviewer, text, vector, found)
    if result is ReviewResult.MISSING_KNOWLEDGE and not late:
        result = ReviewResult.NOT_JUDGED
    return Finding(
        text=text,
        language=language,
        result=result,
        vector=vector,
        near=tuple(shown(one.entry) for one in found[:NEAR]),
        judged_by=state if late else "",
    )


async def look(reviewer: Reviewer, tenant_id: str, text: str) -> tuple[Vectors, tuple[Found, ...]]:
    """
    Encode a masked question, (D,), and find the entries nearest to it.

    Raises:
        InferenceError: the encoder fails, again and again.

    """

    def work(cancel: Cancel) -> tuple[Vectors, tuple[Found, ...]]:
        (vector,) = reviewer.encoder.encode([text], cancel)
        now_ms = int(time.time() * 1e3)
        return vector, reviewer.index.search(
            tenant_id, text, now_ms=now_ms, limit=reviewer.depth, vector=vector
        )

    return await run(reviewer.inference, work)


async def why(
    reviewer: Reviewer, text: str, vector: Vectors, found: Sequence[Found]
) -> ReviewResult:
    """
    Say why a question stays unanswered.

    Args:
        reviewer: what it needs.
        text: masked and cleaned.
        vector: (D,) of the question.
        found: what search found for it.

    """
    classifier = reviewer.classifier
    if classifier is None:
        return ReviewResult.MISSING_KNOWLEDGE
    nearness = max((one.cosine for one in found), default=None)
    (said,) = await asyncio.to_thread(classifier.classify, [text], vector[None, :], [nearness])
    return _RESULTS[said.reason]


def _masked(question: str) -> tuple[str, str]:
    text = masked_question(question)
    return text, language_of(text)


async def _answered(
    reviewer: Reviewer, item: ReviewItem, text: str, give_up: Deadline
) -> str | None:
    """The entry that answers among those that the verdict was about; None where none is known."""
    if item.answerable and item.entries:
        return item.entries[0].entry_id
    if _is_judged(reviewer, item) or not item.candidates:
        return None
    entries = [shown(one) for one in item.candidates]
    said = await reviewer.judge.first_answer(text, entries, give_up)
    return None if said.place is None else item.candidates[said.place].entry_id


async def _found_late(
    reviewer: Reviewer,
    item: ReviewItem,
    text: str,
    found: Sequence[Found],
    give_up: Deadline,
) -> Found | bool:
    """What answers among the entries that our search finds; else whether they were judged."""
    done: set[str] = set()
    if _is_judged(reviewer, item) and not item.candidates:
        # Our own search brought these, and the same judge has read them.
        done = {one.entry_id for one in item.entries if one.probabilities}
    left = [one for one in found if one.entry.entry_id not in done]
    said = await reviewer.judge.first_answer(text, [shown(one.entry) for one in left], give_up)
    return said.judged if said.place is None else left[said.place]


def _is_judged(reviewer: Reviewer, item: ReviewItem) -> bool:
    """Tell whether this very judge has said in time that nothing answers."""
    return item.answerable is False and item.judge is not None and item.judge == reviewer.judge.name


def _was_brought(item: ReviewItem, found: Found) -> bool:
    """Tell whether search had brought an entry to the judge."""
    if not item.entries and not item.candidates:
        return found.rank < JUDGED
    brought = {one.entry_id for one in item.entries if one.rank < JUDGED}
    return found.entry.entry_id in brought | {one.entry_id for one in item.candidates[:JUDGED]}
