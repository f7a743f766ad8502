"""
Labelled phrases: a text and its intent, `oos` where no intent answers it.

A file is JSONL `{"text", "intent"}`; other fields, blank lines and a byte-order mark are ignored. A
bad row stops the reading; the error names file and line and shows nothing of it.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, NamedTuple

import orjson

from models.script_report import RowError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

#: The intent of what no intent answers.
OUT_OF_SCOPE = "oos"


class Row(NamedTuple):
    """A labelled phrase. User text: never logged."""

    text: str
    intent: str


def read_rows(path: Path, known: Iterable[Row] | None = None) -> list[Row]:
    """
    Read a file.

    Args:
        path: the file.
        known: the rows that train has; an intent that none of them has is a mistake of the file,
            for what no intent answers is `oos`. None takes any intent.

    Raises:
        RowError: a row is no labelled phrase, or the file has none.
        OSError: it cannot be read.
    """
    intents = None if known is None else {row.intent for row in known} | {OUT_OF_SCOPE}
    lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _row(path, number, line)
        if intents is not None and row.intent not in intents:
            reason = f'train has no row of this intent; "{OUT_OF_SCOPE}" is what no intent answers'
            raise RowError(path, number, reason)
        rows.append(row)
    if not rows:
        raise RowError(path, 1, "no rows in this file")
    return rows


def _row(path: Path, number: int, line: bytes) -> Row:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        # The line is what somebody said, so nothing that holds it may follow the error.
        raise RowError(path, number, "not JSON") from None
    if not isinstance(fields, dict):
        raise RowError(path, number, "not an object")
    for name in Row._fields:
        if not isinstance(fields.get(name), str):
            raise RowError(path, number, f"no text in field {name!r}")
        if not fields[name].strip():
            raise RowError(path, number, f"nothing in field {name!r}")
    return Row(fields["text"], fields["intent"])
