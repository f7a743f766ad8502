"""
Labelled decisions as rows for validation and test, never for training.

The calls are split, not the rows. A row holds what a caller said: it is personal data, and is
treated as such.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import orjson

from models.evaluation.call import SIDES, Side, name_of_call, side_of_call
from models.evaluation.events import Logged, Problem, read_logged
from models.evaluation.labels import (
    Given,
    PairId,
    Settled,
    of_another_turn,
    read_labels,
    served_prediction,
    settle,
)
from models.evaluation.variant import OtherLanguage, variants
from models.pipeline.data.row import LANGUAGE_OF, Row, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from topics.decision import Decision
    from topics.utterance import Utterance

#: Layer of the rows. No stage that trains knows it, so none takes them by accident.
LAYER = "mined"


class LeftOut(StrEnum):
    """Why a label gives no row."""

    #: The line is no label.
    BAD_ROW = "bad_rows"
    #: No logged decision has this id, or is of this turn.
    UNKNOWN_DECISION = "unknown_decisions"
    #: The row names a decision and another turn.
    OTHER_TURN = "other_turns"
    #: The row names no prediction, and none was served.
    NOTHING_SERVED = "nothing_served"
    #: Rows do not agree on the pair.
    CONFLICTING = "conflicting"
    #: What the caller said is not in the log.
    NO_UTTERANCE = "no_utterance"
    #: The turn's predictions are not in the log.
    NO_PREDICTIONS = "no_predictions"
    #: The turn has no prediction of this id.
    UNKNOWN_PREDICTION = "unknown_predictions"
    #: The log has several texts for the one id, so what was judged is not known.
    SEVERAL_TEXTS = "several_texts"
    #: A text is surely in a language that rows do not have.
    OTHER_LANGUAGE = "other_languages"
    #: Nothing tells the language.
    NO_LANGUAGE = "no_language"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """A labelled decision as a row."""

    row: Row
    #: Decision, and number of the prediction in its turn, from 1: a producer's own id might quote.
    id: str
    #: What the agent had just said. User text: never logged.
    agent: str | None
    side: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """The rows, and what became of every line that gave none."""

    rows: tuple[Mined, ...]
    #: Labels that give no row, by why.
    left_out: dict[LeftOut, list[Problem]]
    settled: Settled
    logged: Logged

    @property
    def problems(self) -> list[Problem]:
        """All of them, the labels' first."""
        return [one for found in self.left_out.values() for one in found] + self.logged.problems

    @property
    def counts(self) -> dict[str, Any]:
        """`labels` is `rows`, `repeated` and all of `left_out` together."""
        left_out = {str(why): len(found) for why, found in self.left_out.items()}
        rows = [one.row for one in self.rows]
        return {
            "labels": len(rows) + self.settled.repeated + sum(left_out.values()),
            "rows": len(rows),
            "repeated": self.settled.repeated,
            "left_out": left_out,
            "conflicting_pairs": self.settled.conflicting_pairs,
            **{side: self._of(side) for side in SIDES},
            "by_class": dict(sorted(Counter(row.kind for row in rows).items())),
            "by_language": dict(sorted(Counter(_language(row) for row in rows).items())),
            "events": self.logged.events,
            "repeated_events": self.logged.repeated,
            "bad_events": len(self.logged.problems),
        }

    def _of(self, side: Side) -> dict[str, int]:
        rows = [one.row for one in self.rows if one.side == side]
        return {
            "rows": len(rows),
            "positives": sum(row.label for row in rows),
            "calls": len({row.group for row in rows}),
        }


class _Unusable(Exception):
    """A label gives no row."""

    def __init__(self, why: LeftOut, reason: str) -> None:
        super().__init__(reason)
        self.why = why


def export(events: Sequence[Path], labels: Sequence[Path], *, validation_share: float) -> Export:
    """
    Make rows of labels and of the events of the turns that they speak of.

    Args:
        events: JSONL files of decisions, utterances and predictions.
        labels: JSONL files of labels.
        validation_share: part of the calls that goes to validation, 0 to 1; the rest is test.

    Raises:
        OSError: a file cannot be read.
    """
    given, bad = read_labels(labels)
    logged = read_logged(events, frozenset(one.turn for one in given))
    left_out: dict[LeftOut, list[Problem]] = {why: [] for why in LeftOut}
    left_out[LeftOut.BAD_ROW] = bad
    named = []
    for one in given:
        try:
            named.append((_prediction_of(one, logged), one))
        except _Unusable as unusable:
            left_out[unusable.why].append(one.problem(str(unusable)))
    settled = settle(named)
    left_out[LeftOut.CONFLICTING] = settled.conflicts
    rows = []
    for pair, one in settled.labels.items():
        try:
            rows.append(_mined(pair, one, logged, validation_share))
        except _Unusable as unusable:
            left_out[unusable.why].append(one.problem(str(unusable)))
    return Export(rows=tuple(rows), left_out=left_out, settled=settled, logged=logged)


