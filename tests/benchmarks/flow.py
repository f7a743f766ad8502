"""A producer and a consumer for a benchmark that sends records and waits for what follows."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer


@asynccontextmanager
async def flowing(
    address: str, topic: str
) -> AsyncIterator[tuple[AIOKafkaProducer, AIOKafkaConsumer]]:
    """Open both, the consumer from the topic's beginning, for the time of the block."""
    producer = AIOKafkaProducer(bootstrap_servers=address, acks="all")
    consumer = AIOKafkaConsumer(
        topic,
        bootstrap_servers=address,
        group_id=None,
        auto_offset_reset="earliest",
        fetch_max_wait_ms=5,
    )
    await producer.start()
    await consumer.start()
    try:
        yield producer, consumer
    finally:
        await consumer.stop()
        await producer.stop()


async def arrived(consumer: AIOKafkaConsumer) -> list[dict[str, Any]]:
    """Return the events that have come since the last time, after 200 ms at the latest."""
    found = await consumer.getmany(timeout_ms=200)
    return [json.loads(record.value) for records in found.values() for record in records]
