"""
Entries from a file, JSONL or CSV, checked whole before anything is done with them.

A row has `id`, `tenant`, `title` and `content`, and may have `category`, `lang` and `updated`; the
names of the event, `entry_id`, `tenant_id` and `updated_at_ms`, do too. A CSV file names its
columns in its first line. What is wrong is said by line and never quotes the row.
"""

import codecs
import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import orjson

from models.kb.limits import Limits, size, too_long
from topics.codec import DecodeError, decode
from topics.entry import KbEntry

#: Field of the event that each name stands for.
FIELDS = {
    "id": "entry_id",
    "entry_id": "entry_id",
    "tenant": "tenant_id",
    "tenant_id": "tenant_id",
    "title": "title",
    "content": "content",
    "category": "category",
    "lang": "lang",
    "updated": "updated_at_ms",
    "updated_at_ms": "updated_at_ms",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line."""

    #: From 1; of a row that spans several, the last.
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Rows:
    """What a file holds."""

    entries: tuple[KbEntry, ...]
    #: In the order of the lines; where there are some, nothing is to be done with the entries.
    problems: tuple[Problem, ...]


class _Wrong(Exception):
    """What is wrong with a row; holds nothing of it."""


def read_rows(path: Path, limits: Limits, tenant: str | None = None) -> Rows:
    """
    Read a file; one whose name ends with `.csv` is CSV, every other JSONL.

    Args:
        path: the file, UTF-8.
        limits: what a worker takes.
        tenant: owns the rows that name none.

    Raises:
        OSError: the file cannot be read.
    """
    raw = path.read_bytes()
    table = path.suffix.lower() == ".csv"
    entries: list[KbEntry] = []
    problems: list[Problem] = []
    lines: dict[tuple[str, str], int] = {}
    for line, row in _table(raw) if table else _lines(raw):
        try:
            entry = _entry(row, tenant)
        except _Wrong as wrong:
            problems.append(Problem(line, str(wrong)))
            continue
        first = lines.setdefault((entry.tenant_id, entry.entry_id), line)
        if first == line:
            entries.append(entry)
        else:
            problems.append(Problem(line, f"the entry of line {first} again"))
    if not entries and not problems:
        problems.append(Problem(1, "no rows in this file"))
    problems += _too_many(entries, lines, limits)
    return Rows(tuple(entries), tuple(sorted(problems, key=lambda one: one.line)))


_Row = Mapping[str, Any] | _Wrong


def _lines(raw: bytes) -> Iterator[tuple[int, _Row]]:
    for number, line in enumerate(raw.removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError:
            yield number, _Wrong("not JSON in UTF-8")
            continue
        yield number, row if isinstance(row, dict) else _Wrong("not an object")


def _table(raw: bytes) -> Iterator[tuple[int, _Row]]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield 1 + raw.count(b"\n", 0, error.start), _Wrong("not UTF-8")
        return
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            yield reader.line_num, _Wrong("not CSV: a quote is out of place, or a field too long")
            return
        if cells is None:
            return
        if header is None:
            header = [cell.strip().lower() for cell in cells]
            if len(set(header)) < len(header):
                yield reader.line_num, _Wrong("two columns have one name")
                return
        elif any(cell.strip() for cell in cells):
            yield reader.line_num, _cells(header, cells)


def _cells(header: list[str], cells: list[str]) -> _Row:
    if len(cells) != len(header):
        return _Wrong(f"{len(cells)} fields where the first line names {len(header)}")
    # An empty field of a table is one that is not there.
    return {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}


def _entry(row: _Row, tenant: str | None) -> KbEntry:
    if isinstance(row, _Wrong):
        raise row
    fields: dict[str, Any] = {}
    for name, value in row.items():
        if name not in FIELDS:
            # A name may hold anything; which ones there are says enough.
            raise _Wrong(f"a field that no entry has; entries have {', '.join(FIELDS)}")
        if FIELDS[name] in fields:
            raise _Wrong(f"field {name!r} and another name of it")
        if value is not None:
            fields[FIELDS[name]] = _when(value) if name == "updated" else value
    if tenant is not None:
        fields.setdefault("tenant_id", tenant)
    if isinstance(at := fields.get("updated_at_ms"), str):
        fields["updated_at_ms"] = _number(at)
    for name in ("title", "content"):
        fields.setdefault(name, "")
    return _checked(fields)


def _checked(fields: dict[str, Any]) -> KbEntry:
    try:
        # As the worker will read it.
        entry = decode(KbEntry, orjson.dumps(fields))
    except DecodeError as error:
        raise _Wrong(_by_row_names(error.reason)) from None
    if not entry.title.strip() and not entry.content.strip():
        raise _Wrong("neither title nor content says anything")
    reason = too_long(entry)
    if reason is not None:
        raise _Wrong(reason)
    return entry


def _by_row_names(reason: str) -> str:
    """The event's names as a row has them."""
    return reason.replace("entry_id", "id").replace("tenant_id", "tenant").replace("$.", "")


def _when(value: Any) -> int:
    """A day or a moment, ISO 8601, as epoch milliseconds; without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(value)
        if len(value) == len("2026-11-30"):
            moment = datetime.combine(date.fromisoformat(value), time())
    except (TypeError, ValueError):
        raise _Wrong("field 'updated' is no date, as 2026-11-30 or 2026-11-30T09:00") from None
    return int(moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() * 1e3)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise _Wrong("field 'updated_at_ms' is no whole number")
    return int(text)


def _too_many(
    entries: list[KbEntry], lines: dict[tuple[str, str], int], limits: Limits
) -> Iterator[Problem]:
    """What a worker would refuse even if it held nothing else: the first entry of each tenant."""
    of_tenant: dict[str, int] = {}
    for entry in entries:
        before = of_tenant.get(entry.tenant_id, 0)
        of_tenant[entry.tenant_id] = after = before + size(entry)
        if before <= limits.tenant < after:
            line = lines[entry.tenant_id, entry.entry_id]
            yield Problem(line, f"its tenant has more than {limits.tenant} passages up to here")
    if sum(of_tenant.values()) > limits.all:
        yield Problem(1, f"all rows together have more than {limits.all} passages")
