"""`kb.gaps`: the backlog of the knowledge-base team; compacted, one record a gap."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from topics.fields import Count, EpochMs, Id


class GapState(StrEnum):
    """Where a gap stands."""

    #: Callers ask and no entry answers.
    OPEN = "open"
    #: Somebody wrote an entry for it.
    ADDED = "added"
    #: Somebody decided that no entry is wanted.
    DISMISSED = "dismissed"
    #: The knowledge base answers it now.
    COVERED = "covered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One question that callers ask and the knowledge base does not answer."""

    #: The gap; also the Kafka key.
    gap_id: Id
    #: Whose knowledge base lacks it.
    tenant_id: Id
    #: Where it stands.
    state: GapState
    #: How many callers asked.
    count: Count
    #: Languages they asked in.
    languages: tuple[str, ...]
    #: A few of the questions, masked.
    examples: tuple[str, ...]
    #: When it was first asked, Unix epoch, milliseconds.
    first_seen_ms: EpochMs
    #: When it was last asked, Unix epoch, milliseconds.
    last_seen_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1
