"""A process can be frozen and looked at."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.process import children, frozen, open_files, resident_mib, runs, state


@pytest.fixture
def child():
    """Give a process that answers each line with the same."""
    code = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        ask(process, "ready")
        yield process
        process.kill()


def ask(process, line):
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return process.stdout.readline().strip()


def test_frozen(child):
    """
    Inside the block the process stands still, after it the process answers again.
    """
    with frozen(child.pid):
        assert state(child.pid) == "T"
        assert runs(child.pid)

    assert ask(child, "hello") == "hello"


def test_killed_while_frozen(child):
    """
    A process that is killed inside the block leaves nothing to resume.
    """
    with frozen(child.pid):
        child.kill()
        child.wait()

    assert state(child.pid) is None
    assert not runs(child.pid)


def test_holdings(child):
    """
    A process has a parent, memory and files.
    """
    name = Path(f"/proc/{child.pid}/comm").read_text().strip()

    assert child.pid in children(os.getpid(), name)
    assert child.pid not in children(os.getpid(), "another")
    assert resident_mib(child.pid) > 1
    assert open_files(child.pid) >= 3
