"""
Logged events of turns, read from JSONL: `turn.decisions`, `turn.utterances`, `turn.predictions`.

A line is one event, as it stood on its topic; which one, its fields tell, so a file may hold one
topic or several. A turn's events are kept under the id of its decision.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import orjson

from topics.codec import DecodeError, decode
from topics.decision import Decision, decision_id
from topics.prediction import TurnPredictions
from topics.utterance import Utterance

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from pathlib import Path

Event = Decision | Utterance | TurnPredictions


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that could not be used."""

    #: As it was given.
    path: Path
    #: Line number, from 1.
    line: int
    #: Why; holds no text of the line.
    reason: str

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}: {self.reason}"


@dataclass(slots=True)
class Logged:
    """The events of some turns, by decision id."""

    #: Of a turn that was decided again, the first: the later ones repeat it.
    decisions: dict[str, Decision] = field(default_factory=dict)
    #: All that differ, in the order of the files; one, unless a producer contradicts itself.
    utterances: dict[str, list[Utterance]] = field(default_factory=dict)
    #: All that differ, in the order of the files.
    predictions: dict[str, list[TurnPredictions]] = field(default_factory=dict)
    #: Lines that are an event.
    events: int = 0
    #: Lines that repeated an event of a turn that is kept.
    repeated: int = 0
    #: Lines that are no event of a turn.
    problems: list[Problem] = field(default_factory=list)


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """
    Yield the lines of a JSONL file that are not blank, with their numbers from 1.

    Raises:
        OSError: the file cannot be read.
    """
    # A binary file is cut at line feeds alone: what Unicode calls a line may stand in a text.
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line


def read_logged(paths: Sequence[Path], wanted: Container[str] | None = None) -> Logged:
    """
    Read the events of turns.

    Args:
        paths: JSONL files.
        wanted: decision ids of the turns to keep, so that a long log need not fit memory; all
            where None.

    Raises:
        OSError: a file cannot be read.
    """
    logged = Logged()
    for path in paths:
        for number, line in read_lines(path):
            try:
                event = read_event(line)
            except DecodeError as error:
                logged.problems.append(Problem(path, number, error.reason))
                continue
            logged.events += 1
            turn = turn_of(event)
            if wanted is None or turn in wanted:
                _keep(logged, turn, event)
    return logged


def read_event(line: bytes) -> Event:
    """
    Read one line.

    Raises:
        DecodeError: it is no event of a turn; the reason does not quote it.
    """
    return decode(_kind(line), line)


def turn_of(event: Event) -> str:
    """The id of the decision of an event's turn."""
    if isinstance(event, Decision):
        return event.decision_id
    return decision_id(event.tenant_id, event.call_id, event.seq)


def _kind(line: bytes) -> type[Event]:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise DecodeError("not valid JSON in UTF-8", raw=line) from None
    if isinstance(fields, dict):
        if "decision_id" in fields:
            return Decision
        if isinstance(fields.get("predictions"), list):
            return TurnPredictions
        if "text" in fields:
            return Utterance
    raise DecodeError("no decision, utterance or predictions of a turn", raw=line)


E = TypeVar("E", Utterance, TurnPredictions)


def _keep(logged: Logged, turn: str, event: Event) -> None:
    if isinstance(event, Decision):
        logged.repeated += turn in logged.decisions
        logged.decisions.setdefault(turn, event)
    elif isinstance(event, Utterance):
        logged.repeated += _add(logged.utterances, turn, event)
    else:
        logged.repeated += _add(logged.predictions, turn, event)


def _add(held: dict[str, list[E]], turn: str, event: E) -> bool:
    """Add an event to its turn; tell whether it was there."""
    of_turn = held.setdefault(turn, [])
    if event in of_turn:
        return True
    of_turn.append(event)
    return False
