"""Lag of a worker's own partitions."""

import time
from types import SimpleNamespace
from typing import Any

import pytest
from faust.types import TP
from prometheus_client import REGISTRY

from workers.lag_own import fetch_age_s, own_lag
from workers.metrics import CONSUMER_LAG, Behind
from workers.stream.consumer import ReadState
from workers.stream.prefix import HandledPrefix

A = TP("a", 0)


class Record:
    """A record as the prefix and the lag see it."""

    def __init__(self, offset: int, written_s: float | None) -> None:
        self.tp = A
        self.offset = offset
        self.timestamp = written_s
        self.fetched_s = time.monotonic()
        self.handled = False


def make_app(state: ReadState, *records: Record, handled: int = 0):
    prefix = HandledPrefix()
    for record in records:
        prefix.fetched(record)
    for record in records[:handled]:
        prefix.handled(record)
    consumer = SimpleNamespace(read_state=lambda: {A: state})
    return SimpleNamespace(started_consumer=consumer, prefix=prefix)


def written(seconds_ago: float, *offsets: int) -> list[Record]:
    return [Record(offset, time.time() - seconds_ago) for offset in offsets]


@pytest.mark.parametrize(
    ("state", "offsets", "handled", "records"),
    [
        pytest.param(ReadState(4, 9, 1), [], 0, 5, id="nothing fetched yet"),
        pytest.param(ReadState(9, 9, 1), [4, 5, 6, 7, 8], 0, 5, id="all fetched, none handled"),
        pytest.param(ReadState(9, 9, 1), [4, 5, 6, 7, 8], 3, 2, id="some handled"),
        pytest.param(ReadState(9, 9, 1), [7, 8], 2, 0, id="all handled"),
        pytest.param(ReadState(9, 12, 1), [7, 8], 2, 3, id="more at the broker"),
        pytest.param(ReadState(9, 3, 1), [], 0, 0, id="the end went back"),
    ],
)
def test_records_that_are_not_handled(state, offsets, handled, records) -> None:
    """A record counts from the broker's end back to the first one that is not handled."""
    app = make_app(state, *written(7, *offsets), handled=handled)

    (found,) = own_lag(app)

    assert (found.topic, found.partition, found.records) == ("a", "0", records)
    if len(offsets) > handled:
        assert 7 <= found.oldest_s < 60
    else:
        assert found.oldest_s == 0


@pytest.mark.parametrize("written_s", [None, 0, time.time() + 3_600], ids=["none", "0", "future"])
def test_a_senseless_time_is_no_age(written_s) -> None:
    """A record without a time, or from the future, is not old."""
    (found,) = own_lag(make_app(ReadState(1, 1, 1), Record(0, written_s)))

    assert (found.records, found.oldest_s) == (1, 0.0)


@pytest.mark.parametrize(
    "state", [ReadState(None, 4, 1), ReadState(4, None, None)], ids=["no position", "no fetch"]
)
def test_what_is_not_known_is_left_out(state) -> None:
    """Before the first fetch there is no lag to tell."""
    assert list(own_lag(make_app(state))) == []


def test_no_consumer() -> None:
    """A worker that has not started has no lag."""
    app: Any = SimpleNamespace(started_consumer=None)

    assert list(own_lag(app)) == []
    assert fetch_age_s(app) is None


def test_the_broker_s_silence() -> None:
    """Its age counts from the last answer on any partition."""
    quiet, heard = int((time.time() - 90) * 1e3), int((time.time() - 5) * 1e3)
    states = {
        A: ReadState(0, 0, quiet),
        TP("a", 1): ReadState(0, 0, heard),
        TP("a", 2): ReadState(0, None, None),
    }
    app: Any = SimpleNamespace(started_consumer=SimpleNamespace(read_state=lambda: states))

    age_s = fetch_age_s(app)

    assert age_s is not None
    assert 5 <= age_s < 60


@pytest.mark.parametrize(
    ("partitions", "flows_for_s", "expected_s"),
    [
        pytest.param(1, 40, 40, id="no fetch was ever answered"),
        pytest.param(1, None, None, id="a rebalance"),
        pytest.param(0, 40, None, id="a spare worker"),
    ],
)
def test_silence_from_the_beginning(partitions, flows_for_s, expected_s) -> None:
    """A broker that deals out partitions and then answers no fetch is silent too."""
    states = {TP("a", number): ReadState(0, None, None) for number in range(partitions)}
    since_s = None if flows_for_s is None else time.monotonic() - flows_for_s
    consumer = SimpleNamespace(read_state=lambda: states, flows_since_s=since_s)
    app: Any = SimpleNamespace(started_consumer=consumer)

    age_s = fetch_age_s(app)

    assert (None if age_s is None else round(age_s, -1)) == expected_s


def test_partitions_that_moved_away_leave_no_series() -> None:
    """A scrape shows what is ours now."""
    held = [Behind("a", "0", 3, 1.5)]
    CONSUMER_LAG.set_source(lambda: held)
    try:
        labels = {"topic": "a", "partition": "0"}
        before = REGISTRY.get_sample_value("turngate_consumer_lag_records", labels)
        held.clear()
        after = REGISTRY.get_sample_value("turngate_consumer_lag_records", labels)
    finally:
        CONSUMER_LAG.set_source(tuple)

    assert (before, after) == (3, None)
