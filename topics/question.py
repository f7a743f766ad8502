"""`kb.questions`: a question of a caller, with or without candidates."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from topics.fields import EpochMs, Id, Seq

#: Candidates that one question may bring, so that a verdict on all of them is a record that every
#: broker takes.
MAX_CANDIDATES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateEntry:
    """An entry that the agent itself retrieved."""

    #: The entry.
    entry_id: Id
    #: What it is about.
    title: str
    #: What it says.
    content: str
    #: Where it belongs.
    category: str | None = None
    #: Language of the content, as a BCP 47 tag.
    lang: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class KbQuestion:
    """One question; one verdict answers it."""

    #: Whose call this is.
    tenant_id: Id
    #: The agent that leads the call.
    agent_id: Id
    #: The call; also the Kafka key.
    call_id: Id
    #: Which turn of the call asked it.
    seq: Seq
    #: The question. User text: never logged.
    question: str
    #: When it was asked, Unix epoch, milliseconds; one older than its budget on arrival is not
    #: judged. The deadline counts from receipt.
    asked_at_ms: EpochMs
    #: The agent's own candidates in search order, the first eight are judged; without any we
    #: search ourselves.
    candidates: Annotated[tuple[CandidateEntry, ...], Meta(max_length=MAX_CANDIDATES)] = ()
    #: Version of this event's format.
    schema_version: Literal[1] = 1
