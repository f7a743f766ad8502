"""
The rows of earlier runs, one a line; README.md beside this file describes them.

    python -m tests.benchmarks.history build/bench.jsonl                    # latest against earlier
    python -m tests.benchmarks.history build/bench.jsonl "worker overhead"  # all runs of one
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]

#: What every row has.
FRAME = ("benchmark", "unit", "commit", "cpu", "cores", "load_1min", "python", "at")
#: A distribution, of those that measured times.
SPREAD = ("p50", "p95", "p99")
_COLUMNS = ("at", "commit", "load_1min", "unit", *SPREAD, "p50 against before")


class HistoryError(ValueError):
    """A line of the history is no row."""


def append(path: Path, row: Row) -> None:
    """Add a row at the end; the folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def read(path: Path) -> list[Row]:
    """
    Read all rows, the oldest first.

    Raises:
        HistoryError: a line is no row.

    """
    rows = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise HistoryError(f"{path}: line {number} is no JSON") from error
        missing = [name for name in FRAME if not isinstance(row, dict) or name not in row]
        if missing:
            raise HistoryError(f"{path}: line {number} lacks {', '.join(missing)}")
        rows.append(row)
    return rows


def before(rows: Sequence[Row], row: Row) -> Row | None:
    """Return the last row before one that it can be compared with: same name, unit and machine."""
    same = ("benchmark", "unit", "cpu", "cores")
    earlier = rows[: rows.index(row)]
    alike = [one for one in earlier if all(one[name] == row[name] for name in same)]
    return alike[-1] if alike else None


def lines(rows: Sequence[Row], chosen: Iterable[Row]) -> list[list[str]]:
    """Write rows as cells, each beside the change of its median against the run before."""
    return [
        [
            row["benchmark"],
            *(_cell(row.get(name)) for name in _COLUMNS[:-1]),
            _change(row, before(rows, row)),
        ]
        for row in chosen
    ]


def latest(rows: Sequence[Row]) -> list[Row]:
    """Return the last row of each benchmark, by name."""
    return [last for _, last in sorted({row["benchmark"]: row for row in rows}.items())]


def _cell(value: object) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


def _change(row: Row, earlier: Row | None) -> str:
    values = [one.get("p50") for one in (row, earlier or {})]
    now, then = (value if isinstance(value, int | float) else None for value in values)
    return f"{now / then - 1:+.0%}" if now is not None and then else ""


def main(arguments: Sequence[str]) -> int:
    """Print the latest row of each benchmark, or all of one."""
    path, *names = arguments
    rows = read(Path(path))
    chosen = [row for row in rows if row["benchmark"] in names] if names else latest(rows)
    table = [["benchmark", *_COLUMNS], *lines(rows, chosen)]
    widths = [max(len(line[place]) for line in table) for place in range(len(table[0]))]
    for line in table:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        print("  ".join(cells).rstrip())  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
