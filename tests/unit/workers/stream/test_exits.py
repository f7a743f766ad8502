"""Tests of the way out."""

import subprocess
import sys

from workers.stream.exits import ExitCode

HANGING = """
import logging, sys, threading
logging.basicConfig(stream=sys.stderr)
threading.Thread(target=threading.Event().wait).start()
{more}
from workers.stream.exits import end_process
end_process(3, "why")
"""


def run(more=""):
    """Run a program with a thread that never ends, and end it."""
    program = [sys.executable, "-c", HANGING.format(more=more)]
    return subprocess.run(program, capture_output=True, timeout=20, check=False)  # noqa: S603


class TestEndProcess:
    def test_is_not_held_up_by_threads(self):
        """
        A thread that never ends keeps an ordinary exit waiting, this one not; the log is written.
        """
        done = run()

        assert done.returncode == ExitCode.HUNG
        assert b"worker_ends_hard" in done.stderr

    def test_is_not_held_up_by_a_locked_log(self):
        """
        Where a blocked thread holds the log's lock, the process ends without its last words.
        """
        done = run("logging.getLogger().handlers[0].acquire()")

        assert done.returncode == ExitCode.HUNG
