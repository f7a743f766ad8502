"""
Labelled phrases: a text and its intent, `oos` where no intent answers it.

A file is JSONL `{"text", "intent"}`; other fields are ignored, and so are blank lines. A bad row
stops the reading; the error names file and line and shows nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import orjson

from models.script_report import RowError

if TYPE_CHECKING:
    from pathlib import Path

#: The intent of what no intent answers.
OUT_OF_SCOPE = "oos"


class Row(NamedTuple):
    """A labelled phrase. User text: never logged."""

    text: str
    intent: str


def read_rows(path: Path) -> list[Row]:
    """
    Read a file.

    Raises:
        RowError: a row is no labelled phrase, or the file has none.
        OSError: it cannot be read.
    """
    lines = path.read_bytes().split(b"\n")
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
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
    return Row(fields["text"], fields["intent"])
