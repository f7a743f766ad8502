"""Rows and logged events as tests need them."""

from pathlib import Path
from typing import Any

import orjson

from models.evaluation.rows import Pair, Turn
from topics.codec import encode
from topics.decision import Decision, Kind, Reason, Status, decision_id
from topics.prediction import Prediction, TurnPredictions
from topics.profile import Mode
from topics.utterance import Utterance

#: The turn of events that name no other.
TURN: dict[str, Any] = {"tenant_id": "t", "agent_id": "a", "call_id": "c", "seq": 1}


def make_pair(utterance="yes", prediction="yes please", label=1, **overrides) -> Pair:
    values: dict[str, Any] = {"file": "pairs.jsonl", "row": 1} | overrides
    return Pair(utterance=utterance, prediction=prediction, label=label, **values)


def make_turn(utterance="yes", predictions=(("yes please", 1),), **overrides) -> Turn:
    values: dict[str, Any] = {"file": "turns.jsonl", "row": 1} | overrides
    return Turn(utterance=utterance, predictions=tuple(predictions), **values)


def make_decision(*, kind=Kind.MISS, reasons=(Reason.BELOW_THRESHOLD,), **overrides) -> Decision:
    """The decision of turn 1 of call c; `decision_id` follows from the turn."""
    values: dict[str, Any] = TURN | {
        "kind": kind,
        "status": Status.OK,
        "mode": Mode.LIVE,
        "reasons": reasons,
        "received_at_ms": 10,
        "decided_at_ms": 20,
    }
    values |= overrides
    turn = decision_id(values["tenant_id"], values["call_id"], values["seq"])
    return Decision(**({"decision_id": turn} | values))


def make_said(text="ok sure", **overrides) -> Utterance:
    """What the caller says in that turn."""
    return Utterance(**(TURN | {"text": text, "said_at_ms": 9} | overrides))


def make_predicted(*texts: str, replies=None, side_effect=False, **overrides) -> TurnPredictions:
    """The predictions of that turn, p1 onwards; `replies` are their references."""
    predictions = tuple(
        Prediction(
            prediction_id=f"p{number}",
            text=text,
            response_ref=f"r{number}" if replies is None else replies[number - 1],
            side_effect=side_effect,
        )
        for number, text in enumerate(texts or ("yes please", "no thanks"), 1)
    )
    return TurnPredictions(**(TURN | {"created_at_ms": 1, "predictions": predictions} | overrides))


def write_lines(path: Path, *lines: Any) -> Path:
    """Write events, rows or raw bytes, one a line."""
    path.write_bytes(b"".join(_line(one) + b"\n" for one in lines))
    return path


def _line(one: Any) -> bytes:
    if isinstance(one, bytes):
        return one
    return orjson.dumps(one) if isinstance(one, dict) else encode(one)
