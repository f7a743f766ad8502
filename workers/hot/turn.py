"""What is known of a turn while it is decided, and how that is written down as a decision."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models import match
from models.match import Option, Scores
from models.screen import Screened
from topics.decision import Decision, Kind, Reason, Status, WouldHave, decision_id
from topics.profile import AgentProfile, Mode
from topics.utterance import Utterance
from workers.cached import CachedTurn
from workers.deadline import Deadline
from workers.hot.judges import Models
from workers.hot.receipt import Receipt
from workers.hot.stopwatch import Stopwatch

#: Changes the fields of a decision before it is made.
Add = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a turn ended."""

    kind: Kind
    reasons: tuple[Reason, ...]
    status: Status = Status.OK
    option: Option | None = None


@dataclass(slots=True)
class Turn:
    """What is known of a turn so far; the decision is written from it, however the turn ends."""

    utterance: Utterance
    receipt: Receipt
    stopwatch: Stopwatch
    profile: AgentProfile | None = None
    #: When its budget is used up; None before that is known.
    deadline: Deadline | None = None
    screened: Screened | None = None
    options: tuple[Option, ...] = ()
    guarded: tuple[str | None, ...] = ()
    scores: Scores | None = None
    #: Thresholds that this turn was held against, by name.
    thresholds: dict[str, float] | None = None


def options(cached: CachedTurn) -> tuple[Option, ...]:
    """Make the options of a turn's cached predictions."""
    return tuple(
        Option(
            prediction_id=prediction.prediction_id,
            text=prediction.text,
            key=prediction.match_key,
            writing=prediction.writing,
            response_ref=prediction.response_ref,
            response=prediction.response,
            side_effect=prediction.side_effect,
        )
        for prediction in cached.predictions
    )


def write(turn: Turn, ending: Ending, models: Models, add: Add = lambda fields: fields) -> Decision:
    """
    Write the decision: `kind` is what to do now, so shadow mode never says to play.

    Args:
        turn: what is known.
        ending: the match gate's.
        models: those of the gate.
        add: changes the decision's fields by what was decided after the gate.

    """
    utterance = turn.utterance
    mode = turn.profile.match.mode if turn.profile is not None else Mode.OFF
    status, reasons = ending.status, ending.reasons
    unjudged = turn.scores is not None and turn.scores.logits is None
    if models.judge is None or unjudged:
        status = Status.DEGRADED if status is Status.OK else status
        reasons = (*reasons, Reason.JUDGE_DEGRADED)
    fields: dict[str, Any] = {
        "kind": ending.kind,
        "reasons": reasons,
        "status": status,
        "thresholds": turn.thresholds or {},
        "bundles": models.fingerprints,
    }
    if ending.option is not None:
        served = _served(ending.option)
        fields = _in_shadow(fields, served) if mode is Mode.SHADOW else fields | served
    return Decision(
        decision_id=decision_id(utterance.tenant_id, utterance.call_id, utterance.seq),
        tenant_id=utterance.tenant_id,
        agent_id=utterance.agent_id,
        call_id=utterance.call_id,
        seq=utterance.seq,
        mode=mode,
        language=turn.screened.language if turn.screened is not None else None,
        candidates=match.shown(turn.options, turn.guarded, turn.scores),
        predictions=len(turn.options),
        profile_version=turn.profile.version if turn.profile is not None else None,
        received_at_ms=turn.receipt.at_ms,
        decided_at_ms=int(time.time() * 1e3),
        timings_ms=turn.stopwatch.timings_ms | {"total": round(turn.receipt.elapsed_ms, 3)},
        **add(fields),
    )


def _served(option: Option) -> dict[str, Any]:
    return {
        "playable": True,
        "prediction_id": option.prediction_id,
        "response_ref": option.response_ref,
        "response": option.response,
    }


def _in_shadow(fields: dict[str, Any], served: dict[str, Any]) -> dict[str, Any]:
    return fields | {
        "kind": Kind.MISS,
        "reasons": (Reason.SHADOW, *fields["reasons"]),
        "would_have": WouldHave(kind=fields["kind"], prediction_id=served["prediction_id"]),
    }
