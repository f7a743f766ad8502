"""The embedded cache: Valkey, memory only."""

import asyncio
import contextlib
import functools
import logging
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from workers.embedded.binary import VALKEY, verified_binary
from workers.embedded.process import Process, Program
from workers.loopback import LOOPBACK

_log = logging.getLogger(__name__)

#: Memory for entries, MiB; the least used go first when it is full.
MAX_MEMORY_MB = 128
#: How long one look at the starting server may take, seconds.
_PROBE_LIMIT_S = 0.5


@dataclass(frozen=True, slots=True)
class Cache:
    """A running Valkey."""

    #: Its process, which tests freeze, kill and restart.
    process: Process

    @property
    def address(self) -> str:
        """Where it listens, `host:port`."""
        return f"{LOOPBACK}:{self.process.port}"

    @property
    def url(self) -> str:
        """The same as a URL, with database 0."""
        return f"redis://{self.address}/0"


@contextlib.asynccontextmanager
async def embedded_cache(
    *, folder: Path | None = None, port: int | None = None, max_memory_mb: int = MAX_MEMORY_MB
) -> AsyncIterator[Cache]:
    """
    Run a Valkey for the time of the block.

    Args:
        folder: existing folder for its log; by default a temporary one, removed at the end.
        port: the port, or None for a free one.
        max_memory_mb: memory for entries, MiB.

    Raises:
        NotInstalled: the extra `embedded` is missing.
        BinaryRefused: the installed binary is not the one that we know.
        StartFailed: the server did not answer in time.

    """
    with contextlib.ExitStack() as stack:
        cache = await asyncio.to_thread(_prepare, stack, folder, port, max_memory_mb)
        try:
            await asyncio.to_thread(_start, cache)
            yield cache
        finally:
            await asyncio.to_thread(cache.process.close)


@contextlib.contextmanager
def running_cache(
    *, folder: Path | None = None, port: int | None = None, max_memory_mb: int = MAX_MEMORY_MB
) -> Iterator[Cache]:
    """Run a Valkey as `embedded_cache` does, where there is no event loop."""
    with contextlib.ExitStack() as stack:
        cache = _prepare(stack, folder, port, max_memory_mb)
        stack.callback(cache.process.close)
        _start(cache)
        yield cache


def _prepare(
    stack: contextlib.ExitStack, folder: Path | None, port: int | None, max_memory_mb: int
) -> Cache:
    binary = verified_binary(VALKEY)
    if folder is None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="turngate-cache-")))
    program = Program(
        name="valkey",
        command=functools.partial(_command, binary, folder, max_memory_mb),
        answers=lambda port, pid: process_of(port) == pid,
    )
    return Cache(Process(program, folder=folder, port=port))


def _start(cache: Cache) -> None:
    cache.process.start()
    _log.warning(
        "embedded_cache_is_memory_only",
        extra={
            "note": "every entry is gone when it stops; demo and tests only, never production",
            "address": cache.address,
            "log_file": str(cache.process.log_path),
        },
    )


def _command(binary: Path, folder: Path, max_memory_mb: int, port: int) -> tuple[str, ...]:
    return (
        str(binary),
        *("--bind", LOOPBACK),
        *("--port", str(port)),
        *("--protected-mode", "yes"),
        *("--dir", str(folder)),
        # No persistence: nothing that callers said reaches a disk.
        *("--save", ""),
        *("--appendonly", "no"),
        *("--maxmemory", f"{max_memory_mb}mb"),
        *("--maxmemory-policy", "allkeys-lfu"),
        *("--loglevel", "warning"),
        *("--daemonize", "no"),
    )


def process_of(port: int) -> int | None:
    """Ask the server on a loopback port for its process id; None if it does not answer."""
    client = redis.Redis(
        host=LOOPBACK,
        port=port,
        socket_timeout=_PROBE_LIMIT_S,
        socket_connect_timeout=_PROBE_LIMIT_S,
        retry=Retry(NoBackoff(), 0),
    )
    try:
        return int(client.info("server")["process_id"])
    except (redis.RedisError, KeyError):
        return None
    finally:
        client.close()
