"""`kb.verdicts`: which entry contains the answer, if any."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from msgspec import Meta

from topics.fields import Count, EpochMs, Id, Seq, Share
from topics.profile import Mode


class VerdictStatus(StrEnum):
    """How a verdict came about; a degraded judge is visible."""

    #: The agent has the judge off; entries are in search order.
    DISABLED = "disabled"
    #: Entries are in search order; they are judged afterwards, for `kb.review` alone.
    SHADOW = "shadow"
    #: Everything was judged; entries are in the new order.
    APPLIED = "applied"
    #: Some entries were judged in time; the rest keep their search order.
    PARTIAL = "partial"
    #: Nothing was judged before the deadline; without entries, nothing was found before it.
    TIMEOUT = "timeout"
    #: There is no judge, or judge or search failed.
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
    #: Entries in the order to use: all candidates, or what our own search found.
    entries: tuple[JudgedEntry, ...] = ()
    #: The agent that leads the call: the question's.
    agent_id: Id | None = None
    #: The mode of the judge for this agent.
    mode: Mode = Mode.OFF
    #: What judges: `onnx:` and the fingerprint of its bundle, or `system_one:` and its model;
    #: null where there is none.
    judge: str | None = None
    #: Probability of at least a part of the answer from which an entry answers.
    threshold: Share | None = None
    #: When the worker received the question, Unix epoch, milliseconds.
    received_at_ms: EpochMs | None = None
    #: When the verdict was made, Unix epoch, milliseconds.
    decided_at_ms: EpochMs
    #: Time that each stage took, milliseconds; `total` is receipt to verdict.
    timings_ms: dict[str, float] = field(default_factory=dict)
    #: Version of this event's format.
    schema_version: Literal[1] = 1


def verdict_id(tenant_id: str, call_id: str, seq: int) -> str:
    """Name the verdict on a question; parts are length-prefixed so that no two share a name."""
    digest = hashlib.sha256()
    for part in ("verdict", tenant_id, call_id, str(seq)):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.hexdigest()[:32]
