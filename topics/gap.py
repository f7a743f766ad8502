"""`kb.gaps`: the backlog of the knowledge-base team; compacted, one record a gap."""

from dataclasses import dataclass, field
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


class GapReason(StrEnum):
    """Why it is a gap."""

    #: Everything near was judged and nothing holds the answer.
    MISSING_KNOWLEDGE = "missing_knowledge"
    #: Nobody could judge whether an entry holds the answer: it may well be there.
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often something was asked, and when."""

    #: How many callers asked.
    count: Count
    #: When it was first asked, Unix epoch, milliseconds.
    first_seen_ms: EpochMs
    #: When it was last asked, Unix epoch, milliseconds.
    last_seen_ms: EpochMs
    #: How many asked on each day, UTC, as 2026-11-30; the latest days only.
    days: dict[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GapMember:
    """One wording of a gap."""

    #: The question, masked. User text all the same: never logged.
    text: str
    #: Language that it is asked in: "en", "hi", "hinglish", "ar", or "und" where it is not known.
    language: str
    #: How often it was asked in just these words.
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class GapSuggestion:
    """What a writer may start an entry from; all of it is taken from the evidence word for word."""

    #: The clearest question.
    title: str
    #: The clearest questions by language, masked.
    questions: dict[str, tuple[str, ...]]
    #: Sentences of near entries that speak of the same.
    quotes: tuple[str, ...] = ()
    #: What is to be filled in.
    blanks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GapMemory:
    """What the slow worker itself needs to know of a gap; of no use to others, and bounded."""

    #: Wordings that new questions are held against.
    members: tuple[GapMember, ...] = ()
    #: What was asked in wordings that are not kept.
    rest: Tally | None = None
    #: Digests of all wordings, 8 bytes each, base64.
    wordings: str = ""
    #: Digests of the items that were counted last, 8 bytes each, base64.
    items: str = ""
    #: Partition of `kb.review` that the items came from.
    partition: Count = 0
    #: Offset of the last item that was counted.
    offset: Count = 0
    #: Latest record time of the items that were counted; tells a topic that began anew.
    recorded_at_ms: EpochMs = 0
    #: Actions that were applied last.
    actions: tuple[Id, ...] = ()
    #: Digest of the judge and the entries by which it was judged last.
    judged: str = ""


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
    #: How many asked on each day, UTC, as 2026-11-30; the latest days only.
    days: dict[str, Count] = field(default_factory=dict)
    #: Why it is a gap.
    reason: GapReason = GapReason.MISSING_KNOWLEDGE
    #: The entry that was written for it, or that covers it.
    entry_id: Id | None = None
    #: What a writer may start from.
    suggestion: GapSuggestion | None = None
    #: The gap that this one became a part of; nothing is counted here any more.
    merged_into: Id | None = None
    #: The gaps that became a part of this one.
    merged_from: tuple[Id, ...] = ()
    #: The gap that this one was a part of.
    split_from: Id | None = None
    #: When anything of it last changed, Unix epoch, milliseconds.
    updated_at_ms: EpochMs = 0
    #: For the slow worker.
    memory: GapMemory = field(default_factory=GapMemory)
    #: Version of this event's format.
    schema_version: Literal[1] = 1
