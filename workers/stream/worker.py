"""Runs an app as a process: start, ready, watch, stop, exit code; not by Faust's own command."""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from workers.stream.app import StreamApp
from workers.stream.exits import ExitCode, end_process
from workers.stream.library_logs import restrain_libraries
from workers.stream.stopping import StopLimits, StopSignals, stop_in_order
from workers.stream.watchdog import Watchdog, WatchLimits, take_vitals

_log = logging.getLogger(__name__)

#: How often the event loop takes its vitals, seconds.
VITALS_EVERY_S = 0.25

#: Opens what the handlers need, builds the app with its agents, and closes the former at the end.
OpenApp = Callable[[], AbstractAsyncContextManager[StreamApp]]


def run_worker(
    open_app: OpenApp,
    *,
    stop: StopLimits | None = None,
    watch: WatchLimits | None = None,
    on_ready: Callable[[Watchdog], None] = lambda _watchdog: None,
) -> int:
    """
    Run until a signal or a crash, in the main thread.

    Args:
        open_app: makes the app inside the event loop.
        stop: how long a stop may take.
        watch: how long something may stand still.
        on_ready: called when the group is joined and records flow; the watchdog has the vitals.

    Returns:
        The exit code, to end the process with at once: what is left of the stop's limit is still
        watched. With an event that hangs, or nothing that moves, the process is ended here.

    Raises:
        Exception: whatever `open_app` raises.

    """
    restrain_libraries()
    stop = stop or StopLimits()
    watchdog = Watchdog(watch or WatchLimits())
    signals = StopSignals(on_first=lambda: watchdog.stop_by(stop.whole_s))
    with signals.installed(), watchdog.watching():
        code = asyncio.run(_run(open_app, signals, watchdog, stop, on_ready))
    if code is ExitCode.HUNG:
        end_process(code, "event_in_hand")
    return code


async def _run(
    open_app: OpenApp,
    signals: StopSignals,
    watchdog: Watchdog,
    limits: StopLimits,
    on_ready: Callable[[Watchdog], None],
) -> ExitCode:
    async with open_app() as app:
        beat = asyncio.create_task(_beat(app, watchdog), name="vitals")
        healthy = False
        try:
            healthy = await _serve(app, signals, lambda: on_ready(watchdog))
        finally:
            # Also where something beside the app died: that cancels this block and is raised later.
            watchdog.stop_by(limits.whole_s)
            stopped = await stop_in_order(app, limits)
            beat.cancel()
        code = stopped if healthy else ExitCode.FAILED
        # From here on only closing is left, and what was handled is committed.
        watchdog.code_at_limit = code
    return code


async def _serve(app: StreamApp, signals: StopSignals, ready: Callable[[], None]) -> bool:
    """Run the app until a stop is asked for; tell whether it had not failed by then."""
    asked = asyncio.create_task(signals.wait(), name="stop-signal")
    start = asyncio.create_task(app.start(), name="app-start")
    try:
        await asyncio.wait({asked, start}, return_when=asyncio.FIRST_COMPLETED)
        if not asked.done():
            start.result()
            if not app.crashed:
                ready()
                _log.info("ready")
        while not asked.done() and not app.crashed:
            # Another thread may have set the flag, which wakes nobody: look now and then.
            await asyncio.wait({asked}, timeout=VITALS_EVERY_S)
    except Exception as error:  # noqa: BLE001 - whatever the start failed of, we stop in order
        _log.error("start_failed", extra={"error": type(error).__name__})
        return False
    finally:
        asked.cancel()
        start.cancel()
    if app.crashed:
        _log.error("crashed", extra={"error": type(app.crash_reason).__name__})
    return not app.crashed


async def _beat(app: StreamApp, watchdog: Watchdog) -> None:
    """Take the vitals again and again; if this task dies, the watchdog sees a silent loop."""
    due_s = time.monotonic()
    while True:
        lag_s = max(0.0, time.monotonic() - due_s)
        watchdog.vitals = take_vitals(app, loop_lag_s=lag_s)
        due_s = time.monotonic() + VITALS_EVERY_S
        await asyncio.sleep(VITALS_EVERY_S)
