"""
A benchmark's one row: its numbers, and the commit, the machine and how busy it was.

README.md beside this file describes the fields.
"""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.benchmarks.history import append

#: Names the file that rows are added to; `make bench` sets it. Without it they are only printed.
HISTORY = "BENCH_HISTORY"
#: The shares of a distribution that every row with times has.
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def percentiles(values: Sequence[float], digits: int = 2) -> dict[str, float]:
    """Return p50, p95 and p99, rounded to so many digits."""
    return {name: round(percentile(values, share), digits) for name, share in SHARES.items()}


def machine() -> dict[str, Any]:
    """Say where, when and on what a benchmark runs."""
    git = subprocess.run(
        ["git", "describe", "--always", "--dirty"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text("ascii", "replace").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "commit": git.stdout.strip(),
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def report(
    benchmark: str, unit: str, *, times: Sequence[float] = (), digits: int = 2, **found: Any
) -> None:
    """
    Print a benchmark's one row, and add it to the history if there is one.

    Args:
        benchmark: its name; rows of one name are compared with each other.
        unit: of its main numbers.
        times: single measurements; the row gets their number and percentiles.
        digits: of those percentiles.
        found: what else it found.

    Raises:
        ValueError: it has the name of a field that every row has.

    """
    spread = {"n": len(times), **percentiles(times, digits)} if times else {}
    row = {"benchmark": benchmark, "unit": unit, **spread}
    for part in (found, machine()):
        if row.keys() & part.keys():
            raise ValueError(f"{benchmark} says twice: {', '.join(row.keys() & part.keys())}")
        row |= part
    print("\n" + json.dumps(row))  # noqa: T201
    path = os.environ.get(HISTORY)
    if path:
        append(Path(path), row)
