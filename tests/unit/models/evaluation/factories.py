"""Rows as tests need them."""

from typing import Any

from models.evaluation.rows import Pair, Turn


def make_pair(utterance="yes", prediction="yes please", label=1, **overrides) -> Pair:
    values: dict[str, Any] = {"file": "pairs.jsonl", "row": 1} | overrides
    return Pair(utterance=utterance, prediction=prediction, label=label, **values)


def make_turn(utterance="yes", predictions=(("yes please", 1),), **overrides) -> Turn:
    values: dict[str, Any] = {"file": "turns.jsonl", "row": 1} | overrides
    return Turn(utterance=utterance, predictions=tuple(predictions), **values)
