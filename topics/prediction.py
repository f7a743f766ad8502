"""`turn.predictions`: what the caller may say next, each with a prepared response."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from topics.fields import DurationMs, EpochMs, Id, Seq

#: More predictions than this for one turn are a producer's mistake.
MAX_PREDICTIONS = 64
#: How long predictions of a turn live when the event does not say, milliseconds: ten minutes,
#: longer than a caller stays silent.
DEFAULT_TTL_MS = 600_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One expected utterance."""

    #: Identifies the prediction within its turn.
    prediction_id: Id
    #: The utterance that is expected.
    text: Annotated[str, Meta(min_length=1)]
    #: Where the prepared response lies, for agents that keep the audio themselves.
    response_ref: str | None = None
    #: The prepared response itself, any JSON; handed back unread.
    response: Any = None
    #: Playing it does something (books, cancels, pays): never served from the cache.
    side_effect: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPredictions:
    """All predictions of one coming turn; a newer event for that turn replaces an older one."""

    #: Whose call this is.
    tenant_id: Id
    #: The agent that leads the call.
    agent_id: Id
    #: The call; also the Kafka key.
    call_id: Id
    #: The turn that is expected; the predictions serve no other.
    seq: Seq
    #: When the agent made them, Unix epoch, milliseconds; the newest wins.
    created_at_ms: EpochMs
    #: The predictions, best first.
    predictions: Annotated[tuple[Prediction, ...], Meta(max_length=MAX_PREDICTIONS)]
    #: How long they may be served, milliseconds from receipt.
    ttl_ms: DurationMs = DEFAULT_TTL_MS
    #: Version of this event's format.
    schema_version: Literal[1] = 1
