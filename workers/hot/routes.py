"""
The router's step of a turn: where no prediction was served, is it one of the common intents?

It comes after the match gate has looked and not served, and it reuses the gate's vector of the
utterance. Whatever fails here leaves the decision that the gate had made, and says so.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from models.encoder import Encoder, Vectors
from models.errors import InferenceError
from models.router import Routed, Router
from models.router.withhold import unheard, withheld
from models.runtime import Cancel
from models.screen import Screened
from topics.decision import Kind, Reason, RouteScores, Status, WouldHave
from topics.profile import AgentProfile, Intent, Mode
from workers import metrics
from workers.errors import TooLate
from workers.hot.turn import Ending, Turn
from workers.inference import Inference, Priority

_log = logging.getLogger(__name__)

#: How the gate may have ended for the router to be asked. Not after `side_effect`: the caller said
#: what a prediction expects whose reply acts, so the LLM has to act. Not after errors and late or
#: stale turns either.
_OPEN = frozenset(
    {
        Reason.OFF,
        Reason.NO_PREDICTIONS,
        Reason.GUARDED,
        Reason.BELOW_THRESHOLD,
        Reason.SECOND_OPINION,
        Reason.TIE,
    }
)
#: Decimals of scores in a decision, as of the gate's.
_DECIMALS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A router with the one version of the profile that it routes for; swapped as a whole."""

    profile: AgentProfile
    router: Router
    #: The profile's intents by name.
    intents: Mapping[str, Intent]


#: The route of each (tenant, agent); what is not there is not ready.
Routes = Mapping[tuple[str, str], Route]


class Means(NamedTuple):
    """What the step needs; the hot path's own."""

    routes: Routes
    encoder: Encoder
    inference: Inference


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """What the router made of a turn."""

    #: `routed`, or why it did not route.
    reason: Reason
    mode: Mode
    #: Other than `ok` where something failed.
    status: Status = Status.OK
    #: The intent whose response may be played, in live mode.
    intent: Intent | None = None
    #: What it saw; None where it could not look.
    scores: RouteScores | None = None
    #: What the confidence was held against; None where it could not look.
    threshold: float | None = None
    #: Digest of the router that looked.
    digest: str | None = None


async def route(turn: Turn, ending: Ending, means: Means) -> Routing | None:
    """
    Ask the router about a turn that the gate has ended.

    Returns:
        None where it is not to be asked; then the gate's decision stands as it is. It never raises.

    """
    profile, screened = turn.profile, turn.screened
    if profile is None or screened is None or profile.router.mode is Mode.OFF:
        return None
    if not _may_follow(ending, profile):
        return None
    found = await _ask(turn, screened, profile, means)
    metrics.ROUTES.labels(found.reason, found.mode).inc()
    return found


def _may_follow(ending: Ending, profile: AgentProfile) -> bool:
    if ending.kind is Kind.SERVE:
        # A gate in shadow mode plays nothing, so the turn is still to be answered.
        return profile.match.mode is Mode.SHADOW
    return ending.reasons[0] in _OPEN


async def _ask(turn: Turn, screened: Screened, profile: AgentProfile, means: Means) -> Routing:
    mode = profile.router.mode
    ready = means.routes.get((profile.tenant_id, profile.agent_id))
    if ready is None or ready.profile is not profile:
        return Routing(reason=Reason.ROUTE_NOT_READY, mode=mode)
    refused = _refused(ready.router, screened, means.encoder)
    if refused is not None:
        return Routing(reason=refused, mode=mode, digest=ready.router.digest)
    try:
        vector = await _vector(turn, screened, means)
        with turn.stopwatch.stage("route"):
            routed = ready.router.route(vector)
            return _judged(routed, ready, screened, mode)
    except TooLate:
        return Routing(reason=Reason.ROUTE_DEADLINE, mode=mode, status=Status.TIMEOUT)
    except InferenceError:
        _log.exception("inference_failed")
    except Exception as error:  # noqa: BLE001 - the gate's decision must not die of the router
        # Not its text, which may hold anything.
        _log.error("route_failed", extra={"error": type(error).__name__})
    return Routing(reason=Reason.ROUTE_FAILED, mode=mode, status=Status.ERROR)


