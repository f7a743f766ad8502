"""`turn.utterances`: what the caller said."""

from dataclasses import dataclass
from typing import Literal

from topics.fields import EpochMs, Id, Seq


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One caller utterance; one decision answers it."""

    #: Whose call this is; state is never shared between tenants.
    tenant_id: Id
    #: The agent that leads the call; names the profile.
    agent_id: Id
    #: The call; also the Kafka key.
    call_id: Id
    #: Which turn of the call, from 0; a turn has one decision.
    seq: Seq
    #: What the caller said, as recognised. User text: never logged.
    text: str
    #: When the caller finished saying it, Unix epoch, milliseconds; an utterance that is older than
    #: its budget when it arrives is not judged. A time that its Kafka record contradicts
    #: (in the future, or ten minutes before the record) is counted, and the record's time is used.
    said_at_ms: EpochMs
    #: What the recogniser took the language to be, a BCP 47 tag; a language that is not trained
    #: bypasses, anything else changes nothing.
    language: str | None = None
    #: What the agent had just said. User text: never logged.
    agent_text: str | None = None
    #: Version of this event's format.
    schema_version: Literal[1] = 1
