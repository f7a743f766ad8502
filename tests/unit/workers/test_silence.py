"""How a broker that is away is told from one that has nothing to say."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from tests.waiting import wait_until
from workers import metrics
from workers.compacted import _tail
from workers.silence import STALL_S, Onset, Silence, tell_silence

LONG_S = STALL_S + 1


class FakeConsumer:
    """Has two partitions, and answers when it is told to."""

    def __init__(self) -> None:
        self.answered_ms = {"a": None, "b": None}
        self.looks = 0

    def assignment(self):
        """Return the partitions."""
        return set(self.answered_ms)

    def last_poll_timestamp(self, partition):
        """Return when the partition's last fetch was answered."""
        return self.answered_ms[partition]

    async def getmany(self, timeout_ms) -> dict[Any, Any]:
        """Find nothing, as while the broker is away."""
        del timeout_ms
        self.looks += 1
        await asyncio.sleep(0)
        return {}


@pytest.fixture
def clock(monkeypatch):
    """Set the time by hand."""
    now = SimpleNamespace(s=100.0)
    monkeypatch.setattr("workers.silence.time", SimpleNamespace(monotonic=lambda: now.s))
    return now


class TestSilence:
    def test_it_counts_from_the_last_answer_on_any_partition(self, clock):
        """
        An answer on one partition is an answer of the broker; the same one twice is not.
        """
        silence, consumer = Silence(), FakeConsumer()
        clock.s += 20
        silence.listen(consumer)
        assert silence.age_s == 20

        consumer.answered_ms["b"] = 5
        silence.listen(consumer)
        assert silence.age_s == 0

        clock.s += 7
        silence.listen(consumer)
        assert silence.age_s == 7

    def test_an_answer_to_something_else(self, clock):
        """
        Whoever asks by other means says so.
        """
        silence = Silence()
        clock.s += 20
        silence.heard()

        assert silence.age_s == 0


class TestOnset:
    def test_each_long_silence_begins_once(self):
        """
        The third look that finds it too long in a row is the one; after an answer the next counts.
        """
        onset = Onset()
        ages = [STALL_S, LONG_S, LONG_S, LONG_S, 0.0, LONG_S, LONG_S, LONG_S]

        assert [onset.look(age_s) for age_s in ages] == [
            *(False, False, True, False, False),
            *(False, False, True),
        ]

    @pytest.mark.parametrize(
        "age_s", [pytest.param(None, id="nothing is asked"), pytest.param(STALL_S - 1, id="short")]
    )
    def test_what_is_no_long_silence(self, age_s):
        """
        It never begins.
        """
        onset = Onset()

        assert not any(onset.look(age_s) for _ in range(9))

    def test_a_process_that_was_frozen(self):
        """
        All is old when it goes on, until the next answer.
        """
        onset = Onset()

        assert not any(onset.look(age_s) for age_s in (LONG_S, LONG_S, 0.1, LONG_S, LONG_S, 0.1))


async def test_it_is_told_once_and_its_end_once(caplog):
    """An error when it begins, a line when it is over, and nothing between."""
    caplog.set_level(logging.INFO, "workers.silence")
    ages = iter([0.0, *[LONG_S] * 9, 0.0, 0.0])
    with pytest.raises(RuntimeError):
        await tell_silence(lambda: next(ages), every_s=0)

    assert [(record.levelname, record.message) for record in caplog.records] == [
        ("ERROR", "broker_silent"),
        ("INFO", "broker_answers"),
    ]


async def test_a_follower_is_interrupted_by_silence(clock, caplog):
    """A consumer raises nothing while its broker is away; it is counted and logged once."""

    async def take(_record) -> None:
        raise AssertionError

    consumer = FakeConsumer()
    before = metrics.FOLLOW_INTERRUPTED._value.get()
    following = asyncio.create_task(_tail(consumer, take))
    await wait_until(lambda: consumer.looks > 5, "some looks")
    assert not caplog.records
    clock.s += LONG_S
    looks = consumer.looks
    await wait_until(lambda: consumer.looks > looks + 9, "more looks")
    following.cancel()

    assert [record.message for record in caplog.records] == ["follow_interrupted"]
    assert metrics.FOLLOW_INTERRUPTED._value.get() == before + 1
