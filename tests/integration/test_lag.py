"""Lag of a group on a real broker."""

import time

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from tests.records import SESSION_TIMEOUT_MS, Raw, create_topic, produce
from topics.names import TOPICS
from workers.admin import BrokerConnection, create_topics
from workers.errors import BrokerUnavailable, SettingsError
from workers.lag import PartitionLag, Reader, committed_topics, read_lag, readers
from workers.settings import load


@pytest.fixture
def connected(broker) -> BrokerConnection:
    """Give the way to the broker of all tests."""
    return BrokerConnection(address=broker.address)


@pytest.fixture
async def topic(connected, fresh_name) -> str:
    """Give a topic of three partitions."""
    name = fresh_name("lag")
    await create_topic(connected.address, name, partitions=3)
    return name


async def commit(address: str, group: str, offsets: dict[TopicPartition, int]) -> None:
    """Commit as a group that has no member."""
    consumer = AIOKafkaConsumer(bootstrap_servers=address, group_id=group, enable_auto_commit=False)
    await consumer.start()
    try:
        consumer.assign(list(offsets))
        await consumer.commit(offsets)
    finally:
        await consumer.stop()


async def produce_batch(address: str, topic: str, partition: int, count: int) -> None:
    """Write records that share a batch."""
    producer = AIOKafkaProducer(bootstrap_servers=address, linger_ms=50)
    await producer.start()
    try:
        futures = [await producer.send(topic, b"v", partition=partition) for _ in range(count)]
        for future in futures:
            await future
    finally:
        await producer.stop()


def by_partition(partitions: tuple[PartitionLag, ...]) -> dict[int, PartitionLag]:
    return {one.partition: one for one in partitions}


async def test_unread_records_and_the_oldest_one(connected, topic, group) -> None:
    """Each partition has its unread records and the time of the first of them."""
    address = connected.address
    stored = await produce(address, topic, [Raw(value=b"v", partition=0) for _ in range(3)])
    await produce_batch(address, topic, 1, 5)
    await commit(address, group, {TopicPartition(topic, 0): 1, TopicPartition(topic, 1): 5})
    await produce(address, topic, [Raw(value=b"v", partition=2)])

    before_ms = time.time() * 1e3
    (found,) = await read_lag(connected, [Reader(group=group, topics=(topic,))])
    parts = by_partition(found.partitions)

    assert {number: (one.committed, one.end, one.unread) for number, one in parts.items()} == {
        0: (1, 3, 2),
        1: (5, 5, 0),
        2: (None, 1, 1),
    }
    assert parts[0].oldest_at_ms == stored[1].timestamp_ms
    assert parts[0].oldest_age_s is not None
    assert parts[0].oldest_age_s >= (before_ms - stored[1].timestamp_ms) / 1e3
    assert parts[1].oldest_at_ms is parts[1].oldest_age_s is None
    assert (found.unread, found.oldest_age_s) == (3, parts[0].oldest_age_s)


async def test_a_partition_in_the_middle_of_a_batch(connected, topic, group) -> None:
    """A commit inside a batch counts the rest of the batch alone."""
    await produce_batch(connected.address, topic, 0, 7)
    await commit(connected.address, group, {TopicPartition(topic, 0): 4})

    (found,) = await read_lag(connected, [Reader(group=group, topics=(topic,))])

    assert found.unread == 3
    assert found.oldest_age_s is not None


async def test_a_commit_that_is_not_in_the_log(connected, topic, group) -> None:
    """A topic that was made anew is all unread, and is said to be out of range."""
    await produce(connected.address, topic, [Raw(value=b"v", partition=0) for _ in range(2)])
    await commit(connected.address, group, {TopicPartition(topic, 0): 40})

    (found,) = await read_lag(connected, [Reader(group=group, topics=(topic,))])
    part = by_partition(found.partitions)[0]

    assert (part.out_of_range, part.unread, part.end) == (True, 2, 2)
    assert part.oldest_age_s is not None


async def test_looking_disturbs_no_member(connected, topic, group) -> None:
    """A member keeps its partitions and its generation while others look, and is counted."""
    member = AIOKafkaConsumer(
        topic,
        bootstrap_servers=connected.address,
        group_id=group,
        enable_auto_commit=False,
        session_timeout_ms=SESSION_TIMEOUT_MS,
        heartbeat_interval_ms=500,
    )
    await member.start()
    try:
        await member.getmany(timeout_ms=10)
        before = (member._coordinator.generation, member.assignment())
        for _ in range(3):
            (found,) = await read_lag(connected, [Reader(group=group, topics=(topic,))])
        after = (member._coordinator.generation, member.assignment())
    finally:
        await member.stop()

    assert found.members == 1
    assert len(before[1]) == 3
    assert after == before


async def test_a_topic_that_is_missing_is_named(connected, fresh_name, group) -> None:
    """The person is told which one, and what makes it."""
    missing = fresh_name("missing")

    with pytest.raises(SettingsError, match=rf"{missing}.*topics create"):
        await read_lag(connected, [Reader(group=group, topics=(missing,))])


async def test_the_topics_of_any_group(connected, topic_prefix, group) -> None:
    """A group's topics are those of ours on which it has committed."""
    await create_topics(connected, prefix=topic_prefix, topics=TOPICS[:3])
    with pytest.raises(SettingsError, match=group):
        await committed_topics(connected, group, prefix=topic_prefix)
    name = f"{topic_prefix}turn.predictions"
    await produce(connected.address, name, [Raw(value=b"v", partition=4)])
    await commit(connected.address, group, {TopicPartition(name, 4): 1})

    found = await committed_topics(connected, group, prefix=topic_prefix)

    assert found == Reader(group=group, topics=(name,))


async def test_no_broker_is_an_error_in_time() -> None:
    """A broker that is not there is named, and not waited for."""
    nowhere = BrokerConnection(address="127.0.0.1:1", limit_s=5)

    with pytest.raises(BrokerUnavailable, match=r"127\.0\.0\.1:1"):
        await read_lag(nowhere, readers(load({})))


def test_the_readers_of_a_deployment() -> None:
    """Groups and topics carry the deployment's prefix."""
    assert readers(load({"TURNGATE_PREFIX": "blue."})) == (
        Reader(
            group="blue.turngate-hot",
            topics=("blue.turn.predictions", "blue.turn.utterances", "blue.kb.questions"),
        ),
        Reader(group="blue.turngate-slow", topics=("blue.kb.review", "blue.kb.gap.actions")),
    )
