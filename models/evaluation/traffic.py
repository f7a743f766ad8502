"""
Turns to decide anew: labelled rows, or what was logged of calls.

Of logged events a turn has the first utterance, as the worker decides it once, and the newest
predictions. Replies, side effects and language hints count as they do in the worker. Which profile
an agent had, and whether the turn came in time, does not: the gate alone is run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import orjson

from models.errors import ModelError
from models.evaluation.events import Logged, Problem, read_lines, read_logged
from models.evaluation.labels import Given, PairId, read_labels, served_prediction, settle
from models.evaluation.pairs import make_option
from models.evaluation.rows import Turn, read_turns
from models.evaluation.turns import options_of
from models.script_report import RowError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from models.match import Option
    from topics.prediction import Prediction, TurnPredictions
    from topics.utterance import Utterance

    #: What was said in a turn, and what was predicted.
    Whole = tuple[Utterance, TurnPredictions]

#: Stands where rows have the name of their file.
_EVENTS = "events"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A turn with what the gate needs to decide it."""

    turn: Turn
    #: Its usable predictions; `prediction_id` is the index among all of the turn's.
    options: Sequence[Option]
    #: What the recogniser took the language to be.
    hint: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Turns, and what was left out of them."""

    cases: tuple[Case, ...]
    #: What was read and left out, by name.
    counts: dict[str, int] = field(default_factory=dict)


class TrafficError(ModelError):
    """There is nothing to decide, or nothing that the labels could be of."""


def read_traffic(paths: Sequence[Path], labels: Sequence[Path] = ()) -> Traffic:
    """
    Read turns.

    Args:
        paths: JSONL files, each of labelled turns or of logged events.
        labels: JSONL files of labels for the logged events.

    Raises:
        RowError: a line is none of these; names the line, never its text.
        TrafficError: no turn has its texts, or labels were given and no logged events.
        OSError: a file cannot be read.
    """
    of_rows = [path for path in paths if _holds_rows(path)]
    turns = read_turns(of_rows)
    cases = [Case(turn=turn, options=options_of(turn, script_guard=True)) for turn in turns]
    counts: dict[str, int] = {}
    of_events = [path for path in paths if path not in of_rows]
    if labels and not of_events:
        raise TrafficError("labels are of logged events, and no file has any")
    if of_events:
        logged = read_logged(of_events)
        _refuse(logged.problems)
        whole = _whole(logged)
        known, about_labels = _known(labels, logged, whole)
        cases += [
            _case(turn, whole[turn], number=number, language=_language(turn, logged), known=known)
            for number, turn in enumerate(whole, 1)
        ]
        counts = _counts(logged) | about_labels
    if not cases:
        raise TrafficError("no turn has both its utterance and its predictions")
    return Traffic(cases=tuple(cases), counts=counts)


def _holds_rows(path: Path) -> bool:
    for _, line in read_lines(path):
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError:
            return False
        return isinstance(fields, dict) and "utterance" in fields
    return False


def _refuse(problems: Sequence[Problem]) -> None:
    for problem in problems:
        raise RowError(problem.path, problem.line, problem.reason)


def _language(turn: str, logged: Logged) -> str | None:
    decision = logged.decisions.get(turn)
    return None if decision is None else decision.language


def _whole(logged: Logged) -> dict[str, Whole]:
    """The turns that have both events."""
    return {
        turn: (said[0], max(logged.predictions[turn], key=lambda one: one.created_at_ms))
        for turn, said in logged.utterances.items()
        if turn in logged.predictions
    }


def _known(
    labels: Sequence[Path], logged: Logged, whole: Mapping[str, Whole]
) -> tuple[dict[PairId, int], dict[str, int]]:
    """Label by turn and prediction, and how many labels were of use."""
    given, problems = read_labels(labels)
    _refuse(problems)
    there = {
        (turn, one.prediction_id)
        for turn, (_, predictions) in whole.items()
        for one in predictions.predictions
    }
    named = [(_prediction_of(one, logged), one) for one in given]
    of_use = [(name, one) for name, one in named if name is not None and (one.turn, name) in there]
    settled = settle(of_use)
    known: dict[PairId, int] = {pair: one.label.label for pair, one in settled.labels.items()}
    return known, {
        "labels": len(given),
        "labelled_predictions": len(known),
        "conflicting_labels": len(settled.conflicts),
        "labels_of_no_prediction": len(given) - len(of_use),
    }


def _prediction_of(given: Given, logged: Logged) -> str | None:
    if given.label.prediction_id is not None:
        return given.label.prediction_id
    decision = logged.decisions.get(given.turn)
    return None if decision is None else served_prediction(decision)


def _case(
    turn: str, whole: Whole, *, number: int, language: str | None, known: Mapping[PairId, int]
) -> Case:
    said, event = whole
    made = [
        (one, make_option(one.text, str(place), script_guard=True))
        for place, one in enumerate(event.predictions)
    ]
    row = Turn(
        file=_EVENTS,
        row=number,
        id=turn,
        language=language,
        agent=said.agent_text,
        utterance=said.text,
        predictions=tuple(
            (one.text, known.get((turn, one.prediction_id))) for one in event.predictions
        ),
    )
    options = [_as_published(option, one) for one, option in made if option is not None]
    return Case(turn=row, options=options, hint=said.language)


def _as_published(option: Option, prediction: Prediction) -> Option:
    return replace(
        option,
        response_ref=prediction.response_ref,
        response=prediction.response,
        side_effect=prediction.side_effect,
    )


def _counts(logged: Logged) -> dict[str, int]:
    said, predicted = logged.utterances.keys(), logged.predictions.keys()
    return {
        "events": logged.events,
        "repeated_events": logged.repeated,
        "utterances_without_predictions": len(said - predicted),
        "predictions_without_utterance": len(predicted - said),
        "decisions_without_texts": len(logged.decisions.keys() - (said & predicted)),
        "turns_with_several_utterances": sum(len(one) > 1 for one in logged.utterances.values()),
    }
