"""
The sizing table of deploy/README.md, out of the latest row of `test_scale.py`.

    python -m tests.benchmarks.sizing build/bench.jsonl            # writes it into deploy/README.md
    python -m tests.benchmarks.sizing build/bench.jsonl --print
"""

import math
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.history import Row, read

README = Path(__file__).parents[2] / "deploy" / "README.md"
BEGIN, END = "<!-- sizing: python -m tests.benchmarks.sizing -->", "<!-- /sizing -->"

#: Calls at once of each line.
CALLS = (100, 300, 1_000, 3_000)
#: A caller speaks this often, seconds.
TURN_S = 15
#: Share of what a worker can take that it is given: beyond it turns wait for each other.
LOAD = 0.5
#: How long predictions and decisions stay in Redis, seconds; the defaults.
PREDICTIONS_S, DECISIONS_S = 600, 3_600
_MIB = 2**20


class SizingError(ValueError):
    """There is nothing to make the table of, or no place for it."""


def table(row: Row) -> str:
    """Write what is needed for some numbers of calls at once, in Markdown."""
    one, two = (float(row["turns_a_second"][count]) for count in ("1", "2"))
    per_call = (
        PREDICTIONS_S / TURN_S * row["prediction_bytes_a_turn"]
        + DECISIONS_S / TURN_S * row["decision_bytes_a_turn"]
    )
    lines = [
        "| calls at once | turns a second | hot workers | partitions, at least | Redis, MiB |",
        "|---|---|---|---|---|",
    ]
    for calls in CALLS:
        turns = calls / TURN_S
        workers = max(2, math.ceil(turns / (LOAD * one)))
        partitions = max(row["partitions"], workers)
        memory = math.ceil(calls * per_call / _MIB)
        lines.append(f"| {calls:,} | {turns:.0f} | {workers} | {partitions} | {memory:,} |")
    said = (
        f"Measured at {row['commit']} on {row['cores']} cores of {row['cpu']} (load "
        f"{row['load_1min']}), broker, cache and load on the same machine: one worker decides "
        f"{one:g} turns a second with {row['predictions_a_turn']} predictions each, two decide "
        f"{two:g}; in Redis a turn's predictions take {row['prediction_bytes_a_turn']:,} bytes and "
        f"its decision {row['decision_bytes_a_turn']:,}. The table gives workers half of what they "
        f"can take, at least two of them, a turn every {TURN_S} s, and Redis "
        f"{PREDICTIONS_S // 60} minutes of predictions and {DECISIONS_S // 60} of decisions."
    )
    return "\n".join([*lines, "", said])


def latest_scale(rows: Sequence[Row]) -> Row:
    """
    Return the row to make the table of.

    Raises:
        SizingError: there is none.

    """
    found = [row for row in rows if row["benchmark"] == "scale"]
    if not found:
        raise SizingError("the history has no row of tests/benchmarks/test_scale.py")
    return found[-1]


def placed(text: str, made: str) -> str:
    """
    Put the table into its place in a document.

    Raises:
        SizingError: the document has no such place.

    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise SizingError(f"no place between {BEGIN} and {END}")
    return f"{head}{BEGIN}\n\n{made}\n\n{END}{tail}"


def main(arguments: Sequence[str]) -> int:
    """Write the table, or print it."""
    path, *flags = arguments
    made = table(latest_scale(read(Path(path))))
    if "--print" in flags:
        print(made)  # noqa: T201
    else:
        README.write_text(placed(README.read_text("utf-8"), made), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
