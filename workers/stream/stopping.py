"""
How a worker stops.

1. Intake closes: no record reaches an agent any more; buffers are emptied and come again.
2. What handlers work on is finished, for at most `drain_s`.
3. The producer is flushed.
4. The handled prefix is committed.
5. The app is closed: the group is left, connections end.

Steps 3 to 5 have `close_s` together. A step that fails or is late is logged, and the next one is
taken. The worker's exit code says whether step 2 succeeded; whatever was not committed comes again.
A second signal ends the process at once.
"""

import asyncio
import contextlib
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from types import FrameType

from workers.deadline import Deadline
from workers.stream.app import StreamApp
from workers.stream.exits import ExitCode

_log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopLimits:
    """How long a stop may take."""

    #: Finishing what is in hand, seconds.
    drain_s: float = 7.5
    #: Flushing, committing and closing together, seconds.
    close_s: float = 2.0

    @property
    def whole_s(self) -> float:
        """When the process is ended from outside the event loop, seconds after the signal."""
        return self.drain_s + self.close_s + 0.3


class StopSignals:
    """SIGTERM and SIGINT: the first one asks for a stop, the second one ends the process."""

    def __init__(self, on_first: Callable[[], None]) -> None:
        """
        Prepare; no signal is listened to yet.

        Args:
            on_first: called once, in the signal handler: sets a flag and returns.

        """
        self._on_first = on_first
        self._loop: asyncio.AbstractEventLoop | None = None
        self._event = asyncio.Event()
        self.received: signal.Signals | None = None

    @contextlib.contextmanager
    def installed(self) -> Iterator[None]:
        """Listen for the time of the block; only in the main thread."""
        # Not `loop.add_signal_handler`: that one never runs while a handler blocks the loop.
        before = {number: signal.signal(number, self._take) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _take(self, number: int, _frame: FrameType | None) -> None:
        if self.received is not None:
            os._exit(128 + number)
        self.received = signal.Signals(number)
        self._on_first()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self) -> None:
        """Return when a stop was asked for."""
        self._loop = asyncio.get_running_loop()
        if self.received is None:
            await self._event.wait()


async def stop_in_order(app: StreamApp, limits: StopLimits) -> ExitCode:
    """
    Stop the app by the numbered steps.

    Returns:
        `OK`, or `HUNG` where an event was still in hand at the limit.

    """
    consumer = app.started_consumer
    if consumer is not None:
        consumer.close_intake()
        app.flow_control.suspend()
        app.flow_control.clear()
    drained = await app.in_hand.wait_empty(limits.drain_s)
    if not drained:
        _log.error("stop_with_events_in_hand", extra={"events": len(app.in_hand)})
    close = Deadline.after(limits.close_s)
    if app.producer.started:
        await _step("flush", app.producer.flush(), close)
    if consumer is not None:
        await _step("commit", consumer.commit_now(), close)
    left = sum(1 for _ in app.prefix.committable())
    await _step("close", app.stop(), close)
    _log.info("stopped", extra={"partitions_uncommitted": left, "drained": drained})
    return ExitCode.OK if drained else ExitCode.HUNG


async def _step(name: str, work: Awaitable[object], close: Deadline) -> None:
    try:
        async with asyncio.timeout(close.left_s()):
            await work
    except Exception as error:  # noqa: BLE001 - the next step is to be taken whatever this one says
        _log.warning("stop_step_failed", extra={"step": name, "error": type(error).__name__})
