"""A child process that serves one TCP port on loopback, and never outlives us."""

import contextlib
import functools
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from workers.bound import bound
from workers.embedded.errors import StartFailed
from workers.loopback import free_port

#: How long a service may take until it answers, seconds; both take well under one.
READY_LIMIT_S = 15.0
#: How long SIGTERM may take before SIGKILL, seconds.
STOP_LIMIT_S = 5.0
#: How many ports are tried: another program may take a free one before we do.
PORT_ATTEMPTS = 5
#: Pause between two looks at a starting service, seconds.
_LOOK_AGAIN_S = 0.01
#: How much of the log an error carries, characters.
_LOG_TAIL = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run, and how to tell that it works."""

    #: For logs and errors, and the name of its log file.
    name: str
    #: The command for a port; the first part is the absolute path of the binary.
    command: Callable[[int], Sequence[str]]
    #: Whether the process with this port and id answers its own protocol now.
    answers: Callable[[int, int], bool]
    #: Its whole environment.
    environment: Mapping[str, str] = field(default_factory=dict)


class Process:
    """
    One running program; every method may be called from any thread, and blocks.

    A process whose parent dies is killed by the kernel on Linux; elsewhere it may stay.
    """

    def __init__(self, program: Program, *, folder: Path, port: int | None = None) -> None:
        """
        Prepare; nothing runs yet.

        Args:
            program: what to run.
            folder: existing folder for the log and the working directory.
            port: the port to use, or None for a free one.

        """
        self.program = program
        self.folder = folder
        self.log_path = folder / f"{program.name}.log"
        self._fixed_port = port
        self._port: int | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False
        self._log_start = 0
        # Holds "is it closed?" and the start of the child together, so that a close from another
        # thread never misses a child.
        self._lock = threading.Lock()

    @property
    def port(self) -> int:
        """The port, the same for life once started."""
        if self._port is None:
            raise StartFailed(f"{self.program.name} has not been started")
        return self._port

    @property
    def pid(self) -> int:
        """The id of the process that runs now, or ran last."""
        if self._child is None:
            raise StartFailed(f"{self.program.name} has not been started")
        return self._child.pid

    @property
    def running(self) -> bool:
        """Whether the process exists; a paused one does."""
        return self._child is not None and self._child.poll() is None

    def start(self) -> None:
        """
        Start, on a free port unless there is one already, and return when the protocol answers.

        Raises:
            StartFailed: it ended or did not answer in time; carries the end of its log.

        """
        fixed = self._port or self._fixed_port
        for _ in range(PORT_ATTEMPTS):
            self._port = fixed or free_port()
            self._spawn()
            if self._becomes_ready():
                return
            if self.running:
                break
        self.kill()
        raise StartFailed(f"{self.program.name} did not start; its log ends:\n{self._log_tail()}")

    def stop(self) -> None:
        """Stop with SIGTERM, after `STOP_LIMIT_S` with SIGKILL, and reap; harmless if stopped."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Stop with SIGKILL, as a crash would, and reap."""
        self._end(signal.SIGKILL)

    def close(self) -> None:
        """Stop for good: a start that is under way in another thread gives up too."""
        with self._lock:
            self._closed = True
        self.stop()

    def restart(self) -> None:
        """
        Stop if it still runs, and start again on the same port, empty.

        Raises:
            StartFailed: as `start`.

        """
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze it: connections stay open and nothing answers; returns when it stands still."""
        os.kill(self.pid, signal.SIGSTOP)
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, self.pid, os.WSTOPPED)

    def resume(self) -> None:
        """Let a frozen process go on."""
        os.kill(self.pid, signal.SIGCONT)

    def _spawn(self) -> None:
        with self._lock:
            if self._closed:
                raise StartFailed(f"{self.program.name} was closed while it started")
            self._log_start = self.log_path.stat().st_size if self.log_path.exists() else 0
            launch = functools.partial(_launch, self.program, self.port, self.folder, self.log_path)
            # The kernel ties the child to the *thread* that made it: use one that lives as long as
            # this process, whoever calls.
            self._child = _launcher(os.getpid()).submit(launch).result()

    def _becomes_ready(self) -> bool:
        deadline = time.monotonic() + READY_LIMIT_S
        while self.running and time.monotonic() < deadline:
            if self.program.answers(self.port, self.pid):
                return True
            time.sleep(_LOOK_AGAIN_S)
        return False

    def _end(self, first: signal.Signals) -> None:
        child = self._child
        if child is None or child.poll() is not None:
            return
        child.send_signal(first)
        # A frozen process acts on SIGTERM only when it goes on.
        child.send_signal(signal.SIGCONT)
        try:
            child.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()

    def _log_tail(self) -> str:
        with self.log_path.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode("utf-8", "replace")[-_LOG_TAIL:].strip()


@functools.cache
def _launcher(_process: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedded-launcher")


def _launch(program: Program, port: int, folder: Path, log_path: Path) -> subprocess.Popen[bytes]:
    with log_path.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own binary, checked by hash
            bound(*program.command(port)),
            cwd=folder,
            env=dict(program.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # Control-C in the terminal is ours to handle: the broker must outlive the drain.
            start_new_session=True,
        )
