"""
The sizing table of deploy/README.md, out of the latest row of `test_scale.py`.

    python -m tests.benchmarks.sizing build/bench.jsonl            # writes it into deploy/README.md
    python -m tests.benchmarks.sizing build/bench.jsonl --print
"""

import itertools
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.history import Row, read
from workers.settings import Settings

README = Path(__file__).parents[2] / "deploy" / "README.md"
BEGIN, END = "<!-- sizing: python -m tests.benchmarks.sizing -->", "<!-- /sizing -->"

#: Calls at once of each line.
CALLS = (100, 300, 1_000, 3_000)
#: A caller speaks this often, seconds.
TURN_S = 15
#: A turn's budget where nobody sets another, seconds, and the share of turns that is to keep it.
BUDGET_S = Settings().budget_ms / 1e3
IN_TIME = 0.95
#: Cores of one worker, as deploy/kubernetes gives them; more workers on the same ones decide hardly
#: more turns.
CORES = 2
#: How long predictions and decisions stay in Redis, seconds; the defaults.
PREDICTIONS_S, DECISIONS_S = 600, 3_600
#: What Redis needs for each byte of data: its tables, and room that its allocator cannot use.
OVERHEAD = 1.25
_MIB = 2**20
_COLUMNS = (
    *("calls at once", "turns a second", "hot workers", "their cores"),
    *("partitions, at least", "Redis, MiB"),
)


class SizingError(ValueError):
    """There is nothing to make the table of, or no place for it."""


def pace_in_budget(shares: Mapping[int, float]) -> int:
    """
    Find the last pace before the first one that left too many turns undecided; 0 for none.

    Args:
        shares: of the turns that were judged within their budget, by turns a second.

    """
    kept = itertools.takewhile(lambda pace: shares[pace] >= IN_TIME, sorted(shares))
    return max(kept, default=0)


def planned_pace(row: Row) -> float:
    """
    Say how many turns a second one worker is given, so that they keep the budget.

    What the row found within the budget counts. A row that only says what a worker can take, `m`
    turns a second, is read as a queue with random arrivals and random times of service: of those
    a share p is through within t where m - ln(1 / (1 - p)) / t come a second. Our times of service
    vary less, so that is on the safe side.

    Raises:
        SizingError: such a worker keeps the budget at no pace.

    """
    found = row.get("turns_a_second_in_budget")
    most = float(row["turns_a_second"]["1"])
    pace = most - math.log(1 / (1 - IN_TIME)) / BUDGET_S if found is None else float(found)
    if pace <= 0:
        raise SizingError(f"a worker that decides {most:g} turns a second keeps no budget there")
    return pace


def memory_mib(row: Row, calls: float) -> int:
    """Say how much memory Redis needs for so many calls at once, MiB."""
    per_call = (
        PREDICTIONS_S / TURN_S * row["prediction_bytes_a_turn"]
        + DECISIONS_S / TURN_S * row["decision_bytes_a_turn"]
    )
    return math.ceil(calls * per_call * OVERHEAD / _MIB)


def table(row: Row) -> str:
    """
    Write what is needed for some numbers of calls at once, in Markdown.

    Raises:
        SizingError: a worker like the row's keeps the budget at no pace.

    """
    pace = planned_pace(row)
    lines = [
        f"| {' | '.join(_COLUMNS)} |",
        f"|{'---|' * len(_COLUMNS)}",
    ]
    for calls in CALLS:
        turns = calls / TURN_S
        workers = max(2, math.ceil(turns / pace))
        partitions = max(row["partitions"], workers)
        lines.append(
            f"| {calls:,} | {turns:.0f} | {workers} | {workers * CORES} | {partitions} "
            f"| {memory_mib(row, calls):,} |"
        )
    return "\n".join([*lines, "", _measured(row), "", _planned(row, pace)])


def _measured(row: Row) -> str:
    one, two = (float(row["turns_a_second"][count]) for count in ("1", "2"))
    return (
        f"Measured at {row['commit']} on {row['cores']} cores of {row['cpu']} (load "
        f"{row['load_1min']}), broker, cache and load on the same cores: with always "
        f"{row['partitions']} turns under way, {row['predictions_a_turn']} predictions each, one "
        f"worker decides {one:g} a second, and two on those same cores {two:g}. That a further "
        f"worker adds as much as the first was not measured: at most where it has cores of its "
        f"own. In Redis a turn's predictions take {row['prediction_bytes_a_turn']:,} bytes and its "
        f"decision {row['decision_bytes_a_turn']:,}."
    )


def _planned(row: Row, pace: float) -> str:
    one = float(row["turns_a_second"]["1"])
    budget = f"{BUDGET_S * 1e3:g} ms"
    why = (
        "measured: turns at random moments, more and more a second"
        if row.get("turns_a_second_in_budget") is not None
        else "reckoned as a queue with random arrivals and times, not measured"
    )
    return (
        f"Planned: the {one:g} a second are without a budget. For {IN_TIME:.0%} of the turns to be "
        f"decided within {budget} a worker is given {pace:.1f} a second, {pace / one:.0%} of them "
        f"({why}). At least two workers, each with {CORES} cores of its own; a turn every {TURN_S} "
        f"s; Redis with {PREDICTIONS_S // 60} minutes of predictions, {DECISIONS_S // 60} of "
        f"decisions, and a quarter more. Where workers share cores, or turns come in waves, plan "
        f"for less."
    )


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
