"""Tests of running an app: what ends it, and with which code."""

import asyncio
import contextlib
from types import SimpleNamespace

import pytest

from workers.stream import worker as module
from workers.stream.exits import ExitCode
from workers.stream.hand import InHand
from workers.stream.prefix import HandledPrefix
from workers.stream.stopping import StopLimits
from workers.stream.watchdog import Watchdog, WatchLimits

LIMITS = StopLimits(drain_s=0.01, close_s=0.05)


class FakeApp:
    """Starts as it is told, and notes that it was stopped."""

    def __init__(self, *, start_error=None):
        self.start_error = start_error
        self.in_hand = InHand()
        self.prefix = HandledPrefix()
        self.producer = SimpleNamespace(started=False)
        self.started_consumer = None
        self.crashed = False
        self.crash_reason = None
        self.stopped = False

    async def start(self):
        """Start."""
        if self.start_error is not None:
            raise self.start_error

    async def stop(self):
        """Stop."""
        self.stopped = True


class Signals:
    """A stop that is asked for from the test."""

    def __init__(self):
        self.asked = asyncio.Event()

    async def wait(self):
        """Wait for it."""
        await self.asked.wait()


async def run(app, signals, *, on_ready=lambda _watchdog: None, beside=None):
    """Run the app as the worker does; `beside` runs in a block around it and may die."""

    @contextlib.asynccontextmanager
    async def open_app():
        async with contextlib.AsyncExitStack() as opened:
            if beside is not None:
                tasks = await opened.enter_async_context(asyncio.TaskGroup())
                tasks.create_task(beside())
            yield app

    watchdog = Watchdog(WatchLimits())
    code = await module._run(open_app, signals, watchdog, LIMITS, on_ready)
    assert watchdog.code_at_limit is code
    return code


class TestRun:
    async def test_a_stop_that_was_asked_for(self):
        """
        The worker is ready once the app has started, and a stop then ends it cleanly.
        """
        app, signals, ready = FakeApp(), Signals(), []

        def on_ready(watchdog):
            ready.append(watchdog.vitals is not None)
            signals.asked.set()

        code = await run(app, signals, on_ready=on_ready)

        assert (code, app.stopped, ready) == (ExitCode.OK, True, [True])

    async def test_a_stop_before_the_start(self):
        """
        A signal that came while the app was made stops it without its having been ready.
        """
        app, signals, ready = FakeApp(), Signals(), []
        signals.asked.set()
        app.start = asyncio.Event().wait

        code = await run(app, signals, on_ready=ready.append)

        assert (code, app.stopped, ready) == (ExitCode.OK, True, [])

    async def test_a_start_that_fails(self):
        """
        Whatever the start fails of, the app is stopped and the code says so.
        """
        app, ready = FakeApp(start_error=ConnectionError()), []

        code = await run(app, Signals(), on_ready=ready.append)

        assert (code, app.stopped, ready) == (ExitCode.FAILED, True, [])

    async def test_a_crash(self, monkeypatch):
        """
        A part of the app that crashed ends the worker, though nobody wakes it.
        """
        monkeypatch.setattr(module, "VITALS_EVERY_S", 0.001)
        app = FakeApp()

        def on_ready(_watchdog):
            app.crashed, app.crash_reason = True, OSError()

        code = await run(app, Signals(), on_ready=on_ready)

        assert (code, app.stopped) == (ExitCode.FAILED, True)

    async def test_the_death_of_something_beside_it(self):
        """
        What the app needs beside it died: the app is stopped in order, and the error comes out.
        """
        app = FakeApp()

        async def die():
            raise OSError("lost")

        with pytest.raises(ExceptionGroup) as caught:
            await run(app, Signals(), beside=die)

        assert app.stopped
        assert caught.group_contains(OSError, match="lost")

    async def test_leaves_no_task(self):
        """
        Afterwards nothing of the worker runs on.
        """
        signals = Signals()
        before = asyncio.all_tasks()

        await run(FakeApp(), signals, on_ready=lambda _watchdog: signals.asked.set())
        await asyncio.sleep(0)

        assert asyncio.all_tasks() == before
