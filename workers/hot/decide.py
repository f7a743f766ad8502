"""
One utterance, one decision: the order of the match gate, and every way it can end; then the router.

Each rule lives elsewhere and knows nothing of this order. Every failure here is a decision that
sends the turn to the LLM and says why.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from models import match
from models.errors import InferenceError
from models.language_hint import names_a_stranger
from models.match import Match, Scores
from models.runtime import Cancel
from models.screen import Screened, screen
from topics.decision import Decision, Kind, Reason, Status, decision_id
from topics.profile import AgentProfile, Mode
from topics.utterance import Utterance
from workers import metrics
from workers.cache import Cache, TurnKeys, note_garbage
from workers.cached import unpack_number, unpack_turn
from workers.deadline import Deadline
from workers.errors import CacheGarbage, CacheUnavailable, TooLate
from workers.hot.denials import GUARD as DENIED
from workers.hot.denials import Denials
from workers.hot.judges import Models
from workers.hot.receipt import Receipt
from workers.hot.routes import Means, Routes, add_route, route
from workers.hot.stopwatch import Stopwatch
from workers.hot.turn import Ending, Turn, options, write
from workers.inference import Inference, Priority
from workers.keys import Keys

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Gate:
    """What deciding needs; one a worker."""

    models: Models
    cache: Cache
    keys: Keys
    inference: Inference
    #: The newest known profile of each (tenant, agent).
    profiles: Mapping[tuple[str, str], AgentProfile]
    #: The worker's budget; an agent's may be tighter.
    budget_ms: int
    #: Predictions that the judge reads at most.
    shortlist: int
    #: The pairs that people have banned.
    denials: Denials
    #: The routers that are ready.
    routes: Routes = field(default_factory=dict)


def _miss(*reasons: Reason, status: Status = Status.OK) -> Ending:
    return Ending(Kind.MISS, reasons, status)


def _bypass(reason: Reason) -> Ending:
    return Ending(Kind.BYPASS, (reason,))


async def decide(gate: Gate, utterance: Utterance, keys: TurnKeys, receipt: Receipt) -> Decision:
    """Decide one turn; raises nothing but what is a fault of this code."""
    turn = Turn(utterance, receipt, Stopwatch())
    turn.stopwatch.note("wait", receipt.elapsed_ms)
    routing = None
    try:
        ending = await _end(gate, turn, keys)
        means = Means(gate.routes, gate.models.encoder, gate.inference)
        routing = await route(turn, ending, means)
    except TooLate:
        ending = _miss(Reason.DEADLINE, status=Status.TIMEOUT)
    except CacheUnavailable as error:
        reason = Reason.BREAKER_OPEN if error.breaker_open else Reason.CACHE_UNAVAILABLE
        ending = _miss(reason, status=Status.ERROR)
    except CacheGarbage as error:
        note_garbage("read_turn", error)
        ending = _miss(Reason.CACHE_GARBAGE, status=Status.ERROR)
    except InferenceError:
        _log.exception("inference_failed")
        ending = _miss(Reason.INFERENCE_FAILED, status=Status.ERROR)
    return write(turn, ending, gate.models, partial(add_route, routing=routing))


async def _end(gate: Gate, turn: Turn, keys: TurnKeys) -> Ending:
    utterance, receipt = turn.utterance, turn.receipt
    turn.profile = gate.profiles.get((utterance.tenant_id, utterance.agent_id))
    if turn.profile is None:
        return _bypass(Reason.UNKNOWN_AGENT)
    if turn.profile.match.mode is turn.profile.router.mode is Mode.OFF:
        return _bypass(Reason.OFF)
    budget_ms = min(gate.budget_ms, turn.profile.match.budget_ms or gate.budget_ms)
    if receipt.age_ms > budget_ms:
        return _miss(Reason.LATE_ON_ARRIVAL, status=Status.TIMEOUT)
    deadline = turn.deadline = receipt.deadline(budget_ms)
    with turn.stopwatch.stage("screen"):
        turn.screened = screen(utterance.text)
    if turn.screened.reason is not None:
        return _bypass(Reason(turn.screened.reason))
    if names_a_stranger(utterance.language):
        return _bypass(Reason.LANGUAGE)
    deadline.check()
    return await _look_up(gate, turn, keys, turn.screened, deadline)


async def _look_up(
    gate: Gate, turn: Turn, keys: TurnKeys, screened: Screened, deadline: Deadline
) -> Ending:
    with turn.stopwatch.stage("cache"):
        found = await gate.cache.read_turn(keys)
    if _below(turn.utterance.seq, found.newest_turn):
        return _miss(Reason.STALE_TURN)
    if turn.profile is not None and _below(turn.profile.version, found.profile_version):
        return _miss(Reason.PROFILE_BEHIND)
    if turn.profile is not None and turn.profile.match.mode is Mode.OFF:
        return _bypass(Reason.OFF)
    if found.predictions is None:
        return _miss(Reason.NO_PREDICTIONS)
    cached, vectors = unpack_turn(
        found.predictions,
        key=keys.predictions,
        dimension=gate.models.encoder.dimension,
        keys=gate.keys,
    )
    turn.options = options(cached)
    return await _match(gate, turn, screened, vectors, deadline)


def _below(number: int, held: bytes | None) -> bool:
    newest = unpack_number(held)
    return newest is not None and number < newest


async def _match(
    gate: Gate, turn: Turn, screened: Screened, vectors: match.Vectors, deadline: Deadline
) -> Ending:
    if not turn.options:
        return _miss(Reason.NO_PREDICTIONS)
    with turn.stopwatch.stage("guards"):
        turn.guarded = tuple(
            gate.denials.guarded(
                turn.utterance.tenant_id,
                screened.key,
                turn.options,
                match.guards(screened, turn.options),
            )
        )
        for guard in filter(None, turn.guarded):
            metrics.GUARDED.labels(guard).inc()
        same = match.exact(screened, turn.options)
    deadline.check()
    # Predictions with one key are one pair with the utterance, so all of them are banned or none.
    if same is not None and DENIED not in (
        guard
        for guard, option in zip(turn.guarded, turn.options, strict=True)
        if option.key == screened.key
    ):
        return _matched(turn, same)
    eligible = [index for index, guard in enumerate(turn.guarded) if guard is None]
    if not eligible:
        return _miss(Reason.GUARDED)

    def work(cancel: Cancel) -> Scores:
        return match.score(
            screened.text,
            turn.options,
            vectors,
            eligible,
            encoder=gate.models.encoder,
            judge=gate.models.judge,
            shortlist=gate.shortlist,
            cancel=cancel,
        )

    with turn.stopwatch.stage("inference"):
        turn.scores = await gate.inference.run(work, deadline=deadline, priority=Priority.TURN)
    for name, took_ms in turn.scores.timings_ms.items():
        turn.stopwatch.note(name, took_ms)
    return _matched(turn, _choose(gate, turn, turn.scores))


def _choose(gate: Gate, turn: Turn, scores: Scores) -> Match:
    judge = gate.models.judge
    if judge is None or scores.logits is None:
        if judge is not None:
            metrics.DEGRADED.labels("judge").set(1)
            _log.error("judge_degraded", extra={"why": "inference failed"})
        turn.thresholds = {"conservative": gate.models.encoder.conservative}
        return match.choose_conservatively(
            turn.options, scores, min_cosine=gate.models.encoder.conservative
        )
    metrics.DEGRADED.labels("judge").set(0)
    own = turn.profile.match.min_logit if turn.profile is not None else None
    min_logit = judge.threshold if own is None else max(judge.threshold, own)
    turn.thresholds = {"judge": min_logit}
    return match.choose(turn.options, scores, min_logit=min_logit)


def _matched(turn: Turn, found: Match) -> Ending:
    if found.index is None:
        return _miss(found.reason)
    return Ending(Kind.SERVE, (found.reason,), option=turn.options[found.index])


def turn_keys(gate: Gate, utterance: Utterance) -> TurnKeys:
    """Return the keys that one utterance needs."""
    tenant, call = utterance.tenant_id, utterance.call_id
    return TurnKeys(
        predictions=gate.keys.predictions(
            tenant, call, utterance.seq, gate.models.encoder.fingerprint
        ),
        newest_turn=gate.keys.newest_turn(tenant, call),
        profile_version=gate.keys.profile_version(tenant, utterance.agent_id),
        decision=gate.keys.decision(decision_id(tenant, call, utterance.seq)),
    )
