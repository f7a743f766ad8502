"""
Liveness is progress: a worker that does not get on is ended, and restarted by whoever started it.

The event loop takes its own vitals a few times a second. A thread looks at them, so that a blocked
loop is noticed too, and ends the process when something has not moved for too long: a consumer dies
slowly and silently, and restarting it is the only cure that always works.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from workers.stream.app import StreamApp
from workers.stream.exits import ExitCode, end_process

_log = logging.getLogger(__name__)

#: How often the thread looks, seconds.
LOOK_EVERY_S = 0.2
#: How many looks in a row must find the same. A process that was frozen as a whole (a paused
#: machine, SIGSTOP) finds everything old when it goes on, and needs a moment to catch up.
LOOKS_IN_A_ROW = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchLimits:
    """How long something may stand still before the process is ended."""

    #: One try of a handler, seconds.
    event_s: float = 20.0
    #: The oldest record that is fetched and not handled, or handled and not committed, or the flow
    #: of records during a rebalance, seconds; must outlast an outage that we want to sit out.
    stall_s: float = 60.0
    #: The event loop, seconds.
    loop_s: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """How the worker gets on, in plain numbers: seconds, and None where nothing waits."""

    #: When they were taken, on `time.monotonic()`.
    taken_s: float
    #: How late the event loop was with taking them.
    loop_lag_s: float = 0.0
    #: Age of the oldest try that a handler works on.
    in_hand_s: float | None = None
    #: Age, since it was fetched, of the oldest record that is not handled.
    unhandled_s: float | None = None
    #: How many records are fetched and not handled.
    unhandled: int = 0
    #: For how long handled records have waited for a commit.
    uncommitted_s: float | None = None
    #: Time since the last commit that succeeded.
    last_commit_s: float | None = None
    #: For how long no record could reach an agent: a rebalance, or not in the group yet.
    flow_stopped_s: float | None = None


def take_vitals(app: StreamApp, *, loop_lag_s: float = 0.0) -> Vitals:
    """Read them off the app; for the event loop only."""
    now_s = time.monotonic()

    def since(start_s: float | None) -> float | None:
        return None if start_s is None else now_s - start_s

    consumer = app.started_consumer
    return Vitals(
        taken_s=now_s,
        loop_lag_s=loop_lag_s,
        in_hand_s=since(app.in_hand.since_s),
        unhandled_s=since(app.prefix.unhandled_since_s),
        unhandled=app.prefix.unhandled,
        uncommitted_s=since(app.prefix.uncommitted_since_s),
        last_commit_s=since(app.prefix.last_commit_s),
        flow_stopped_s=since(consumer.flow_stopped_s) if consumer else None,
    )


def standstill(vitals: Vitals | None, limits: WatchLimits, now_s: float) -> str | None:
    """Name what has not moved for too long, or None while all is well or nothing runs yet."""
    if vitals is None:
        return None
    if now_s - vitals.taken_s > limits.loop_s:
        return "event_loop"
    ages = {
        "event_in_hand": (vitals.in_hand_s, limits.event_s),
        "unhandled_record": (vitals.unhandled_s, limits.stall_s),
        "uncommitted_record": (vitals.uncommitted_s, limits.stall_s),
        "flow_of_records": (vitals.flow_stopped_s, limits.stall_s),
    }
    return next(
        (what for what, (age_s, limit_s) in ages.items() if age_s is not None and age_s > limit_s),
        None,
    )


class Watchdog:
    """Looks at the vitals from a thread, and holds the time at which a stop is over."""

    def __init__(
        self, limits: WatchLimits, *, end: Callable[[int, str], None] = end_process
    ) -> None:
        """
        Prepare; nothing is watched yet.

        Args:
            limits: what is too long.
            end: ends the process with a code and a reason; does not return.

        """
        self._limits = limits
        self._end = end
        self._stop_by_s: float | None = None
        self._left = threading.Event()
        #: What the event loop saw last, replaced as a whole; None until the app is there.
        self.vitals: Vitals | None = None
        #: What the process ends with if the stop is not over in time.
        self.code_at_limit = ExitCode.HUNG

    def stop_by(self, limit_s: float) -> None:
        """End the process if it still runs in `limit_s` seconds; the first call counts."""
        if self._stop_by_s is None:
            self._stop_by_s = time.monotonic() + limit_s

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for the time of the block; a stop that is under way stays watched after it."""
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        try:
            yield
        finally:
            self._left.set()

    def _watch(self) -> None:
        looks = 0
        while True:
            now_s = time.monotonic()
            if self._stop_by_s is not None:
                if now_s > self._stop_by_s:
                    self._end(self.code_at_limit, "stop_limit")
                    return
                time.sleep(LOOK_EVERY_S)
                continue
            if self._left.is_set():
                return
            what = standstill(self.vitals, self._limits, now_s)
            looks = looks + 1 if what else 0
            if what and looks >= LOOKS_IN_A_ROW:
                self._end(ExitCode.STUCK, what)
                return
            time.sleep(LOOK_EVERY_S)
