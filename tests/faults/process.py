"""Faults of whole processes, and what a process holds; for workers that a test started."""

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from tests.waiting import wait_until_blocking

_KIB_PER_MIB = 1024


@contextlib.contextmanager
def frozen(pid: int) -> Iterator[None]:
    """Let a process stand still for the time of the block, connections open."""
    os.kill(pid, signal.SIGSTOP)
    wait_until_blocking(lambda: state(pid) == "T", f"process {pid} to stand still")
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def state(pid: int) -> str | None:
    """Tell the state of a process: R runs, S waits, T stands still, Z is dead but not reaped."""
    try:
        return _stat(pid)[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def runs(pid: int) -> bool:
    """Whether a process exists and is not merely waiting to be reaped."""
    return state(pid) not in {None, "Z"}


def children(pid: int, name: str) -> set[int]:
    """List the child processes of `pid` that run a program of this name."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if int(_stat(int(folder.name))[1]) != pid:
                continue
            if (folder / "comm").read_text().strip() == name:
                found.add(int(folder.name))
    return found


def resident_mib(pid: int) -> float:
    """Read the memory that a process holds, MiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / _KIB_PER_MIB
    raise ProcessLookupError(pid)


def open_files(pid: int) -> int:
    """Count the file descriptors of a process."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def _stat(pid: int) -> list[str]:
    """Read the state, the parent and what follows; the name before them may hold anything."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
