"""
Everything on one machine: broker, cache, workers and the board, from one command.

A stack is left in this order, and each step is bounded:

1. The board and the slow worker end, where there are any.
2. All hot workers get SIGTERM at once, drain, commit and end.
3. The embedded cache stops.
4. The embedded broker stops.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from workers.admin import connection, create_topics
from workers.child import Child, ChildSpec, running_child
from workers.embedded import Broker, Cache, embedded_broker, embedded_cache
from workers.errors import BrokerUnavailable, SettingsError, WorkerError
from workers.loopback import LOOPBACK, free_port
from workers.settings import Settings, load

#: What the embedded broker needs: joins take half the session, fetches wait out their whole time.
_FOR_EMBEDDED_BROKER = {"TURNGATE_KAFKA_SESSION_S": "4", "TURNGATE_KAFKA_FETCH_WAIT_MS": "5"}
#: The embedded cache shares this machine's cores with all the rest, so an answer may take half of a
#: turn's budget before it counts as none; a Redis of its own answers in a fraction of that.
_FOR_EMBEDDED_CACHE = {"TURNGATE_REDIS_TIMEOUT_S": "0.04"}
#: The highest port there is.
_LAST_PORT = 65_535
#: Pause between two looks at the embedded services, seconds.
_LOOK_AGAIN_S = 0.5

#: Tells the user what happens, a sentence at a time.
Say = Callable[[str], None]


class ServiceDied(WorkerError):
    """The embedded broker or cache ended on its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """What runs."""

    #: As the workers read them.
    settings: Settings
    #: The environment that the workers were given.
    environment: Mapping[str, str]
    #: The hot workers, all ready.
    workers: tuple[Child, ...]
    #: The embedded broker; None where another one was named.
    broker: Broker | None
    #: The embedded cache; None where another one was named.
    cache: Cache | None

    async def until_broken(self) -> None:
        """
        Return never.

        Raises:
            ServiceDied: an embedded service is gone, and what it held with it.

        """
        services = {"broker": self.broker, "cache": self.cache}
        while True:
            for name, service in services.items():
                if service is not None and not service.process.running:
                    raise ServiceDied(f"the embedded {name} ended, and what it held is gone")
            await asyncio.sleep(_LOOK_AGAIN_S)


@asynccontextmanager
async def running_stack(
    environment: Mapping[str, str],
    *,
    workers: int = 1,
    logs: Path | None = None,
    say: Say = lambda _sentence: None,
) -> AsyncIterator[Stack]:
    """
    Run a broker, a cache, the topics and hot workers for the time of the block.

    Args:
        environment: settings by variable; `KAFKA` and `REDIS` name services to use instead of the
            embedded ones. The workers get all of it.
        workers: how many hot workers.
        logs: existing folder for the workers' logs; by default they go to our standard error.
        say: told what is being waited for.

    Raises:
        SettingsError: a variable is wrong.
        EmbeddedError: an embedded service cannot be used.
        BrokerUnavailable: the broker did not answer, or a topic could not be made.
        ChildFailed: a worker did not become ready.

    """
    load(environment)
    async with AsyncExitStack() as opened:
        broker = cache = None
        if not _given(environment, "KAFKA"):
            broker = await opened.enter_async_context(embedded_broker())
        if not _given(environment, "REDIS"):
            cache = await opened.enter_async_context(embedded_cache())
        for_workers = worker_environment(
            environment,
            kafka=None if broker is None else broker.address,
            redis=None if cache is None else cache.url,
        )
        settings = load(for_workers)
        creation = await create_topics(connection(settings), prefix=settings.prefix)
        if creation.failed:
            raise BrokerUnavailable("; ".join(creation.failed))
        children = await opened.enter_async_context(
            _running_workers(for_workers, settings, workers, logs, say)
        )
        yield Stack(
            settings=settings,
            environment=for_workers,
            workers=children,
            broker=broker,
            cache=cache,
        )


def worker_environment(
    environment: Mapping[str, str], *, kafka: str | None, redis: str | None
) -> dict[str, str]:
    """
    Make the environment of the workers.

    Args:
        environment: what the user gave; wins wherever it says something.
        kafka: address of the embedded broker, if that is used.
        redis: URL of the embedded cache, if that is used.

    """
    found = {"TURNGATE_CACHE_SECRET": secrets.token_hex(32)}
    if kafka is not None:
        found |= _FOR_EMBEDDED_BROKER | {"TURNGATE_KAFKA": kafka}
    if redis is not None:
        found |= _FOR_EMBEDDED_CACHE | {"TURNGATE_REDIS": redis}
    return found | dict(environment)


def _given(environment: Mapping[str, str], short: str) -> bool:
    return short in environment or f"TURNGATE_{short}" in environment


@asynccontextmanager
async def _running_workers(
    environment: Mapping[str, str], settings: Settings, count: int, logs: Path | None, say: Say
) -> AsyncIterator[tuple[Child, ...]]:
    """Start one after the other: two joins at once can upset the embedded broker's groups."""
    children: list[Child] = []
    async with AsyncExitStack() as opened:
        for number in range(1, count + 1):
            spec = _spec(number, environment, settings, logs)
            say(f"starting worker {number} of {count}: it loads its models and joins its group")
            children.append(await opened.enter_async_context(running_child(spec)))
        opened.push_async_callback(_stop_at_once, children)
        yield tuple(children)


async def _stop_at_once(children: list[Child]) -> None:
    # Whoever is told first would otherwise hand its partitions to those that are told later.
    await asyncio.gather(*(child.stop() for child in children))


def _spec(
    number: int, environment: Mapping[str, str], settings: Settings, logs: Path | None
) -> ChildSpec:
    port = monitor_port(environment, settings, number)
    return worker_spec(f"worker-{number}", "hot", environment, port=port, logs=logs)


def monitor_port(environment: Mapping[str, str], settings: Settings, number: int) -> int:
    """
    Say where a worker's monitor is: at the user's port and those after it, or at a free one.

    Args:
        environment: what the user gave.
        settings: the same, as it was read.
        number: of the worker, from 1: the hot ones first, then the slow one.

    Raises:
        SettingsError: the user's port leaves no room for so many.

    """
    wanted = settings.monitor_port
    if "TURNGATE_MONITOR_PORT" not in environment or wanted <= 0:
        return free_port()
    if wanted + number - 1 > _LAST_PORT:
        raise SettingsError(
            f"TURNGATE_MONITOR_PORT: worker {number} would listen beyond port {_LAST_PORT}"
        )
    return wanted + number - 1


def worker_spec(
    name: str, command: str, environment: Mapping[str, str], *, port: int, logs: Path | None = None
) -> ChildSpec:
    """
    Say how to run a worker whose monitor is on loopback.

    Args:
        name: for logs and messages.
        command: `hot` or `slow`.
        environment: its settings.
        port: of its monitor.
        logs: existing folder for its log; by default it goes to our standard error.

    """
    return ChildSpec(
        name=name,
        arguments=("-m", "workers.cli", command),
        environment={
            **environment,
            "TURNGATE_MONITOR_HOST": LOOPBACK,
            "TURNGATE_MONITOR_PORT": str(port),
            # We ask this port and no other whether the worker is ready.
            "TURNGATE_MONITOR_TRIES": "1",
        },
        port=port,
        log_path=None if logs is None else logs / f"{name}.log",
    )


def without_secret(url: str) -> str:
    """Return a URL without its user and password."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
