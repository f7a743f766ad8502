"""`agent.profiles`: how each agent wants to be served; compacted, the latest version counts."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta

from topics.fields import MAX_EXACT, DurationMs, Id

#: Phrases that callers or writers use; what is longer than an utterance may be is left out by the
#: router, and what is longer than this is no phrase.
Phrase = Annotated[str, Meta(max_length=1_600)]
#: One list of phrases.
PhraseList = Annotated[tuple[Phrase, ...], Meta(max_length=1_000)]


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
    #: Share of routed phrases that must be right on validation; where no threshold holds it, none
    #: is routed.
    target_accuracy: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.95
    #: Share of utterances that none of the intents answers, as production has it; 20 % where nobody
    #: has measured it.
    out_of_scope_share: Annotated[float, Meta(ge=0.0, le=0.95)] = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeProfile:
    """The knowledge-base judge for one agent."""

    #: Off until the agent's owner says otherwise.
    mode: Mode = Mode.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A common intent with its prepared response."""

    #: Name within the agent; one that stands twice is not routed.
    name: Id
    #: Phrases that callers use for it, in every language that they speak; with one that denies
    #: something ("I can not log in") where callers may say it so.
    examples: PhraseList
    #: Where the prepared response lies.
    response_ref: str | None = None
    #: The prepared response itself, any JSON.
    response: Any = None
    #: Playing the response does something (books, cancels, pays), so it is never played.
    side_effect: bool = False


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
    intents: Annotated[tuple[Intent, ...], Meta(max_length=256)] = ()
    #: Phrases by intent, to choose the router's threshold on; other ones than the examples, and in
    #: every language that callers speak.
    validation_phrases: Annotated[dict[str, PhraseList], Meta(max_length=256)] = field(
        default_factory=dict
    )
    #: Phrases that no intent answers.
    out_of_scope_phrases: Annotated[tuple[Phrase, ...], Meta(max_length=5_000)] = ()
    #: Version of this event's format.
    schema_version: Literal[1] = 1
