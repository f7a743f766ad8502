"""
Reads a compacted topic into memory, from its beginning, and then follows it.

A plain consumer without a group: every worker needs every record, and compaction leaves holes in
the offsets that no commit rule should depend on.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from workers import metrics
from workers.background import beside
from workers.errors import BrokerUnavailable
from workers.kafka import security_options, stop_consumer
from workers.silence import Onset, Silence
from workers.stream.consume import Record
from workers.stream.settings import StreamSettings

_log = logging.getLogger(__name__)

#: How long the first reading may take, seconds; a worker without its profiles decides nothing.
_FIRST_READING_S = 30.0
#: How long a fetch waits for records, milliseconds. Kafka answers as soon as there are some; one
#: that always waits it out, as the embedded broker does, must not wake the turns' event loop often.
_FETCH_WAIT_MS = 250
#: Pause before the next try while the broker does not answer, seconds.
_PAUSE_S = 1.0

#: Takes one record; must not raise for what the record holds.
Take = Callable[[Record], Awaitable[None]]


@asynccontextmanager
async def follow(
    settings: StreamSettings, topic: str, take: Take, *, first_reading_s: float = _FIRST_READING_S
) -> AsyncIterator[None]:
    """
    Give every record of the topic to `take`, old ones before the block, new ones during it.

    Args:
        settings: where the broker is.
        topic: a topic that exists.
        take: called for each record, in order within a partition.
        first_reading_s: how long the old ones may take.

    Raises:
        BrokerUnavailable: the first reading did not end in time.

    """
    consumer = AIOKafkaConsumer(
        bootstrap_servers=settings.brokers,
        client_id=settings.client_id,
        enable_auto_commit=False,
        fetch_max_wait_ms=max(_FETCH_WAIT_MS, settings.fetch_wait_ms),
        **security_options(settings.security),
    )
    try:
        await _read_all(consumer, topic, take, first_reading_s)
        async with beside(_tail(consumer, take), name=f"follow {topic}"):
            yield
    finally:
        await stop_consumer(consumer)


async def _read_all(consumer: AIOKafkaConsumer, topic: str, take: Take, limit_s: float) -> None:
    try:
        async with asyncio.timeout(limit_s):
            await consumer.start()
            partitions = await _partitions(consumer, topic)
            consumer.assign(partitions)
            await consumer.seek_to_beginning(*partitions)
            while not await _at_the_end(consumer, partitions):
                await _take_some(consumer, take)
    except TimeoutError:
        raise BrokerUnavailable(f"{topic} could not be read in time") from None
    except KafkaError as error:
        raise BrokerUnavailable(f"{topic}: {type(error).__name__}") from error


async def _partitions(consumer: AIOKafkaConsumer, topic: str) -> list[TopicPartition]:
    while not (numbers := consumer.partitions_for_topic(topic)):
        await consumer._client.force_metadata_update()  # noqa: SLF001 - no public way to refresh
        await asyncio.sleep(_PAUSE_S / 10)
    return [TopicPartition(topic, number) for number in sorted(numbers)]


async def _at_the_end(consumer: AIOKafkaConsumer, partitions: list[TopicPartition]) -> bool:
    """Tell whether everything was read; the high-water mark is known after a partition's fetch."""
    for partition in partitions:
        highwater = consumer.highwater(partition)
        if highwater is None or await consumer.position(partition) < highwater:
            return False
    return True


async def _tail(consumer: AIOKafkaConsumer, take: Take) -> None:
    silence, onset = Silence(), Onset()
    while True:
        try:
            if await _take_some(consumer, take):
                silence.heard()
        except KafkaError as error:
            # What we know stays in force; the next record tells what changed meanwhile.
            _interrupted(type(error).__name__)
            await asyncio.sleep(_PAUSE_S)
        silence.listen(consumer)
        if onset.look(silence.age_s):
            # A broker that is away raises nothing.
            _interrupted("Silence")


def _interrupted(error: str) -> None:
    metrics.FOLLOW_INTERRUPTED.inc()
    _log.error("follow_interrupted", extra={"error": error})


async def _take_some(consumer: AIOKafkaConsumer, take: Take) -> bool:
    """Take what one fetch brings; tells whether that was anything."""
    fetched = await consumer.getmany(timeout_ms=1_000)
    for partition, records in fetched.items():
        for record in records:
            await take(
                Record(
                    topic=partition.topic,
                    partition=partition.partition,
                    offset=record.offset,
                    timestamp_ms=record.timestamp,
                    key=record.key,
                    value=record.value,
                    fetched_s=time.monotonic(),
                )
            )
    return bool(fetched)
