"""
Human labels of logged turns, read from JSONL: may this prediction's reply be played?

A row is `{"decision_id", "prediction_id", "label"}` with `labeller` and `note` where known. In
place of the decision's id the turn may stand (`tenant_id`, `call_id`, `seq`), and without a
prediction the row speaks of the one that was served, or would have been but for shadow mode.

Two rows that contradict each other on a pair settle nothing, whoever wrote them: a wrong label in a
test file costs more than a missing one. Notes are read by nobody.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from models.evaluation.events import Problem, read_lines
from topics.codec import DecodeError, decode
from topics.decision import Decision, decision_id
from topics.fields import Id, Seq

#: A turn, by its decision's id, and one of its predictions.
PairId = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One row, as a person or their tool wrote it."""

    #: 1 where the reply prepared for the prediction may be played, else 0.
    label: Literal[0, 1]
    #: The decision.
    decision_id: Id | None = None
    #: Whose call it was.
    tenant_id: Id | None = None
    #: The call.
    call_id: Id | None = None
    #: The turn of the call.
    seq: Seq | None = None
    #: The prediction; without it, the one that was served.
    prediction_id: Id | None = None
    #: Who says so.
    labeller: str | None = None
    #: Remarks: may quote the caller, so they go nowhere.
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A label and where it stands."""

    path: Path
    #: Line number, from 1.
    line: int
    label: Label
    #: The id of the turn's decision.
    turn: str

    def problem(self, reason: str) -> Problem:
        """Say what is wrong with it."""
        return Problem(self.path, self.line, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What the labels of some pairs come to."""

    #: The first row of each pair whose rows agree, in the order of the files.
    labels: dict[PairId, Given] = field(default_factory=dict)
    #: Further rows of those pairs.
    repeated: int = 0
    #: Rows of pairs whose rows do not agree, each as a problem.
    conflicts: list[Problem] = field(default_factory=list)
    #: How many pairs those are.
    conflicting_pairs: int = 0


def read_labels(paths: Sequence[Path]) -> tuple[list[Given], list[Problem]]:
    """
    Read files of labels.

    Returns:
        The labels, and the lines that are none.

    Raises:
        OSError: a file cannot be read.
    """
    given, problems = [], []
    for path in paths:
        for number, line in read_lines(path):
            try:
                label = decode(Label, line)
            except DecodeError as error:
                problems.append(Problem(path, number, error.reason))
                continue
            turn = _turn(label)
            if turn is None:
                reason = "no decision_id, nor tenant_id, call_id and seq"
                problems.append(Problem(path, number, reason))
                continue
            given.append(Given(path, number, label, turn))
    return given, problems


def of_another_turn(label: Label, decision: Decision) -> bool:
    """Whether a label names a decision and also, in part or whole, another turn than its own."""
    named = (label.tenant_id, label.call_id, label.seq)
    own = (decision.tenant_id, decision.call_id, decision.seq)
    return any(one not in (None, other) for one, other in zip(named, own, strict=True))


def served_prediction(decision: Decision) -> str | None:
    """The prediction that was served, or would have been but for shadow mode."""
    if decision.would_have is not None:
        return decision.would_have.prediction_id
    return decision.prediction_id


def settle(labels: Iterable[tuple[str, Given]]) -> Settled:
    """
    Bring together what several rows say of a pair.

    Args:
        labels: each row with the prediction that it speaks of.
    """
    by_pair: dict[PairId, list[Given]] = defaultdict(list)
    for prediction_id, given in labels:
        by_pair[given.turn, prediction_id].append(given)
    at_odds = [rows for rows in by_pair.values() if len({one.label.label for one in rows}) > 1]
    agreed = {
        pair: rows[0]
        for pair, rows in by_pair.items()
        if len({one.label.label for one in rows}) == 1
    }
    return Settled(
        labels=agreed,
        repeated=sum(len(by_pair[pair]) - 1 for pair in agreed),
        conflicts=[problem for rows in at_odds for problem in _conflicts(rows)],
        conflicting_pairs=len(at_odds),
    )


def _conflicts(rows: Sequence[Given]) -> list[Problem]:
    found = []
    for one in rows:
        other = next(row for row in rows if row.label.label != one.label.label)
        reason = f"another label than {other.path}, line {other.line}: the pair is left out"
        found.append(one.problem(reason))
    return found


def _turn(label: Label) -> str | None:
    if label.decision_id is not None:
        return label.decision_id
    if label.tenant_id is None or label.call_id is None or label.seq is None:
        return None
    return decision_id(label.tenant_id, label.call_id, label.seq)
