"""What a run left on its topics, read from raw records for the verifier."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.records import Record
from tests.validity import problem

#: Tenant, call and position: the event that a decision answers.
Turn = tuple[str, str, int]
#: Partition and offset.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken promise."""

    #: `I1`, `I2`, `I3` or `I5`.
    invariant: str
    #: What was found, and where.
    what: str


@dataclass(slots=True)
class Evidence:
    """All records of a run, sorted out."""

    #: Valid events by turn, in order of place.
    events: dict[Turn, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    #: Where the turn first came in.
    first_in: dict[Turn, Place] = field(default_factory=dict)
    #: Every input record.
    sources: dict[Place, Record] = field(default_factory=dict)
    #: Input records that are no events.
    invalid: set[Place] = field(default_factory=set)
    #: Decisions with their places, in order.
    decisions: list[tuple[Place, dict[str, Any]]] = field(default_factory=list)
    #: Dead letters by the place that they name.
    letters: dict[Place, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    #: Predictions that were offered for a turn.
    offered: dict[Turn, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    #: What is wrong with single records on the output topics.
    unreadable: list[Violation] = field(default_factory=list)


def gather(
    utterances: Sequence[Record],
    decisions: Sequence[Record],
    dead_letters: Sequence[Record],
    predictions: Sequence[Record],
    validity: Mapping[Place, bool],
) -> Evidence:
    """Read all records of a run; `validity` goes before our own rules, by place."""
    found = Evidence()
    _take_in(found, utterances, validity)
    _take_decisions(found, decisions)
    _take_letters(found, dead_letters, {record.topic for record in utterances})
    _take_predictions(found, predictions)
    return found


def _take_in(found: Evidence, utterances: Sequence[Record], validity: Mapping[Place, bool]) -> None:
    for record in sorted(utterances, key=place_of):
        place = place_of(record)
        found.sources[place] = record
        if not validity.get(place, problem(record.value) is None):
            found.invalid.add(place)
            continue
        event = json.loads(record.value or b"")
        found.events[turn_of(event)].append(event)
        found.first_in.setdefault(turn_of(event), place)


def _take_decisions(found: Evidence, decisions: Sequence[Record]) -> None:
    for record in sorted(decisions, key=place_of):
        try:
            decision = json.loads(record.value or b"")
            turn_of(decision), decision["decision_id"], decision["kind"], decision["status"]
        except (ValueError, KeyError, TypeError):
            what = f"the decision at {place_of(record)} cannot be read"
            found.unreadable.append(Violation("I1", what))
            continue
        if record.key != decision["call_id"].encode():
            what = f"the decision at {place_of(record)} is not keyed by its call"
            found.unreadable.append(Violation("I3", what))
        found.decisions.append((place_of(record), decision))


def _take_letters(found: Evidence, letters: Sequence[Record], topics: set[str]) -> None:
    for record in letters:
        try:
            letter = json.loads(record.value or b"")
            source = (letter["partition"], letter["offset"])
            ours = letter["topic"] in topics
        except (ValueError, KeyError, TypeError):
            what = f"the dead letter at {place_of(record)} cannot be read"
            found.unreadable.append(Violation("I1", what))
            continue
        if ours:
            found.letters[source].append(letter)


def _take_predictions(found: Evidence, predictions: Sequence[Record]) -> None:
    for record in predictions:
        try:
            event = json.loads(record.value or b"")
            found.offered[turn_of(event)] += event["predictions"]
        except (ValueError, KeyError, TypeError):
            continue  # poison among the predictions; nothing can be served from it


def turn_of(event: Mapping[str, Any]) -> Turn:
    """Tell which turn an event or a decision is about."""
    return (event["tenant_id"], event["call_id"], event["seq"])


def place_of(record: Record) -> Place:
    """Tell where a record lies."""
    return (record.partition, record.offset)
