"""
Whether the hot worker can decide turns, part by part.

A degraded part (no judge, no Redis) is not one that is missing: turns are decided, and `/readyz`
names it beside its answer.
"""

from collections.abc import Callable, Mapping

from workers import metrics
from workers.lag_own import fetch_age_s, own_lag
from workers.silence import STALL_S
from workers.stream.app import StreamApp
from workers.stream.watchdog import Vitals, Watchdog

#: What has happened before the group is joined.
_STEPS = ("guards_proved", "bundles_verified", "profiles_read", "denials_read")


class Readiness:
    """What `/readyz` answers: all true once turns are being decided."""

    def __init__(self) -> None:
        self._done = dict.fromkeys(_STEPS, False)
        self._watchdog: Watchdog | None = None
        self._app: StreamApp | None = None

    def done(self, *parts: str) -> None:
        """Note that steps of the start are behind us."""
        for part in parts:
            if part not in self._done:
                raise KeyError(part)
            self._done[part] = True

    def watch(self, app: StreamApp) -> None:
        """Look at this app's consumer from now on."""
        self._app = app
        metrics.CONSUMER_LAG.set_source(lambda: own_lag(app))
        metrics.FETCH_AGE_SECONDS.set_function(lambda: fetch_age_s(app) or 0.0)
        metrics.ASSIGNED.set_function(lambda: float(_assigned(app)))

    def joined(self, watchdog: Watchdog) -> None:
        """Look at these vitals from now on: the group is joined."""
        self._watchdog = watchdog
        _expose(watchdog)

    def __call__(self) -> Mapping[str, bool]:
        """Tell each part."""
        vitals = self._watchdog.vitals if self._watchdog is not None else None
        return self._done | {
            "assigned": self._app is not None and _has_assignment(self._app),
            "records_flow": vitals is not None and vitals.flow_stopped_s is None,
            "offsets_move": vitals is not None and self._moving(vitals),
        }

    def _moving(self, vitals: Vitals) -> bool:
        silent_s = None if self._app is None else fetch_age_s(self._app)
        ages = (vitals.unhandled_s, vitals.uncommitted_s, silent_s)
        return all(age_s is None or age_s < STALL_S for age_s in ages)


def _has_assignment(app: StreamApp) -> bool:
    """Tell whether the group has dealt out its partitions; a spare worker may have got none."""
    consumer = app.started_consumer
    return consumer is not None and consumer.has_assignment


def _assigned(app: StreamApp) -> int:
    consumer = app.started_consumer
    return 0 if consumer is None else len(consumer.read_state())


def _expose(watchdog: Watchdog) -> None:
    """Let the metrics read the worker's vitals."""

    def vital(name: str) -> Callable[[], float]:
        return lambda: getattr(watchdog.vitals, name, None) or 0.0

    metrics.LOOP_LAG_SECONDS.set_function(vital("loop_lag_s"))
    metrics.UNHANDLED_SECONDS.set_function(vital("unhandled_s"))
    metrics.UNCOMMITTED_SECONDS.set_function(vital("uncommitted_s"))
