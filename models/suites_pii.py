"""
The suite of personal data: what callers say with and without any, held to strict rules.

    python -m models.suites_pii        writes suites/pii.jsonl from suites/pii.txt; last line JSON

`pii.txt` is what was written by hand: a row a line under a heading `= language`, each span as
`{KIND|what was said}`. `pii.jsonl` is the same with offsets, for `turngate eval pii`. Nothing is
tuned on it.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import orjson

from models.evaluation.pii import MarkedSpan, PiiRow
from models.masking import Kind
from models.script_report import RowError
from models.suites import FOLDER, LANGUAGES, UnsoundSuiteError

SOURCE, PRODUCT = FOLDER / "pii.txt", FOLDER / "pii.jsonl"

#: Least rows of a language, and least share of all rows that hold nothing personal.
LEAST_ROWS, LEAST_CLEAN = 100, 0.35
#: Least spans of the kinds that callers say most, over all languages.
LEAST_OF_KIND = {Kind.PHONE: 40, Kind.OTP: 25, Kind.CARD: 20, Kind.ACCOUNT: 40, Kind.NAME: 25}

_MARK = re.compile(r"\{([A-Z_]+)\|([^{}]+)\}")
_HEADING = "= "


def rows_of(path: Path = SOURCE) -> tuple[PiiRow, ...]:
    """
    Read what was written by hand.

    Raises:
        RowError: a line is no row; the error names file and line.
        UnsoundSuiteError: rows do not fit together.
        OSError: the file cannot be read.
    """
    rows = tuple(_rows(path))
    _check(rows)
    return rows


def parse(marked: str, language: str | None = None, name: str | None = None) -> PiiRow:
    """
    Turn a marked line into its text and the offsets of its spans.

    Raises:
        ValueError: a mark is not closed, or names no kind.
    """
    text, spans, end = "", [], 0
    for mark in _MARK.finditer(marked):
        text += marked[end : mark.start()]
        spans.append(MarkedSpan(len(text), len(text) + len(mark[2]), Kind(mark[1])))
        text += mark[2]
        end = mark.end()
    text += marked[end:]
    if "{" in text or "}" in text:
        raise ValueError("a mark is not closed")
    return PiiRow(text=text, spans=tuple(spans), language=language, id=name)


def main() -> None:
    """Write the file with offsets and print what it holds."""
    rows = rows_of()
    PRODUCT.write_bytes(encode(rows))
    sys.stdout.write(orjson.dumps(summary(rows)).decode() + "\n")


def encode(rows: Iterable[PiiRow]) -> bytes:
    """JSONL of rows."""
    lines = (orjson.dumps(msgspec.to_builtins(row)) for row in rows)
    return b"".join(line + b"\n" for line in lines)


def summary(rows: Sequence[PiiRow]) -> dict[str, Any]:
    """Count rows, rows without personal data, and spans of each kind."""
    return {
        "rows": len(rows),
        "clean": sum(not row.spans for row in rows),
        "languages": dict(Counter(str(row.language) for row in rows)),
        "spans": dict(Counter(span.type.value for row in rows for span in row.spans)),
    }


def _rows(path: Path) -> Iterator[PiiRow]:
    language, count = "", Counter[str]()
    for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
        if line.startswith(_HEADING):
            language = line.removeprefix(_HEADING)
            continue
        if not line:
            continue
        if language not in LANGUAGES:
            raise RowError(path, number, "stands under no language")
        count[language] += 1
        try:
            yield parse(line, language, f"pii-{language}-{count[language]:03}")
        except ValueError:
            raise RowError(path, number, "a mark is not closed, or names no kind") from None


def _check(rows: Sequence[PiiRow]) -> None:
    first: dict[str, PiiRow] = {}
    for row in rows:
        if first.setdefault(row.text, row) is not row:
            raise UnsoundSuiteError(f"{row.id}: said twice")
    languages = Counter(row.language for row in rows)
    for language in LANGUAGES:
        if languages[language] < LEAST_ROWS:
            raise UnsoundSuiteError(f"{language}: only {languages[language]} rows")
    clean = sum(not row.spans for row in rows)
    if clean < LEAST_CLEAN * len(rows):
        raise UnsoundSuiteError(f"only {clean} of {len(rows)} rows without personal data")
    counts = Counter(span.type for row in rows for span in row.spans)
    for kind, least in LEAST_OF_KIND.items():
        if counts[kind] < least:
            raise UnsoundSuiteError(f"{kind}: only {counts[kind]} spans")


if __name__ == "__main__":
    main()
