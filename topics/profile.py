"""`agent.profiles`: how each agent wants to be served; compacted, the latest version counts."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta

from topics.fields import MAX_EXACT, DurationMs, Id


class Mode(StrEnum):
    """What a feature does for an agent."""

    #: Nothing.
    OFF = "off"
    #: Decides and reports, never plays.
    SHADOW = "shadow"
    #: Decides and plays.
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProfile:
    """The match gate for one agent; thresholds may only tighten the bundle's."""

    #: Off until the agent's owner says otherwise.
    mode: Mode = Mode.OFF
    #: Judge threshold, logit; used where it is above the bundle's.
    min_logit: float | None = None
    #: Deadline from receipt, milliseconds; used where it is below the worker's.
    budget_ms: DurationMs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterProfile:
    """The intent router for one agent."""

    #: Off until the agent's owner says otherwise.
    mode: Mode = Mode.OFF
    #: Share of answered phrases that must be right on validation.
    target_accuracy: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeProfile:
    """The knowledge-base judge for one agent."""

    #: Off until the agent's owner says otherwise.
    mode: Mode = Mode.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A common intent with its prepared response."""

    #: Name within the agent.
    name: Id
    #: Phrases that callers use for it.
    examples: tuple[str, ...]
    #: Where the prepared response lies.
    response_ref: str | None = None
    #: The prepared response itself, any JSON.
    response: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentProfile:
    """Everything that Turngate knows about one agent."""

    #: The tenant that owns the agent.
    tenant_id: Id
    #: The agent; the Kafka key is tenant and agent.
    agent_id: Id
    #: Grows with every change; an older version never replaces a newer one.
    version: Annotated[int, Meta(ge=1, le=MAX_EXACT)]
    #: The match gate.
    match: MatchProfile = field(default_factory=MatchProfile)
    #: The intent router.
    router: RouterProfile = field(default_factory=RouterProfile)
    #: The knowledge-base judge.
    knowledge: KnowledgeProfile = field(default_factory=KnowledgeProfile)
    #: Common intents.
    intents: tuple[Intent, ...] = ()
    #: Phrases with their intent, to choose the router's threshold on.
    validation_phrases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    #: Phrases that no intent answers.
    out_of_scope_phrases: tuple[str, ...] = ()
    #: Version of this event's format.
    schema_version: Literal[1] = 1
