"""Tests of the order of stopping."""

import asyncio
import os
import signal
from types import SimpleNamespace

import pytest

from tests.waiting import wait_until
from workers.stream import stopping
from workers.stream.exits import ExitCode
from workers.stream.hand import InHand
from workers.stream.prefix import HandledPrefix
from workers.stream.stopping import StopLimits, StopSignals, stop_in_order

LIMITS = StopLimits(drain_s=0.01, close_s=0.05)


class FakeApp:
    """Notes the steps that are taken; `fails` names those that raise, `hangs` those that hang."""

    def __init__(self, *, fails=(), hangs=()):
        self.steps = []
        self.fails, self.hangs = fails, hangs
        self.in_hand = InHand()
        self.prefix = HandledPrefix()
        self.flow_control = SimpleNamespace(
            suspend=lambda: self.steps.append("suspend"), clear=lambda: self.steps.append("clear")
        )
        self.producer = SimpleNamespace(started=True, flush=lambda: self.step("flush"))
        self.started_consumer = SimpleNamespace(
            close_intake=lambda: self.steps.append("close intake"),
            commit_now=lambda: self.step("commit"),
        )

    async def step(self, name):
        """Take a step."""
        self.steps.append(name)
        if name in self.fails:
            raise ConnectionError(name)
        if name in self.hangs:
            await asyncio.Event().wait()

    async def stop(self):
        """Close."""
        await self.step("close")


class TestStopInOrder:
    async def test_takes_the_numbered_steps(self):
        """
        Intake closes before the drain, and what was drained is committed before the app closes.
        """
        app = FakeApp()

        code = await stop_in_order(app, LIMITS)

        assert code is ExitCode.OK
        assert app.steps == ["close intake", "suspend", "clear", "flush", "commit", "close"]

    async def test_waits_for_what_is_in_hand(self):
        """
        Nothing is committed or closed while a handler works, within the limit.
        """
        app = FakeApp()
        with app.in_hand.one():
            stop = asyncio.create_task(stop_in_order(app, StopLimits(drain_s=5.0)))
            await wait_until(lambda: "clear" in app.steps, "intake to close")
            before = list(app.steps)

        code = await stop

        assert "commit" not in before
        assert code is ExitCode.OK

    async def test_goes_on_without_an_event_that_hangs(self):
        """
        After the limit the rest is committed, and the code says that an event was left.
        """
        app = FakeApp()

        with app.in_hand.one():
            code = await stop_in_order(app, LIMITS)

        assert (code, "commit" in app.steps) == (ExitCode.HUNG, True)

    @pytest.mark.parametrize("step", ["flush", "commit", "close"])
    async def test_a_failing_step_does_not_keep_the_next_one(self, step):
        """
        Every step is taken, whatever the one before it raised.
        """
        app = FakeApp(fails=[step])

        code = await stop_in_order(app, LIMITS)

        assert code is ExitCode.OK
        assert app.steps[3:] == ["flush", "commit", "close"]

    async def test_a_hanging_step_is_bounded(self):
        """
        A broker that does not answer costs the limit and no more.
        """
        app = FakeApp(hangs=["commit"])

        code = await stop_in_order(app, LIMITS)

        assert (code, app.steps[-1]) == (ExitCode.OK, "close")

    async def test_an_app_that_never_started(self):
        """
        A stop during the start has nothing to drain, and still closes.
        """
        app = FakeApp()
        app.started_consumer = None
        app.producer.started = False

        code = await stop_in_order(app, LIMITS)

        assert (code, app.steps) == (ExitCode.OK, ["close"])


class TestStopSignals:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_the_first_asks_for_a_stop(self, number):
        """
        A signal sets the flag that the worker waits for, and tells the watchdog.
        """
        told = []
        signals = StopSignals(on_first=lambda: told.append(True))

        with signals.installed():
            waiting = asyncio.create_task(signals.wait())
            await asyncio.sleep(0)
            os.kill(os.getpid(), number)
            await asyncio.wait_for(waiting, 5)

        assert ([True], number) == (told, signals.received)

    async def test_one_before_the_loop_waits_is_not_lost(self):
        """
        A signal that comes while the app is being made stops it at once.
        """
        signals = StopSignals(on_first=lambda: None)

        with signals.installed():
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.wait_for(signals.wait(), 5)

        assert signals.received is signal.SIGTERM

    def test_the_second_ends_the_process(self, monkeypatch):
        """
        Whoever sends a second signal wants it now.
        """
        codes = []
        monkeypatch.setattr(stopping.os, "_exit", codes.append)
        signals = StopSignals(on_first=lambda: None)

        with signals.installed():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGINT)

        assert codes == [128 + signal.SIGINT]

    def test_gives_the_handlers_back(self):
        """
        Afterwards signals do what they did before.
        """
        before = signal.getsignal(signal.SIGTERM)

        with StopSignals(on_first=lambda: None).installed():
            pass

        assert before is signal.getsignal(signal.SIGTERM)


def test_the_whole_stop_is_within_ten_seconds():
    """
    Draining and closing together keep to what orchestrators are told.
    """
    assert StopLimits().whole_s <= 10
