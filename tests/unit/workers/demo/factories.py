"""Makes turns, plans and decisions for the demo's tests."""

from typing import Any

from topics.codec import encode
from topics.decision import Decision, Kind, Reason, Status, WouldHave, decision_id
from topics.profile import Mode
from workers.demo.collect import Answers, Received
from workers.demo.data import (
    BadRecord,
    DemoAgent,
    DemoData,
    DemoPrediction,
    DemoTurn,
    Expected,
)
from workers.demo.play import Sent
from workers.demo.script import PlannedTurn


def make_prediction(name="p1", *, serve=True, kind="right", turn_id="en-001", text="yes please"):
    """Make a prediction; one that may be served unless told otherwise."""
    return DemoPrediction(prediction_id=f"{turn_id}/{name}", text=text, kind=kind, serve=serve)


def make_turn(turn_id="en-001", **overrides):
    """Make a turn with one prediction that fits and one that does not."""
    fields: dict[str, Any] = {
        "agent": "bank",
        "language": "en",
        "text": "yes",
        "expected": Expected.MATCH,
        "predictions": (
            make_prediction("p1", turn_id=turn_id),
            make_prediction("p2", turn_id=turn_id, serve=False, kind="wrong_polarity", text="no"),
        ),
    }
    return DemoTurn(turn_id=turn_id, **(fields | overrides))


def make_planned(turn=None, **overrides):
    """Make a planned turn."""
    fields: dict[str, Any] = {"tenant": "t", "call_id": "call-001", "seq": 0, "stale": False}
    return PlannedTurn(turn=turn or make_turn(), **(fields | overrides))


def make_data(turns, agents=None, bad_records=()):
    """Make the demo's data; agents are made up where none are given."""
    agents = agents or [
        DemoAgent(agent=name, tenant=f"tenant-of-{name}", mode="live")
        for name in sorted({turn.agent for turn in turns})
    ]
    return DemoData(turns=tuple(turns), agents=tuple(agents), bad_records=tuple(bad_records))


def make_bad(record_id="bad", topic="turn.utterances", value=b"{"):
    """Make a bad record."""
    return BadRecord(record_id=record_id, topic=topic, value=value)


def make_decision(planned, **overrides):
    """Make the decision of a planned turn: a miss."""
    fields: dict[str, Any] = {
        "kind": Kind.MISS,
        "status": Status.OK,
        "mode": Mode.LIVE,
        "reasons": (Reason.BELOW_THRESHOLD,),
        "received_at_ms": 1,
        "decided_at_ms": 2,
        "timings_ms": {"total": 1.0},
    }
    return Decision(
        decision_id=decision_id(*planned.key),
        tenant_id=planned.tenant,
        agent_id=planned.turn.agent,
        call_id=planned.call_id,
        seq=planned.seq,
        **(fields | overrides),
    )


def make_serve(planned, name="p1", **overrides):
    """Make a decision that serves one of the turn's predictions."""
    fields: dict[str, Any] = {
        "kind": Kind.SERVE,
        "reasons": (Reason.JUDGED,),
        "playable": True,
        "prediction_id": f"{planned.turn.turn_id}/{name}",
    }
    return make_decision(planned, **(fields | overrides))


def make_shadow(planned, name="p1"):
    """Make a shadow decision that would have served one of the turn's predictions."""
    return make_decision(
        planned,
        mode=Mode.SHADOW,
        reasons=(Reason.SHADOW, Reason.JUDGED),
        would_have=WouldHave(kind=Kind.SERVE, prediction_id=f"{planned.turn.turn_id}/{name}"),
    )


def make_received(decision, at_s=10.0):
    """Make a decision as it comes from the topic."""
    return Received(decision=decision, value=encode(decision), at_s=at_s)


def make_answers(decisions=(), dead=()):
    """Make what came."""
    answers = Answers(dead=list(dead))
    for decision in decisions:
        answers.take(make_received(decision))
    return answers


def make_sent(turns, *, times=None, bad=None):
    """Make what was sent: each turn once at nine seconds, unless told otherwise."""
    return Sent(
        utterances={planned.key: 9.0 for planned in turns},
        times={planned.key: 1 for planned in turns} | (times or {}),
        predictions=2 * len(turns),
        bad=bad or {},
    )
