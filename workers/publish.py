"""Records from a command onto a topic, all of them stored before we say so."""

import asyncio
from collections.abc import Sequence

from aiokafka import AIOKafkaProducer

from workers.kafka import security_options
from workers.stream.produce import broker_errors
from workers.stream.settings import StreamSettings

#: Records that are under way at once.
_UNDER_WAY = 200


def new_producer(stream: StreamSettings) -> AIOKafkaProducer:
    """Make a producer whose records count once all replicas have them; not started yet."""
    return AIOKafkaProducer(
        bootstrap_servers=stream.brokers,
        client_id=stream.client_id,
        acks="all",
        request_timeout_ms=int(stream.produce_s * 1e3),
        **security_options(stream.security),
    )


async def publish(
    stream: StreamSettings, topic: str, records: Sequence[tuple[bytes, bytes | None]]
) -> None:
    """
    Store records; what was stored before a failure stays, and all may be published again.

    Args:
        stream: the broker, and the name that we go by.
        topic: full name.
        records: key and value of each; no value is a tombstone.

    Raises:
        BrokerUnavailable: Kafka did not take a record in time; some may be stored.
        RecordRefused: Kafka takes no record of this size.

    """
    producer = new_producer(stream)
    with broker_errors():
        try:
            await producer.start()
            for start in range(0, len(records), _UNDER_WAY):
                stored = [
                    await producer.send(topic, value, key=key)
                    for key, value in records[start : start + _UNDER_WAY]
                ]
                async with asyncio.timeout(2 * stream.produce_s):
                    await asyncio.gather(*stored)
        finally:
            await producer.stop()