def to_line(mined: Mined) -> bytes:
    """
    Write a row as JSON, for both who read rows of the data stage and who read labelled pairs.

    Each text is there under both of its names.
    """
    row = mined.row
    more = {"id": mined.id, "utterance": row.a, "prediction": row.b, "agent": mined.agent}
    known = {name: value for name, value in more.items() if value is not None}
    return orjson.dumps(orjson.loads(to_json(row)) | known)


def _prediction_of(given: Given, logged: Logged) -> str:
    """The prediction that a label speaks of."""
    decision = logged.decisions.get(given.turn)
    if decision is None:
        raise _Unusable(LeftOut.UNKNOWN_DECISION, "no such decision in the log")
    if of_another_turn(given.label, decision):
        raise _Unusable(LeftOut.OTHER_TURN, "the decision is of another turn")
    prediction_id = given.label.prediction_id or served_prediction(decision)
    if prediction_id is None:
        raise _Unusable(LeftOut.NOTHING_SERVED, "no prediction_id, and none was served")
    return prediction_id


def _mined(pair: PairId, given: Given, logged: Logged, validation_share: float) -> Mined:
    turn, prediction_id = pair
    decision = logged.decisions[turn]
    utterance = _utterance(turn, logged)
    number, prediction = _prediction(turn, prediction_id, logged)
    language_a, language_b = _variants(utterance, prediction)
    row = Row(
        a=utterance.text,
        b=prediction,
        label=given.label.label,
        layer=LAYER,
        kind=f"{LAYER}:{_what_became_of(prediction_id, decision)}",
        language_a=language_a,
        language_b=language_b,
        group=(f"call:{name_of_call(decision.tenant_id, decision.call_id)}",),
        source="turn.decisions",
    )
    return Mined(
        row=row,
        id=f"{turn}/{number}",
        agent=utterance.agent_text,
        side=side_of_call(decision.tenant_id, decision.call_id, validation_share),
    )


def _utterance(turn: str, logged: Logged) -> Utterance:
    found = logged.utterances.get(turn, [])
    if not found:
        raise _Unusable(LeftOut.NO_UTTERANCE, "the turn's utterance is not in the log")
    if len({one.text for one in found}) > 1:
        raise _Unusable(LeftOut.SEVERAL_TEXTS, "the log has several utterances for the turn")
    return found[0]


def _prediction(turn: str, prediction_id: str, logged: Logged) -> tuple[int, str]:
    """Its number in the turn, from 1, and its text."""
    events = logged.predictions.get(turn, [])
    if not events:
        raise _Unusable(LeftOut.NO_PREDICTIONS, "the turn's predictions are not in the log")
    found = [
        (number, one.text)
        for event in events
        for number, one in enumerate(event.predictions, 1)
        if one.prediction_id == prediction_id
    ]
    if not found:
        raise _Unusable(LeftOut.UNKNOWN_PREDICTION, "the turn has no such prediction")
    if len({text for _, text in found}) > 1:
        raise _Unusable(LeftOut.SEVERAL_TEXTS, "the log has several texts for the prediction")
    return found[0]


def _variants(utterance: Utterance, prediction: str) -> tuple[str, str]:
    try:
        found = variants(utterance, prediction)
    except OtherLanguage:
        reason = "a text is in a language that rows do not have"
        raise _Unusable(LeftOut.OTHER_LANGUAGE, reason) from None
    if found is None:
        raise _Unusable(LeftOut.NO_LANGUAGE, "nothing tells the language")
    return found


def _what_became_of(prediction_id: str, decision: Decision) -> str:
    """What the gate did with a prediction: by this, our own wrong serves are told apart."""
    if prediction_id == served_prediction(decision):
        return "served"
    for candidate in decision.candidates:
        if candidate.prediction_id == prediction_id:
            return f"guard_{candidate.guard}" if candidate.guard is not None else "compared"
    return "not_shown"


def _language(row: Row) -> str:
    sides = {LANGUAGE_OF[row.language_a], LANGUAGE_OF[row.language_b]}
    return sides.pop() if len(sides) == 1 else "mixed"
