"""
The demo's turns, read from `deploy/demo`.

* DataError (a WorkerError)   a file of the demo is not as it should be; names file and line
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

import orjson

from workers.errors import WorkerError

#: Where the demo's files are.
FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "demo"

_COLUMNS = ["turn", "agent", "language", "part", "kind", "serve", "source", "text"]
_CALLER = "caller"

_Row = TypeVar("_Row")


class DataError(WorkerError):
    """A file of the demo is not as it should be."""


class Expected(StrEnum):
    """What should become of a turn."""

    #: Some prediction may be served.
    MATCH = "match"
    #: No prediction may be served.
    ABSENT = "absent"
    #: Must not be judged: not a language that the bundle was trained on.
    LANGUAGE = "language"
    #: Must not be judged: the start of a sentence.
    FRAGMENT = "fragment"
    #: Must not be judged: an answering machine.
    VOICEMAIL = "voicemail"
    #: Must not be judged: no words.
    EMPTY = "empty"

    @property
    def bypass(self) -> bool:
        """Whether the turn must not be judged at all."""
        return self not in {Expected.MATCH, Expected.ABSENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPrediction:
    """A prediction, and whether its reply may be played to this caller."""

    #: Names it in all of the demo.
    prediction_id: str
    #: The utterance that is expected.
    text: str
    #: How it relates to what the caller says, as `SOURCE.md` lists.
    kind: str
    #: Whether it may be served; checked by reading.
    serve: bool

    @property
    def side_effect(self) -> bool:
        """Whether its reply does something."""
        return self.kind == "side_effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTurn:
    """What one caller says, and what was predicted."""

    #: Names it in all of the demo.
    turn_id: str
    #: The agent that the caller talks to.
    agent: str
    #: en, hi, hinglish, ar, or a stranger's.
    language: str
    #: What the caller says.
    text: str
    #: What should become of it.
    expected: Expected
    #: The predictions, in the agent's order.
    predictions: tuple[DemoPrediction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoAgent:
    """An agent of the demo."""

    #: Its name.
    agent: str
    #: Who owns it.
    tenant: str
    #: Mode of its match gate: `live` or `shadow`.
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BadRecord:
    """Bytes that are no event."""

    #: Names it.
    record_id: str
    #: Where it is sent, without prefix.
    topic: str
    #: What is sent; None for a null value.
    value: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoData:
    """Everything that the demo plays."""

    turns: tuple[DemoTurn, ...]
    agents: tuple[DemoAgent, ...]
    bad_records: tuple[BadRecord, ...]


def load(folder: Path = FOLDER) -> DemoData:
    """
    Read the demo's files.

    Raises:
        DataError: a file is missing or not as it should be.

    """
    try:
        turns = [turn for path in sorted(folder.glob("turns*.tsv")) for turn in _turns(path)]
        agents = [DemoAgent(**row) for row in table(folder / "agents.tsv")]
        bad_records = list(_bad_records(folder / "bad-records.jsonl"))
    except (OSError, TypeError, KeyError, ValueError) as error:
        raise DataError(f"the demo's files in {folder} cannot be read: {error}") from error
    known = {agent.agent for agent in agents}
    if not turns or not {turn.agent for turn in turns} <= known:
        raise DataError(f"the turns in {folder} need agents that agents.tsv does not have")
    return DemoData(turns=tuple(turns), agents=tuple(agents), bad_records=tuple(bad_records))


def evenly(rows: Sequence[_Row], count: int) -> list[_Row]:
    """Take so many rows, evenly from all of them; all if there are fewer."""
    if count >= len(rows):
        return list(rows)
    return [rows[place * len(rows) // count] for place in range(count)]


def _turns(path: Path) -> Iterator[DemoTurn]:
    caller: dict[str, str] | None = None
    predictions: list[DemoPrediction] = []
    for row in table(path, _COLUMNS):
        if row["part"] == _CALLER:
            if caller is not None:
                yield _turn(caller, predictions)
            caller, predictions = row, []
        elif caller is None or row["turn"] != caller["turn"]:
            raise DataError(f"{path.name}: prediction {row['part']} of {row['turn']} has no caller")
        else:
            predictions.append(_prediction(row))
    if caller is not None:
        yield _turn(caller, predictions)


def _turn(row: dict[str, str], predictions: list[DemoPrediction]) -> DemoTurn:
    return DemoTurn(
        turn_id=row["turn"],
        agent=row["agent"],
        language=row["language"],
        text=row["text"],
        expected=Expected(row["kind"]),
        predictions=tuple(predictions),
    )


def _prediction(row: dict[str, str]) -> DemoPrediction:
    if row["serve"] not in {"yes", "no"}:
        raise DataError(f"{row['turn']} {row['part']}: serve is neither yes nor no")
    return DemoPrediction(
        prediction_id=f"{row['turn']}/{row['part']}",
        text=row["text"],
        kind=row["kind"],
        serve=row["serve"] == "yes",
    )


def table(path: Path, columns: list[str] | None = None) -> Iterator[dict[str, str]]:
    """
    Read the rows of a tab-separated file, by column.

    Raises:
        DataError: the columns are others, or a row has more or fewer cells.

    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows)
        if columns is not None and header != columns:
            raise DataError(f"{path.name}: the columns must be {', '.join(columns)}")
        for number, cells in enumerate(rows, start=2):
            if len(cells) != len(header):
                raise DataError(f"{path.name}:{number}: {len(cells)} cells, not {len(header)}")
            yield dict(zip(header, cells, strict=True))


def _bad_records(path: Path) -> Iterator[BadRecord]:
    for line in path.read_bytes().splitlines():
        row = orjson.loads(line)
        value = bytes.fromhex(row["hex"]) if "hex" in row else row["text"]
        yield BadRecord(
            record_id=row["id"],
            topic=row["topic"],
            value=value.encode() if isinstance(value, str) else value,
        )
