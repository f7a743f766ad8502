"""`kb.review`: what the hot path hands to the slow path; internal, kept briefly."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from topics.fields import EpochMs, Id, Seq


class ReviewCause(StrEnum):
    """Why an item is reviewed."""

    #: The judge was not done with it before its deadline.
    LATE = "late"
    #: Everything was judged and nothing holds the answer.
    UNANSWERABLE = "unanswerable"
    #: The agent runs the judge in shadow mode.
    SHADOW = "shadow"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """One question to look at again without a deadline."""

    #: Whose call this is; also the Kafka key.
    tenant_id: Id
    #: The agent that led the call.
    agent_id: Id
    #: The call.
    call_id: Id
    #: Which turn of the call asked.
    seq: Seq
    #: The question, not yet masked. User text: never logged.
    question: str
    #: Why it is reviewed.
    cause: ReviewCause
    #: When it was asked, Unix epoch, milliseconds.
    asked_at_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1
