"""Tests of liveness by progress."""

import threading
import time

import pytest

from workers.stream import watchdog as module
from workers.stream.exits import ExitCode
from workers.stream.watchdog import Vitals, Watchdog, WatchLimits, standstill, take_vitals

LIMITS = WatchLimits(event_s=20.0, stall_s=60.0, loop_s=10.0)


class TestStandstill:
    @pytest.mark.parametrize(
        ("ages", "what"),
        [
            pytest.param({}, None, id="idle"),
            pytest.param({"in_hand_s": 19.0, "unhandled_s": 59.0}, None, id="slow"),
            pytest.param({"in_hand_s": 21.0}, "event_in_hand", id="event hangs"),
            pytest.param({"unhandled_s": 61.0}, "unhandled_record", id="record lies"),
            pytest.param({"uncommitted_s": 61.0}, "uncommitted_record", id="commits fail"),
            pytest.param({"flow_stopped_s": 61.0}, "flow_of_records", id="rebalance never ends"),
            pytest.param({"last_commit_s": 9999.0}, None, id="nothing to commit for long"),
        ],
    )
    def test_names_what_does_not_move(self, ages, what):
        """
        Each thing that may stand still has its own limit; a quiet topic is no standstill.
        """
        assert what == standstill(Vitals(taken_s=0.0, **ages), LIMITS, now_s=0.1)

    def test_a_silent_event_loop(self):
        """
        A loop that no longer takes its vitals is blocked.
        """
        assert standstill(Vitals(taken_s=0.0), LIMITS, now_s=10.1) == "event_loop"

    def test_nothing_runs_yet(self):
        """
        Before the app is there, nothing can stand still.
        """
        assert standstill(None, LIMITS, now_s=1e9) is None


class TestTakeVitals:
    async def test_of_a_worker_at_work(self, app, consumer, make_message):
        """
        The numbers tell what is in hand, unhandled and uncommitted.
        """
        first, second = make_message(0), make_message(1)
        app.prefix.fetched(first)
        app.prefix.fetched(second)
        consumer.ack(first)

        with app.in_hand.one():
            vitals = take_vitals(app, loop_lag_s=0.5)

        assert (vitals.loop_lag_s, vitals.unhandled) == (0.5, 1)
        ages = (vitals.in_hand_s, vitals.unhandled_s, vitals.uncommitted_s, vitals.flow_stopped_s)
        assert all(age is not None and age >= 0 for age in ages)
        assert vitals.last_commit_s is None

    async def test_of_an_idle_worker(self, app, consumer):
        """
        Nothing waits, so nothing has an age.
        """
        consumer.resume_flow()

        vitals = take_vitals(app)

        assert (
            vitals.in_hand_s,
            vitals.unhandled_s,
            vitals.uncommitted_s,
            vitals.flow_stopped_s,
        ) == (None, None, None, None)

    async def test_makes_no_consumer(self, app):
        """
        Looking at an app that is not started starts nothing in it.
        """
        take_vitals(app)

        assert app.started_consumer is None


class TestWatchdog:
    @pytest.fixture(autouse=True)
    def _quick(self, monkeypatch):
        monkeypatch.setattr(module, "LOOK_EVERY_S", 0.001)

    @pytest.fixture
    def ends(self):
        """Give a way to end the process that only notes it, and what it noted."""
        noted, done = [], threading.Event()

        def end(code, reason):
            noted.append((code, reason))
            done.set()

        return end, noted, done

    def test_ends_a_worker_that_stands_still(self, ends):
        """
        The process is ended with the code for a stuck worker, and what was stuck.
        """
        end, noted, done = ends
        dog = Watchdog(LIMITS, end=end)

        with dog.watching():
            dog.vitals = Vitals(taken_s=time.monotonic(), in_hand_s=21.0)
            assert done.wait(5)

        assert noted == [(ExitCode.STUCK, "event_in_hand")]

    def test_does_not_trust_a_single_look(self, ends):
        """
        A process that was frozen and goes on finds everything old for a moment; it lives.
        """
        end, noted, done = ends
        dog = Watchdog(LIMITS, end=end)
        old, fresh = Vitals(taken_s=1e18, in_hand_s=21.0), Vitals(taken_s=1e18)
        looks = iter([old] * (module.LOOKS_IN_A_ROW - 1) + [fresh])
        seen_fresh = threading.Event()

        def look(_vitals, limits, now_s):
            vitals = next(looks, None)
            if vitals is None:
                seen_fresh.set()
            return standstill(vitals, limits, now_s)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "standstill", look)
            with dog.watching():
                assert seen_fresh.wait(5)

        assert noted == []
        assert not done.is_set()

    def test_ends_a_stop_that_takes_too_long(self, ends):
        """
        A stop has a limit that holds even while the event loop is blocked.
        """
        end, noted, done = ends
        dog = Watchdog(LIMITS, end=end)

        with dog.watching():
            dog.stop_by(0.0)
            assert done.wait(5)

        assert noted == [(ExitCode.HUNG, "stop_limit")]

    def test_keeps_to_the_first_limit(self, ends):
        """
        A later, longer limit does not prolong a stop.
        """
        end, noted, done = ends
        dog = Watchdog(LIMITS, end=end)

        with dog.watching():
            dog.stop_by(0.0)
            dog.stop_by(1e9)
            assert done.wait(5)

        assert len(noted) == 1

    def test_watches_a_stop_to_the_end_of_the_process(self, ends):
        """
        Threads that hang cannot keep a finished worker from ending, with the code it finished with.
        """
        end, noted, done = ends
        dog = Watchdog(LIMITS, end=end)

        with dog.watching():
            dog.stop_by(0.01)
            dog.code_at_limit = ExitCode.OK
        assert done.wait(5)

        assert noted == [(ExitCode.OK, "stop_limit")]
