"""A group's offsets and its oldest unread records, asked without joining the group."""

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer, TopicPartition

from workers.admin import BrokerConnection, bounded
from workers.kafka import security_options, stop_consumer

_CLIENT_ID = "turngate-lag"
#: How long a fetch waits for records, milliseconds; what is unread is there already.
_FETCH_WAIT_MS = 50
#: How long the oldest unread record of a partition may take to arrive, seconds. A partition whose
#: rest is only holes (compaction, transaction markers) never sends one.
_OLDEST_LIMIT_S = 3.0
#: Bytes of a partition that one fetch asks for: only its first record's time is wanted.
_FETCH_BYTES = 1_024


@asynccontextmanager
async def group_consumer(broker: BrokerConnection, group: str) -> AsyncIterator[AIOKafkaConsumer]:
    """
    Open a consumer that may ask what the group committed, and never joins it.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use; for the whole block.

    """
    consumer = AIOKafkaConsumer(
        bootstrap_servers=broker.address,
        client_id=_CLIENT_ID,
        group_id=group,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        fetch_max_wait_ms=_FETCH_WAIT_MS,
        max_partition_fetch_bytes=_FETCH_BYTES,
        request_timeout_ms=int(broker.limit_s * 1000),
        **security_options(broker.security),
    )
    try:
        async with bounded(broker):
            await consumer.start()
            yield consumer
    finally:
        await stop_consumer(consumer)


async def committed_offsets(
    consumer: AIOKafkaConsumer, places: Sequence[TopicPartition]
) -> dict[TopicPartition, int | None]:
    """
    Ask for each partition by name.

    The embedded broker answers only so: it breaks the connection when all of a group are asked for.
    """
    return {place: await consumer.committed(place) for place in places}


async def oldest_unread(
    consumer: AIOKafkaConsumer,
    starts: Mapping[TopicPartition, int],
    begins: Mapping[TopicPartition, int],
) -> dict[TopicPartition, int]:
    """
    Read the first unread record of each partition and return its time; the records are let go.

    A fetch also tells each partition's end, and tells it right on every broker; asking for ends by
    themselves does not.
    """
    sought = dict(starts)
    consumer.assign(list(sought))
    for place, start in sought.items():
        consumer.seek(place, start)
    found: dict[TopicPartition, int] = {}
    by_s = time.monotonic() + _OLDEST_LIMIT_S
    while time.monotonic() < by_s and not _known(consumer, sought, found):
        fetched: dict[TopicPartition, Any] = await consumer.getmany(timeout_ms=_FETCH_WAIT_MS)
        for place, records in fetched.items():
            if place not in found and records:
                found[place] = records[0].timestamp
                consumer.pause(place)
        for place, start in sought.items():
            end = consumer.highwater(place)
            if end is not None and end < start:
                # Past the end; the embedded broker does not say so by itself.
                sought[place] = begins[place]
                consumer.seek(place, begins[place])
    return found


def end_of(consumer: AIOKafkaConsumer, place: TopicPartition, start: int) -> int:
    """Return the end that a fetch told of, or where the reading started if none did."""
    end = consumer.highwater(place)
    return start if end is None else end


def _known(
    consumer: AIOKafkaConsumer,
    starts: Mapping[TopicPartition, int],
    found: Mapping[TopicPartition, int],
) -> bool:
    """Tell whether the end of each partition is known, and the record of each that has one."""
    for place, start in starts.items():
        end = consumer.highwater(place)
        if end is None or (place not in found and start != end):
            return False
    return True
