"""`kb.gap.actions`: what is to become of a gap; people's decisions, and the worker's own merges."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from topics.fields import EpochMs, Id


class GapActionKind(StrEnum):
    """What is to be done."""

    #: An entry was written for it.
    ADDED = "added"
    #: No entry is wanted.
    DISMISSED = "dismissed"
    #: It is open again.
    REOPEN = "reopen"
    #: It becomes a part of another gap.
    MERGE = "merge"
    #: One wording of it becomes a gap of its own.
    SPLIT = "split"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapAction:
    """One decision on one gap; doing it again changes nothing."""

    #: The decision.
    action_id: Id
    #: Whose gap it is; also the Kafka key, so that it reaches the worker of the tenant's items.
    tenant_id: Id
    #: The gap.
    gap_id: Id
    #: What is to be done.
    kind: GapActionKind
    #: The entry that was written; only with `added`, and not needed there.
    entry_id: Id | None = None
    #: The gap that it becomes a part of; with `merge`.
    into: Id | None = None
    #: The wording that leaves, masked, as the gap has it; with `split`.
    example: str | None = None
    #: When it was decided, Unix epoch, milliseconds.
    decided_at_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1