def _refused(router: Router, screened: Screened, encoder: Encoder) -> Reason | None:
    """Find out what keeps the router from looking at all."""
    if (reason := unheard(router, screened.writing)) is not None:
        return reason
    if encoder.truncated([screened.text])[0]:
        return Reason.ROUTE_TRUNCATED
    return None


async def _vector(turn: Turn, screened: Screened, means: Means) -> Vectors:
    """
    Return the utterance's vector, (D,): the gate's, or a new one where the gate needed none.

    Raises:
        TooLate: the turn's deadline passed first.
        InferenceError: the encoder failed.

    """
    if turn.deadline is None:
        raise TooLate
    turn.deadline.check()
    if turn.scores is not None and turn.scores.query is not None:
        return turn.scores.query

    def work(cancel: Cancel) -> tuple[Vectors, float]:
        started_s = time.perf_counter()
        vector: Vectors = means.encoder.encode([screened.text], cancel)[0]
        return vector, (time.perf_counter() - started_s) * 1e3

    with turn.stopwatch.stage("inference"):
        vector, took_ms = await means.inference.run(
            work, deadline=turn.deadline, priority=Priority.TURN
        )
    turn.stopwatch.note("encode", took_ms)
    return vector


def _judged(routed: Routed, ready: Route, screened: Screened, mode: Mode) -> Routing:
    found = Routing(
        reason=Reason.ROUTE_UNCLEAR,
        mode=mode,
        scores=_scores(routed),
        threshold=routed.threshold,
        digest=ready.router.digest,
    )
    if routed.intent is None:
        return found
    intent = ready.intents[routed.intent]
    refused = withheld(ready.router, intent, screened.text, screened.writing)
    if refused is not None:
        return replace(found, reason=refused)
    return replace(found, reason=Reason.ROUTED, intent=intent)


def _scores(routed: Routed) -> RouteScores | None:
    if routed.candidate is None:
        return None
    return RouteScores(
        candidate=routed.candidate,
        runner_up=routed.runner_up,
        score=round(routed.score, _DECIMALS),
        margin=round(routed.margin, _DECIMALS),
        confidence=round(routed.confidence, _DECIMALS),
    )


def add_route(fields: dict[str, Any], routing: Routing | None) -> dict[str, Any]:
    """
    Add what the router said to a decision's fields, which are the gate's.

    `kind` stays what to do now: a router in shadow mode changes it as little as one that is unsure.
    """
    if routing is None:
        return fields
    reasons: tuple[Reason, ...] = fields["reasons"]
    fields = fields | {"route": routing.scores, "route_mode": routing.mode}
    if fields["status"] is Status.OK:
        fields["status"] = routing.status
    if routing.threshold is not None:
        fields["thresholds"] = fields["thresholds"] | {"route": routing.threshold}
    if routing.digest is not None:
        fields["bundles"] = fields["bundles"] | {"router": routing.digest}
    if routing.intent is None:
        return fields | {"reasons": (*reasons, routing.reason)}
    if routing.mode is Mode.SHADOW:
        would = WouldHave(kind=Kind.ROUTE, intent=routing.intent.name)
        # Live, a prediction would have come before any intent.
        return fields | {
            "reasons": (*reasons, Reason.ROUTE_SHADOW),
            "would_have": fields.get("would_have") or would,
        }
    return fields | {
        "kind": Kind.ROUTE,
        "reasons": (Reason.ROUTED, *reasons),
        "playable": True,
        "intent": routing.intent.name,
        "response_ref": routing.intent.response_ref,
        "response": routing.intent.response,
    }
