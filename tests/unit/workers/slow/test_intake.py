"""What the intake knows of the broker and of its own commits."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka import TopicPartition
from aiokafka.errors import KafkaConnectionError

from tests.fakes.stream import make_record
from workers.silence import STALL_S
from workers.slow import intake as module
from workers.slow.app import _Readiness
from workers.slow.backlog import Backlog
from workers.slow.intake import Intake, Named

ITEMS = TopicPartition("kb.review", 0)


class FakeConsumer:
    """A broker that answers or does not."""

    def __init__(self) -> None:
        self.answered_ms = 1
        self.failing: Exception | None = None
        self.asked: list[TopicPartition] = []
        self.hold = asyncio.Event()
        self.hold.set()

    def assignment(self):
        """Return the partitions."""
        return {ITEMS}

    def last_poll_timestamp(self, _partition):
        """Return when the last fetch was answered."""
        return self.answered_ms

    def pause(self, *_partitions):
        """Do nothing."""

    resume = pause

    async def getmany(self, **_options) -> dict[Any, Any]:
        """Find nothing."""
        await asyncio.sleep(0)
        return {}

    async def end_offsets(self, partitions) -> None:
        """Answer or fail."""
        self.asked += partitions
        if self.failing is not None:
            raise self.failing

    async def commit(self, _offsets) -> None:
        """Take the offsets, at once or when told to, or fail."""
        await self.hold.wait()
        if self.failing is not None:
            raise self.failing


@pytest.fixture
def clock(monkeypatch):
    """Set the time by hand."""
    now = SimpleNamespace(s=100.0)
    for name in ("workers.silence.time", "workers.slow.intake.time"):
        monkeypatch.setattr(name, SimpleNamespace(monotonic=lambda: now.s))
    monkeypatch.setattr(module, "_ASK_S", 0.0)
    return now


@pytest.fixture
def consumer() -> FakeConsumer:
    """Make a broker that answers."""
    return FakeConsumer()


@pytest.fixture
async def intake(clock, consumer) -> Intake:
    """Make an intake that has its partition and the gaps."""
    del clock

    async def read_back() -> None:
        pass

    made = Intake(
        consumer,
        Backlog(4),
        named=Named(review="kb.review", actions="kb.gap.actions"),
        begin=lambda _work: None,
        give_up=lambda: None,
        changing=asyncio.Lock(),
        read_back=read_back,
    )
    await made.on_partitions_assigned([ITEMS])
    await made._look()
    return made


def ready(intake: Intake | None) -> bool:
    """Tell whether offsets move, as `/readyz` says."""
    readiness = _Readiness()
    readiness.intake = intake
    return readiness()["offsets_move"]


async def for_a_moment(work) -> None:
    """Run what runs for ever for some rounds."""
    task = asyncio.create_task(work)
    for _ in range(20):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_nothing_is_taken_for_granted():
    """A worker without its consumer moves nothing."""
    assert not ready(None)


async def test_answers_keep_it_ready(intake, consumer, clock):
    """The age counts from the last fetch that was answered."""
    clock.s += 60
    consumer.answered_ms = 2

    assert intake.fetch_age_s == 0
    assert ready(intake)


async def test_a_silent_broker(intake, consumer, clock):
    """Fetches that nobody answers age, and nobody asks by other means."""
    clock.s += STALL_S + 1
    await for_a_moment(intake.keep_asking())

    assert intake.fetch_age_s == STALL_S + 1
    assert consumer.asked == []
    assert not ready(intake)


@pytest.mark.parametrize("owned", [[ITEMS], []], ids=["a full queue", "a spare worker"])
async def test_a_worker_that_fetches_nothing_asks(intake, consumer, clock, owned):
    """It hears that the broker is there, and that it is away."""
    await intake.on_partitions_assigned(owned)
    intake._backlog._capacity = 0
    await intake._look()
    clock.s += STALL_S + 1
    assert not ready(intake)

    await for_a_moment(intake.keep_asking())
    assert set(consumer.asked) == {ITEMS}
    assert ready(intake)

    clock.s += STALL_S + 1
    consumer.failing = KafkaConnectionError()
    await for_a_moment(intake.keep_asking())
    assert intake.fetch_age_s == STALL_S + 1
    assert not ready(intake)


async def test_what_waits_for_its_commit(intake, consumer, clock):
    """It ages from the first record that was handled, until the broker took all of them."""
    assert intake.uncommitted_s is None
    intake.handled(make_record(topic="kb.review", offset=5))
    clock.s += 10
    intake.handled(make_record(topic="kb.review", offset=6))
    consumer.answered_ms = 2
    assert intake.uncommitted_s == 10
    assert ready(intake)

    consumer.failing = KafkaConnectionError()
    clock.s += STALL_S
    await intake.commit()
    consumer.answered_ms = 3
    assert intake.uncommitted_s == 10 + STALL_S
    assert not ready(intake)

    consumer.failing = None
    await intake.commit()
    assert intake.uncommitted_s is None
    assert ready(intake)


async def test_what_is_handled_during_a_commit_waits_from_then(intake, consumer, clock):
    """A commit carries what was done before it, and no more."""
    intake.handled(make_record(topic="kb.review", offset=5))
    clock.s += 10
    consumer.hold.clear()
    commit = asyncio.create_task(intake.commit())
    await asyncio.sleep(0)
    clock.s += 1
    intake.handled(make_record(topic="kb.review", offset=6))
    consumer.hold.set()
    await commit

    assert intake.uncommitted_s == 1


async def test_partitions_that_go_take_their_ages_along(intake, consumer):
    """What was not committed comes again, to whoever has them."""
    consumer.failing = KafkaConnectionError()
    intake.handled(make_record(topic="kb.review", offset=5))
    await intake.on_partitions_revoked([ITEMS])

    assert intake.uncommitted_s is None
