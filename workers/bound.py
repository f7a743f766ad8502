"""Children that die with their parent, however it dies."""

import os
import sys

# The child replaces this small program, which keeps the process id. A `preexec_fn` would do the
# same, but may deadlock in a process with threads. PR_SET_PDEATHSIG is 1; the parent may already
# have died before it was set.
_PROGRAM = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != int(sys.argv[1]):
    sys.exit(1)
os.execv(sys.argv[2], sys.argv[2:])
"""


def bound(*command: str) -> tuple[str, ...]:
    """
    Make the command that runs `command`, an absolute path and its arguments, bound to us.

    On Linux the kernel kills the child when the thread that started it ends, so that thread has to
    be one that lives as long as the child should; elsewhere the child can outlive us.
    """
    return (sys.executable, "-I", "-S", "-c", _PROGRAM, str(os.getpid()), *command)
