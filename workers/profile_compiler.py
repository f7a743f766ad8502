"""
Compiles routers beside the hot path, one at a time, each in a process of its own.

A thread would share the interpreter with the event loop, and the linear algebra would take every
core. A process of its own, at the lowest priority and with one thread, leaves inference as quick as
it was, and whatever happens in it happens there. It still wants a core: on a machine without a
spare one, or in a container with a limit on CPU time, turns feel it while it runs.

* CompileFailed (a WorkerError)   there is no router, and the reason holds no phrase
"""

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import orjson

from topics.codec import encode
from topics.profile import AgentProfile
from workers.bound import bound
from workers.errors import WorkerError

#: Limit on one compilation, seconds: on a quiet core the largest profile that we take needs a few
#: minutes, and a busy machine leaves it little of one.
LIMIT_S = 3_600.0
_MODULE = "workers.profile_compile"
#: One thread of linear algebra: the other cores are for turns.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
#: Settings and their secrets are nothing for the child.
_OURS = ("TURNGATE_", "KAFKA", "REDIS")
#: What a failure's reason may be, characters.
_MOST_REASON = 300


class CompileFailed(WorkerError):
    """A router was not compiled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledRouter:
    """A router as bytes, and how many phrases were left out, by problem."""

    content: bytes
    left_out: dict[str, int]


class Compiler:
    """Compiles for one encoder."""

    def __init__(self, encoder_folder: Path, seal: str, limit_s: float = LIMIT_S) -> None:
        """
        Prepare.

        Args:
            encoder_folder: of the bundle.
            seal: of the manifest that was verified; with another one nothing is compiled.
            limit_s: on one compilation.

        """
        self._arguments = ("-m", _MODULE, str(encoder_folder), seal)
        self._limit_s = limit_s

    async def compile(self, profile: AgentProfile) -> CompiledRouter:
        """
        Compile the router of a profile; cancelling it ends the process.

        Raises:
            CompileFailed: the process could not be started, failed, died or took too long.

        """
        try:
            process = await asyncio.create_subprocess_exec(
                *bound(sys.executable, *self._arguments),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_environment(),
            )
        except OSError as error:
            raise CompileFailed(f"no process: {type(error).__name__}") from error
        try:
            async with asyncio.timeout(self._limit_s):
                output, errors = await process.communicate(encode(profile))
        except TimeoutError:
            raise CompileFailed(f"took more than {self._limit_s:g} s") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return _read(process.returncode, output, errors)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    return kept | _ONE_THREAD


def _read(code: int | None, output: bytes, errors: bytes) -> CompiledRouter:
    if code == 1:
        lines = errors.decode("utf-8", "replace").splitlines() or ["no reason"]
        raise CompileFailed(lines[-1][:_MOST_REASON])
    head, _, content = output.partition(b"\n")
    if code != 0 or not content:
        raise CompileFailed(f"the process ended with {code}")
    try:
        left_out = orjson.loads(head)
    except orjson.JSONDecodeError:
        raise CompileFailed("the process gave something else than a router") from None
    return CompiledRouter(content=content, left_out=left_out)
