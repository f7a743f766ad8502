"""`kb.reviewed`: the result for each reviewed item, masked."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from topics.fields import Count, EpochMs, Id, Seq


class ReviewResult(StrEnum):
    """What became of a reviewed question."""

    #: An entry that search had brought holds the answer.
    ANSWERED = "answered"
    #: An entry holds the answer, but search did not bring it.
    NOT_RETRIEVED = "not_retrieved"
    #: Not something that this knowledge base is for.
    OFF_TOPIC = "off_topic"
    #: Only live data answers it: an order, a balance, an appointment.
    NEEDS_LIVE_DATA = "needs_live_data"
    #: Nobody could tell what was asked.
    UNCLEAR = "unclear"
    #: The knowledge base should answer it and does not: a gap.
    MISSING_KNOWLEDGE = "missing_knowledge"
    #: Nobody could judge whether an entry holds the answer; it is kept as a gap that says so.
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedItem:
    """The result for one reviewed question."""

    #: Whose call it was; also the Kafka key.
    tenant_id: Id
    #: The call.
    call_id: Id
    #: Which turn of the call asked.
    seq: Seq
    #: The question with personal data masked.
    masked_question: str
    #: What became of it.
    result: ReviewResult
    #: The entry that holds the answer, if one does.
    entry_id: str | None = None
    #: Place of that entry in our own search, from 0; where search did not bring it.
    rank: Count | None = None
    #: The gap that the question belongs to, if it does.
    gap_id: str | None = None
    #: When it was reviewed, Unix epoch, milliseconds.
    reviewed_at_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1
