"""
Labelled rows, read from JSONL.

A pair is `{"utterance", "prediction", "label"}` with `class`, `agent`, `id` and `language` where
known; a row of the data stage, which calls the texts `a` and `b`, is read too. A turn is
`{"agent", "utterance", "predictions": [{"text", "label"}]}` with `id` and `language`; where pairs
are asked for, it gives one for each prediction, which may have a `class`. Other fields are ignored,
and so are blank lines.

A bad row stops the reading; the error names file and line and shows nothing of it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from models.evaluation.line import WrongRow, object_of
from models.pipeline.data.row import LANGUAGE_OF
from models.script_report import RowError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a row stands, and what is known of it."""

    #: Name of its file; with the folder where several files have that name.
    file: str
    #: Line number, from 1.
    row: int
    #: Its own name, where it has one.
    id: str | None = None
    #: As the row says it.
    language: str | None = None
    #: What the agent had just said. User text: never logged.
    agent: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Source):
    """An utterance and one prediction."""

    #: User text: never logged.
    utterance: str
    #: User text: never logged.
    prediction: str
    #: 1 where the reply prepared for the prediction may be played, else 0.
    label: int
    #: What the pair tests, such as "polarity".
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Source):
    """An utterance and the predictions of that moment."""

    #: User text: never logged.
    utterance: str
    #: Text and label of each prediction; a logged turn's label is None where nobody gave one.
    predictions: tuple[tuple[str, int | None], ...]


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """
    Read files of pairs, or of turns as the pairs of their predictions, in their order.

    Raises:
        RowError: a row is no pair, or a file has none.
        OSError: a file cannot be read.
    """
    rows = [row for path, name in _named(paths) for row in _read(path, name, _pairs)]
    return [pair for row in rows for pair in row]


def read_turns(paths: Sequence[Path]) -> list[Turn]:
    """
    Read files of turns, in their order.

    Raises:
        RowError: a row is no turn, or a file has none.
        OSError: a file cannot be read.
    """
    return [row for path, name in _named(paths) for row in _read(path, name, _turn)]


def name_of(row: Source, *, several: bool) -> str | int:
    """Name a row: its id, or else its number, with its file where there are several files."""
    if row.id is not None:
        return row.id
    return f"{row.file}:{row.row}" if several else row.row


R = TypeVar("R")
Fields = dict[str, Any]


def _named(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    often = Counter(path.name for path in paths)
    return [(path, path.name if often[path.name] == 1 else str(path)) for path in paths]


def _read(path: Path, name: str, parse: Callable[[Fields, Fields], R]) -> list[R]:
    rows = []
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(parse(object_of(line), {"file": name, "row": number}))
        except WrongRow as wrong:
            # The line is what somebody said, so nothing that holds it may follow the error.
            raise RowError(path, number, str(wrong)) from None
    if not rows:
        raise RowError(path, 1, "no rows in this file")
    return rows


def _pairs(fields: Fields, place: Fields) -> list[Pair]:
    if "predictions" not in fields:
        return [_pair(fields, place)]
    shared = {name: fields.get(name) for name in ("utterance", "agent", "language")}
    turn = _known(fields)["id"] or f"{place['file']}:{place['row']}"
    return [
        _pair(
            {
                **shared,
                "id": f"{turn}/{number}",
                "prediction": _text(one, "text"),
                "label": one.get("label"),
                "class": one.get("class"),
            },
            place,
        )
        for number, one in enumerate(_predictions(fields), 1)
    ]


def _pair(fields: Fields, place: Fields) -> Pair:
    utterance, prediction = ("a", "b") if _is_data_row(fields) else ("utterance", "prediction")
    return Pair(
        **place,
        **_known(fields),
        utterance=_text(fields, utterance),
        prediction=_text(fields, prediction),
        label=_label(fields),
        kind=_optional(fields, "class"),
    )


def _turn(fields: Fields, place: Fields) -> Turn:
    return Turn(
        **place,
        **_known(fields),
        utterance=_text(fields, "utterance"),
        predictions=tuple((_text(one, "text"), _label(one)) for one in _predictions(fields)),
    )


def _predictions(fields: Fields) -> list[Fields]:
    predictions = fields.get("predictions")
    if not isinstance(predictions, list):
        raise WrongRow("no list in field 'predictions'")
    if not all(isinstance(one, dict) for one in predictions):
        raise WrongRow("a prediction is no object")
    return predictions


def _is_data_row(fields: Fields) -> bool:
    return "utterance" not in fields and {"a", "b"} <= fields.keys()


def _known(fields: Fields) -> Fields:
    number = fields.get("id")
    named = isinstance(number, int) and not isinstance(number, bool)
    return {
        "id": str(number) if named else _optional(fields, "id"),
        "language": _optional(fields, "language") or _language_of_sides(fields),
        "agent": _optional(fields, "agent"),
    }


def _language_of_sides(fields: Fields) -> str | None:
    """A row of the data stage tells the variant of each side; a crossed pair is mixed."""
    sides = {LANGUAGE_OF.get(str(fields.get(f"language_{side}"))) for side in "ab"}
    return sides.pop() if len(sides) == 1 else "mixed"


def _text(fields: Fields, name: str) -> str:
    text = fields.get(name)
    if not isinstance(text, str):
        raise WrongRow(f"no text in field {name!r}")
    return text


def _optional(fields: Fields, name: str) -> str | None:
    if fields.get(name) is None:
        return None
    return _text(fields, name) or None


def _label(fields: Fields) -> int:
    label = fields.get("label")
    if label not in (0, 1) or not isinstance(label, int):
        raise WrongRow("field 'label' is neither 0 nor 1")
    return int(label)
