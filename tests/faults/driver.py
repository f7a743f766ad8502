"""Plays a schedule into a topic, strikes at given places, and remembers what it sent."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from aiokafka import AIOKafkaProducer

from tests.evidence import Place
from tests.faults.schedule import Item
from tests.records import MAX_RECORD_BYTES, Raw, Record, send


@dataclass(frozen=True, slots=True)
class Sent:
    """One item as it was stored."""

    item: Item
    record: Record


async def play(
    address: str,
    topic: str,
    items: Sequence[Item],
    *,
    per_second: float | None = None,
    strikes: Mapping[int, Callable[[], Awaitable[object]]] | None = None,
) -> list[Sent]:
    """
    Write a schedule, each record stored before the next is sent.

    Args:
        address: the broker.
        topic: the input topic.
        items: what to write.
        per_second: the pace; None writes as fast as the broker takes it.
        strikes: what to do just before the item at a position: kill a worker, break the network.

    """
    producer = AIOKafkaProducer(
        bootstrap_servers=address, acks="all", max_request_size=MAX_RECORD_BYTES
    )
    await producer.start()
    sent: list[Sent] = []
    began = time.monotonic()
    try:
        for position, item in enumerate(items):
            if strikes and position in strikes:
                await strikes[position]()
            if per_second:
                await asyncio.sleep(began + position / per_second - time.monotonic())
            if item.repeats is None:
                value = item.encode(time.time_ns() // 1_000_000)
            else:
                value = sent[item.repeats].record.value
            stored = await send(producer, topic, Raw(key=item.key, value=value))
            sent.append(Sent(item, stored))
    finally:
        await producer.stop()
    return sent


def validity_of(sent: Sequence[Sent]) -> dict[Place, bool]:
    """Say of each place what lies there, for the verifier."""
    return {(each.record.partition, each.record.offset): each.item.valid for each in sent}
