"""`kb.verdicts`: which entry contains the answer, if any."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from topics.fields import Count, EpochMs, Id, Seq


class VerdictStatus(StrEnum):
    """How a verdict came about; a degraded judge is visible."""

    #: The agent has the judge off; entries are in search order.
    DISABLED = "disabled"
    #: Judged and reported; entries are in search order.
    SHADOW = "shadow"
    #: Everything was judged; entries are in the new order.
    APPLIED = "applied"
    #: Some entries were judged in time; the rest keep their search order.
    PARTIAL = "partial"
    #: Nothing was judged before the deadline.
    TIMEOUT = "timeout"
    #: The judge failed.
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEntry:
    """One entry in the new order."""

    #: The entry.
    entry_id: str
    #: Position in search order, from 0.
    rank: Count
    #: 0 other subject, 1 same topic but not the asked fact, 2 part of the answer, 3 the answer;
    #: null if unjudged.
    level: Annotated[int, Meta(ge=0, le=3)] | None = None
    #: Probability of each level, lowest first; empty if unjudged.
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KbVerdict:
    """The one verdict for one question."""

    #: Deterministic from tenant, call and seq.
    verdict_id: str
    #: Whose call this is: the question's.
    tenant_id: Id
    #: The call; also the Kafka key.
    call_id: Id
    #: Which turn of the call asked.
    seq: Seq
    #: How the verdict came about.
    status: VerdictStatus
    #: True, false, or null where something was not judged in time.
    answerable: bool | None = None
    #: Entries in the order to use.
    entries: tuple[JudgedEntry, ...] = ()
    #: When the verdict was made, Unix epoch, milliseconds.
    decided_at_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1
