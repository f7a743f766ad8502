"""What a benchmark's row says beside its numbers: the commit, the machine, and how busy it was."""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def machine() -> dict[str, Any]:
    """Say where and on what a benchmark runs."""
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
    }


def report(**row: Any) -> None:
    """Print one benchmark's row as JSON on a line of its own."""
    print("\n" + json.dumps(row | machine()))  # noqa: T201
