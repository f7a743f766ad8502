"""Gaps for other tools: CSV for spreadsheets, JSONL for programs; nothing of the worker's own."""

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from topics.codec import encode
from topics.gap import Gap

#: Columns of the table, in order.
COLUMNS = (
    *("gap_id", "tenant_id", "state", "reason", "count", "first_seen", "last_seen", "languages"),
    *("title", "examples", "entry_id", "quotes", "blanks"),
)
#: A cell that begins so is a formula to a spreadsheet, and callers must not be able to write one.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain(gap: Gap) -> dict[str, Any]:
    """Return a gap as JSON has it, without what is the worker's own."""
    fields: dict[str, Any] = orjson.loads(encode(gap))
    del fields["memory"]
    return fields


def jsonl(gaps: Iterable[Gap]) -> Iterator[str]:
    """Give one line of JSON a gap."""
    for gap in gaps:
        yield orjson.dumps(plain(gap)).decode() + "\n"


def table(gaps: Iterable[Gap]) -> Iterator[str]:
    """Give the lines of a CSV file, its columns named first; lists are cells of several lines."""
    yield line(COLUMNS)
    for gap in gaps:
        yield line(_cells(gap))


def line(cells: Iterable[Any]) -> str:
    """Give one line of a CSV file; no cell is a formula."""
    text = io.StringIO()
    csv.writer(text).writerow([_safe(str(cell)) for cell in cells])
    return text.getvalue()


def title(gap: Gap) -> str:
    """Return the one line that tells what a gap is about."""
    if gap.suggestion is not None:
        return gap.suggestion.title
    return gap.examples[0] if gap.examples else ""


def when(at_ms: int) -> str:
    """Return a moment as ISO 8601, UTC, to the second."""
    return datetime.fromtimestamp(at_ms // 1_000, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _cells(gap: Gap) -> tuple[Any, ...]:
    suggestion = gap.suggestion
    return (
        *(gap.gap_id, gap.tenant_id, gap.state.value, gap.reason.value, gap.count),
        *(when(gap.first_seen_ms), when(gap.last_seen_ms), " ".join(gap.languages)),
        *(title(gap), "\n".join(gap.examples), gap.entry_id or ""),
        "\n".join(suggestion.quotes) if suggestion else "",
        "\n".join(suggestion.blanks) if suggestion else "",
    )


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
