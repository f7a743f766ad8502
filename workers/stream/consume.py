"""The agent driver: raw record in, handler awaited, event marked handled; it never crashes."""

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

from workers.errors import BrokerUnavailable
from workers.stream.acks import FetchedMessage, HandledEvent
from workers.stream.app import StreamApp

_log = logging.getLogger(__name__)

#: Pauses between tries while the broker does not take our records, seconds; the last one repeats.
RETRY_PAUSES_S = (0.2, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record as it came from the broker; key and value may be user text, so not in its repr."""

    #: Topic that it came from.
    topic: str
    #: Partition that it came from.
    partition: int
    #: Offset that it came from.
    offset: int
    #: Its time, Unix epoch, milliseconds: the producer's or the broker's, as the topic says.
    timestamp_ms: int
    #: Its key.
    key: bytes | None = field(repr=False)
    #: Its value; None is a tombstone.
    value: bytes | None = field(repr=False)
    #: When it was fetched, seconds on `time.monotonic()`; it may have waited for its agent since.
    fetched_s: float


#: Does the work of one record and returns when its results are stored.
Handler = Callable[[Record], Awaitable[None]]
#: Disposes of a record whose handler failed, as by a dead letter, and returns when that is stored.
OnFailure = Callable[[Record, Exception], Awaitable[None]]


def consume(
    app: StreamApp,
    topic: str,
    handler: Handler,
    *,
    on_failure: OnFailure,
    name: str,
    together: int = 1,
) -> None:
    """
    Register the agent of one topic.

    Records of one key are handled one after the other, and so are all where `together` is 1. The
    handler is awaited until it returns or raises, and the event is then marked handled, so it may
    be committed once all before it are:

    - returns: the record is done.
    - raises `BrokerUnavailable`: the record is not at fault; it is handled again after a pause,
      until it succeeds or the watchdog ends the process.
    - raises anything else: logged by type and place, and given to `on_failure`. If that raises
      `BrokerUnavailable`, the record is handled again; if it raises anything else, the process ends
      and the record comes again.

    Args:
        app: the app, not started yet.
        topic: name of the topic, which must exist.
        handler: does the work; may be called again with the same record.
        on_failure: disposes of a failing record.
        name: of the agent, for logs.
        together: records that are handled at once; for handlers that mostly wait for others.

    """

    async def handle(event: HandledEvent) -> None:
        await _handle(app, event, handler, on_failure)

    async def drive(stream: Any) -> None:
        events = cast("AsyncIterator[HandledEvent]", stream.events())
        if together > 1:
            await _drive_together(events, handle, together)
            return
        async for event in events:
            await handle(event)

    source = app.topic(
        topic,
        key_type=bytes,
        value_type=bytes,
        key_serializer="raw",
        value_serializer="raw",
    )
    app.agent(source, name=name, concurrency=1)(drive)


async def _drive_together(
    events: AsyncIterator[HandledEvent],
    handle: Callable[[HandledEvent], Awaitable[None]],
    together: int,
) -> None:
    slots = asyncio.Semaphore(together)
    last: dict[bytes | None, asyncio.Task[None]] = {}

    async def one(event: HandledEvent, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        await handle(event)
        # The stream asks for this as soon as it gives the next event, when it is too early.
        event.ack()

    def done(key: bytes | None, task: asyncio.Task[None]) -> None:
        slots.release()
        if last.get(key) is task:
            del last[key]

    async with asyncio.TaskGroup() as tasks:
        await slots.acquire()
        async for event in events:
            key = event.message.key
            task = tasks.create_task(one(event, last.get(key)))
            last[key] = task
            task.add_done_callback(partial(done, key))
            await slots.acquire()  # before the next event is taken


async def _handle(
    app: StreamApp, event: HandledEvent, handler: Handler, on_failure: OnFailure
) -> None:
    record = _record(cast("FetchedMessage", event.message))
    tries = 0
    while True:
        try:
            with app.in_hand.one():
                await _settle(record, handler, on_failure)
        except BrokerUnavailable:
            pause_s = RETRY_PAUSES_S[min(tries, len(RETRY_PAUSES_S) - 1)]
            _log.warning("broker_unavailable_event_waits", extra=_place(record))
            tries += 1
            await asyncio.sleep(pause_s)
        else:
            break
    event.mark_handled()


async def _settle(record: Record, handler: Handler, on_failure: OnFailure) -> None:
    try:
        await _uncancelled(handler(record))
    except BrokerUnavailable:
        raise
    except Exception as error:  # noqa: BLE001 - the one catch-all: the next event is due
        # Neither its text nor its traceback: both may hold what a caller said.
        _log.error(
            "handler_failed",
            extra={**_place(record), "error": type(error).__name__, "where": _where(error)},
        )
        await on_failure(record, error)


async def _uncancelled(work: Awaitable[None]) -> None:
    """Await work; a cancellation that nobody asked of *this* task is a failure of the work."""
    try:
        await work
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise StrayCancellation from error


class StrayCancellation(Exception):
    """Something that a handler awaited was cancelled under it."""


def _record(message: FetchedMessage) -> Record:
    return Record(
        topic=message.topic,
        partition=message.partition,
        offset=message.offset,
        timestamp_ms=round((message.timestamp or 0) * 1000),
        key=message.key,
        value=message.value,
        fetched_s=message.fetched_s,
    )


def _where(error: BaseException) -> str:
    """Name the code place; an error's text may hold what a caller said, a place cannot."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else ""


def _place(record: Record) -> dict[str, Any]:
    return {"topic": record.topic, "partition": record.partition, "offset": record.offset}
