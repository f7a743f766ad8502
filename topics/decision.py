"""`turn.decisions`: what the agent is to do with one caller turn."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from topics.fields import Count, EpochMs, Id, Seq
from topics.profile import Mode


class Kind(StrEnum):
    """What to do."""

    #: Play the prepared response of the named prediction.
    SERVE = "serve"
    #: Play the prepared response of the named intent.
    ROUTE = "route"
    #: Ask the LLM: nothing prepared fits, or we could not tell in time.
    MISS = "miss"
    #: Ask the LLM: the turn was not eligible, so nothing was judged.
    BYPASS = "bypass"


class Status(StrEnum):
    """How the decision came about."""

    #: As it should.
    OK = "ok"
    #: The conservative tier decided because the judge could not.
    DEGRADED = "degraded"
    #: Not decided before the deadline.
    TIMEOUT = "timeout"
    #: Something this worker needs failed.
    ERROR = "error"


class Reason(StrEnum):
    """Why; a fixed set, so that it can label metrics."""

    #: Serve: the cleaned utterance equals a prediction.
    EXACT = "exact"
    #: Serve: the judge is sure of one prediction.
    JUDGED = "judged"
    #: Serve: without a judge, and nearly the same text by cosine.
    CONSERVATIVE = "conservative"
    #: Route: the router is sure of one intent.
    ROUTED = "routed"
    #: Bypass: nothing is left after cleaning.
    EMPTY = "empty"
    #: Bypass: more text than we read.
    TOO_LONG = "too_long"
    #: Bypass: not surely a language that the bundle was trained on.
    LANGUAGE = "language"
    #: Bypass: the start of a sentence, without content.
    FRAGMENT = "fragment"
    #: Bypass: an answering machine speaks.
    VOICEMAIL = "voicemail"
    #: Bypass: no profile of this agent has arrived.
    UNKNOWN_AGENT = "unknown_agent"
    #: Bypass: the agent's profile has the match gate off.
    OFF = "off"
    #: Miss: a newer turn of this call was already seen.
    STALE_TURN = "stale_turn"
    #: Miss: no predictions for this turn are in the cache.
    NO_PREDICTIONS = "no_predictions"
    #: Miss: a guard took out every prediction that was close.
    GUARDED = "guarded"
    #: Miss: no prediction reaches the threshold.
    BELOW_THRESHOLD = "below_threshold"
    #: Miss: the second opinion disagreed.
    SECOND_OPINION = "second_opinion"
    #: Miss: two predictions with different responses are equally good.
    TIE = "tie"
    #: Miss: the best prediction's response does something, so it is never played.
    SIDE_EFFECT = "side_effect"
    #: Miss: the agent is in shadow mode; `would_have` says what live would have done.
    SHADOW = "shadow"
    #: Miss: a newer version of the profile exists than this worker has read.
    PROFILE_BEHIND = "profile_behind"
    #: Miss, timeout: older than its budget when it arrived.
    LATE_ON_ARRIVAL = "late_on_arrival"
    #: Miss, timeout: not decided in time.
    DEADLINE = "deadline"
    #: Miss, error: the cache did not answer.
    CACHE_UNAVAILABLE = "cache_unavailable"
    #: Miss, error: the cache held something that we did not write.
    CACHE_GARBAGE = "cache_garbage"
    #: Miss, error: the cache was not asked, since it failed just before.
    BREAKER_OPEN = "breaker_open"
    #: Miss, error: a model failed.
    INFERENCE_FAILED = "inference_failed"
    #: Miss, error: a fault of ours.
    INTERNAL = "internal"
    #: Beside another: no judge could be used.
    JUDGE_DEGRADED = "judge_degraded"
    #: Beside another: the router is in shadow mode; `would_have` says what live would have done.
    ROUTE_SHADOW = "route_shadow"
    #: Beside another: no intent is clear enough.
    ROUTE_UNCLEAR = "route_unclear"
    #: Beside another: the clear intent, or the threshold, is not prepared for this language.
    ROUTE_LANGUAGE = "route_language"
    #: Beside another: it denies something and no phrase of the clear intent does, or the reverse.
    ROUTE_NEGATION = "route_negation"
    #: Beside another: more text than the encoder reads, so no intent was looked for.
    ROUTE_TRUNCATED = "route_truncated"
    #: Beside another: the clear intent's response does something, so it is never played.
    ROUTE_SIDE_EFFECT = "route_side_effect"
    #: Beside another: the clear intent has no prepared response.
    ROUTE_NO_RESPONSE = "route_no_response"
    #: Beside another: the router of this version of the profile is still being compiled.
    ROUTE_NOT_READY = "route_not_ready"
    #: Beside another: the profile's phrases do not make a router that keeps its target.
    ROUTE_ABSTAINS = "route_abstains"
    #: Beside another, timeout: the deadline passed before the router could decide.
    ROUTE_DEADLINE = "route_deadline"
    #: Beside another, error: the encoder or the router failed.
    ROUTE_FAILED = "route_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A prediction as the gate saw it."""

    #: The prediction.
    prediction_id: str
    #: Cosine with the utterance, if it was compared.
    cosine: float | None = None
    #: The judge's logit, if it was judged.
    logit: float | None = None
    #: Its logit with the two texts exchanged, if it got this second opinion.
    reversed_logit: float | None = None
    #: The rule that took it out, if one did: `script`, `value`, `side_effect`, `denied`.
    guard: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteScores:
    """What the router saw, whether it was sure or not; the threshold is `thresholds.route`."""

    #: The best intent.
    candidate: str
    #: The second best; none where the agent has one intent only.
    runner_up: str | None = None
    #: Cosine of the utterance with the candidate's examples.
    score: float
    #: That cosine minus the best one of another intent.
    margin: float
    #: What is held against the threshold: the chance that the candidate is right.
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WouldHave:
    """What a shadow decision would have been live."""

    #: `serve` or `route`.
    kind: Kind
    #: The prediction that would have been served.
    prediction_id: str | None = None
    #: The intent that would have been routed to.
    intent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The one decision for one turn. `kind` is always what to do now, in every mode."""

    #: Deterministic from tenant, call and seq: a redelivered turn has the same one.
    decision_id: str
    #: Whose call this is: the utterance's.
    tenant_id: Id
    #: The agent that leads the call.
    agent_id: Id
    #: The call; also the Kafka key.
    call_id: Id
    #: The turn that this decides; never play it over another one.
    seq: Seq
    #: What to do.
    kind: Kind
    #: How the decision came about.
    status: Status
    #: The mode of the match gate for this agent.
    mode: Mode
    #: Why, most important first.
    reasons: tuple[Reason, ...]
    #: The mode of the intent router for this agent.
    route_mode: Mode = Mode.OFF
    #: True only where a prepared response may be played now.
    playable: bool = False
    #: The prediction to serve.
    prediction_id: str | None = None
    #: The intent to route to.
    intent: str | None = None
    #: Where the prepared response lies.
    response_ref: str | None = None
    #: The prepared response itself, as the agent gave it.
    response: Any = None
    #: In shadow mode: what live would have done.
    would_have: WouldHave | None = None
    #: Language the guard read: en, hi, hinglish, ar, mixed or none.
    language: str | None = None
    #: The best candidates, best first.
    candidates: tuple[Candidate, ...] = ()
    #: What the router saw; none where it was not asked or could not look.
    route: RouteScores | None = None
    #: How many predictions the turn had.
    predictions: Count = 0
    #: Thresholds in force, by name, in the space of the score they bound.
    thresholds: dict[str, float] = field(default_factory=dict)
    #: Fingerprints of the bundles that decided, by kind.
    bundles: dict[str, str] = field(default_factory=dict)
    #: Version of the agent's profile.
    profile_version: Count | None = None
    #: When the worker received the utterance, Unix epoch, milliseconds.
    received_at_ms: EpochMs
    #: When the decision was made, Unix epoch, milliseconds.
    decided_at_ms: EpochMs
    #: Time that each stage took, milliseconds; `total` is receipt to decision.
    timings_ms: dict[str, float] = field(default_factory=dict)
    #: Version of this event's format.
    schema_version: Literal[1] = 1


def decision_id(tenant_id: str, call_id: str, seq: int) -> str:
    """Name the decision of a turn; parts are length-prefixed so that no two turns share a name."""
    digest = hashlib.sha256()
    for part in (tenant_id, call_id, str(seq)):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(4, "big") + raw)
    return digest.hexdigest()[:32]
