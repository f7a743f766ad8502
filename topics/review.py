"""`kb.review`: what the hot path hands to the slow path; internal, kept briefly."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from topics.fields import EpochMs, Id, Seq
from topics.question import CandidateEntry
from topics.verdict import JudgedEntry, VerdictStatus


class ReviewCause(StrEnum):
    """Why an item is reviewed."""

    #: It is not known whether it is answered: the judge was not done before the deadline, or it
    #: failed, or there is none.
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
    #: The agent's own candidates that were to be judged, in search order; empty where it brought
    #: none and we searched, or where they are too large for this record.
    candidates: tuple[CandidateEntry, ...] = ()
    #: How the verdict came about; in shadow mode, how it would have live.
    status: VerdictStatus | None = None
    #: Whether it is answered, as far as the judge knew in time; in shadow mode too.
    answerable: bool | None = None
    #: Entries in the order of the verdict, with what the judge said in time; in shadow mode the
    #: order that live would have had.
    entries: tuple[JudgedEntry, ...] = ()
    #: What judged, as in the verdict.
    judge: str | None = None
    #: Version of this event's format.
    schema_version: Literal[1] = 1
