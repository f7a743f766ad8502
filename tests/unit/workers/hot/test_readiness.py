"""Whether the worker is ready, part by part."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from faust.types import TP

from workers.hot.readiness import Readiness
from workers.metrics import CONSUMER_LAG
from workers.silence import STALL_S
from workers.stream.consumer import ReadState
from workers.stream.prefix import HandledPrefix
from workers.stream.watchdog import Vitals

PARTS = ("guards_proved", "bundles_verified", "profiles_read", "denials_read")
NOTHING_WRONG = Vitals(taken_s=0)


def make_watchdog(vitals: Vitals) -> Any:
    """Make one that saw these last."""
    return SimpleNamespace(vitals=vitals)


def make_app(*, assigned=True, silent_s=0.0):
    fetched_at_ms = int((time.time() - silent_s) * 1e3)
    states = {TP("t", 0): ReadState(0, 0, fetched_at_ms)}
    return SimpleNamespace(
        prefix=HandledPrefix(),
        started_consumer=SimpleNamespace(has_assignment=assigned, read_state=lambda: states),
    )


@pytest.fixture(autouse=True)
def _no_worker_afterwards():
    """Leave the metrics to nobody."""
    yield
    CONSUMER_LAG.set_source(tuple)


def make_ready(*, vitals=NOTHING_WRONG, **app) -> Readiness:
    """Make one of a worker that is wholly ready but for what is given."""
    ready = Readiness()
    ready.done(*PARTS)
    ready.watch(make_app(**app))
    ready.joined(make_watchdog(vitals))
    return ready


def missing(ready) -> set[str]:
    return {part for part, there in ready().items() if not there}


def test_everything_is_there() -> None:
    """A worker that has proved itself, joined and reads is ready."""
    assert missing(make_ready()) == set()


def test_before_anything_has_happened() -> None:
    """Nothing is taken for granted."""
    ready = Readiness()

    assert missing(ready) == set(ready())


@pytest.mark.parametrize("part", PARTS)
def test_each_step_of_the_start_counts(part) -> None:
    """A guard that has not proved itself, a bundle or a profile not read: not ready."""
    ready = Readiness()
    ready.done(*(other for other in PARTS if other != part))
    ready.watch(make_app())
    ready.joined(make_watchdog(NOTHING_WRONG))

    assert missing(ready) == {part}


@pytest.mark.parametrize(
    ("vitals", "app", "part"),
    [
        pytest.param({"flow_stopped_s": 0.1}, {}, "records_flow", id="a rebalance"),
        pytest.param({"unhandled_s": STALL_S + 1}, {}, "offsets_move", id="nothing is handled"),
        pytest.param({"uncommitted_s": STALL_S + 1}, {}, "offsets_move", id="nothing committed"),
        pytest.param({}, {"silent_s": STALL_S + 1}, "offsets_move", id="the broker is silent"),
        pytest.param({}, {"assigned": False}, "assigned", id="no assignment"),
    ],
)
def test_standing_still_is_not_ready(vitals, app, part) -> None:
    """Health is that offsets move, not that the process lives."""
    assert missing(make_ready(vitals=Vitals(taken_s=0, **vitals), **app)) == {part}


def test_a_short_wait_is_ready() -> None:
    """Records wait a little in every healthy worker."""
    vitals = Vitals(taken_s=0, unhandled_s=STALL_S / 2, uncommitted_s=STALL_S / 2)

    assert missing(make_ready(vitals=vitals, silent_s=STALL_S / 2)) == set()


def test_a_spare_worker_is_ready() -> None:
    """More workers than partitions leave one without any; it stands by."""
    ready = make_ready()
    spare: Any = SimpleNamespace(
        started_consumer=SimpleNamespace(has_assignment=True, read_state=dict)
    )
    ready.watch(spare)

    assert missing(ready) == set()


def test_an_unknown_step_is_a_mistake_of_ours() -> None:
    """A step that nobody asks for would be forgotten silently."""
    with pytest.raises(KeyError):
        Readiness().done("guards")
