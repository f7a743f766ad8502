"""
One worker as a child process: started, watched, started again when it dies, and stopped.

* ChildFailed (a WorkerError)   the worker ended, or was not ready in time, at its first start
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from workers.bound import bound
from workers.errors import WorkerError
from workers.loopback import LOOPBACK

_log = logging.getLogger(__name__)

#: How long a worker may take until it is ready, seconds: it loads its models and joins its group,
#: which takes half a session on the embedded broker, and a busy machine is many times slower.
READY_LIMIT_S = 180.0
#: How long SIGTERM may take before SIGKILL, seconds; more than a worker's own limit for a stop.
STOP_LIMIT_S = 12.0
#: Pause before a dead worker is started again, seconds; doubled up to the second value.
BACK_OFF_S = (0.5, 10.0)
#: A worker that lived this long starts with the short pause again, seconds.
LIVED_S = 30.0
#: Pause between two looks at a starting worker, and the limit on one look, seconds.
_LOOK_AGAIN_S = 0.05
_LOOK_LIMIT_S = 1.0
#: How much of the log an error carries, characters.
_LOG_TAIL = 1_500
_HTTP_OK = b" 200 "


class ChildFailed(WorkerError):
    """A worker process ended, or did not become ready in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildSpec:
    """What to run."""

    #: For logs and messages, and the name of the log file.
    name: str
    #: Arguments of the Python interpreter.
    arguments: tuple[str, ...]
    #: Its whole environment.
    environment: Mapping[str, str]
    #: Port of its monitor on loopback.
    port: int
    #: Where its log goes; None leaves it on our standard error.
    log_path: Path | None = None


class Child:
    """A worker process, used through `running_child`."""

    def __init__(self, spec: ChildSpec) -> None:
        self.spec = spec
        #: How often it was started again.
        self.restarts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._started_s = 0.0
        self._stopping = False

    @property
    def pid(self) -> int:
        """The id of the process that runs now, or ran last."""
        if self._process is None:
            raise ChildFailed(f"{self.spec.name} has not been started")
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return None if self._process is None else self._process.returncode

    async def start(self) -> None:
        """
        Start it and return when `/readyz` says yes.

        Raises:
            ChildFailed: it ended, or the time was up; carries the end of its log.

        """
        await self._spawn()
        deadline = time.monotonic() + READY_LIMIT_S
        while not await is_ready(self.spec.port):
            if self.exit_code is not None:
                raise ChildFailed(f"{self.spec.name} ended with {self.exit_code}{self._log_tail()}")
            if time.monotonic() >= deadline:
                raise ChildFailed(
                    f"{self.spec.name} was not ready within {READY_LIMIT_S:g} s{self._log_tail()}"
                )
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def keep_alive(self) -> None:
        """Start it again whenever it ends, each time later, until it is stopped on purpose."""
        pause_s, longest_s = BACK_OFF_S
        while True:
            code = await self._end()
            if self._stopping:
                return
            if time.monotonic() - self._started_s >= LIVED_S:
                pause_s = BACK_OFF_S[0]
            _log.error(
                "worker_died",
                extra={"worker": self.spec.name, "exit_code": code, "restart_in_s": pause_s},
            )
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, longest_s)
            if self._stopping:
                return
            self.restarts += 1
            await self._spawn()

    async def stop(self) -> None:
        """Stop it for good with SIGTERM, after `STOP_LIMIT_S` with SIGKILL, and reap it."""
        self._stopping = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await process.wait()
        except TimeoutError:
            _log.error("worker_killed", extra={"worker": self.spec.name, "after_s": STOP_LIMIT_S})
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _spawn(self) -> None:
        with contextlib.ExitStack() as opened:
            log_path = self.spec.log_path
            log = None if log_path is None else opened.enter_context(log_path.open("ab"))
            self._process = await asyncio.create_subprocess_exec(
                *bound(sys.executable, *self.spec.arguments),
                env=dict(self.spec.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Control-C in the terminal is ours to handle: workers stop before their broker.
                start_new_session=True,
            )
        self._started_s = time.monotonic()

    async def _end(self) -> int:
        if self._process is None:
            raise ChildFailed(f"{self.spec.name} has not been started")
        return await self._process.wait()

    def _log_tail(self) -> str:
        path = self.spec.log_path
        if path is None:
            return ""
        return f"; its log ends:\n{path.read_text('utf-8', 'replace')[-_LOG_TAIL:].strip()}"


@asynccontextmanager
async def running_child(spec: ChildSpec) -> AsyncIterator[Child]:
    """
    Run a worker for the time of the block: ready at its start, and started again if it dies.

    Raises:
        ChildFailed: it ended, or was not ready in time, at its first start.

    """
    child = Child(spec)
    try:
        await child.start()
        watcher = asyncio.create_task(child.keep_alive(), name=f"keep-alive-{spec.name}")
        try:
            yield child
        finally:
            watcher.cancel()
            await asyncio.wait([watcher])
    finally:
        await child.stop()


async def is_ready(port: int) -> bool:
    """Ask a monitor on loopback whether its worker can decide turns."""
    try:
        async with asyncio.timeout(_LOOK_LIMIT_S):
            reader, writer = await asyncio.open_connection(LOOPBACK, port)
            try:
                writer.write(b"GET /readyz HTTP/1.0\r\n\r\n")
                return _HTTP_OK in await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
