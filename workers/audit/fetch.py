"""The topics of turns, written as a log that every reader of ours takes."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from aiokafka import AIOKafkaConsumer, TopicPartition

from topics.names import DECISIONS, PREDICTIONS, UTTERANCES
from workers.admin import BrokerConnection, admin_client, bounded, partition_counts
from workers.errors import SettingsError
from workers.kafka import security_options, stop_consumer
from workers.own_file import need_replaceable, own_file

_CLIENT_ID = "turngate-audit"
_TOPICS = (DECISIONS, UTTERANCES, PREDICTIONS)
_FETCH_WAIT_MS = 100


async def fetch(
    broker: BrokerConnection, out: Path, *, prefix: str = "", hours: float = 24
) -> dict[str, int]:
    """
    Write the decisions, utterances and predictions of the last hours as JSONL.

    The topics are read whole. A record that is not one line is left out; readers judge the rest.

    Args:
        broker: where; its time limit is for all of it.
        out: replaced once all is read; readable by its owner alone.
        prefix: of the topics.
        hours: how far back, by the records' times.

    Returns:
        How many records of each topic were written.

    Raises:
        BrokerUnavailable: no answer in time, or none that we could use.
        SettingsError: a topic does not exist.
        OSError: the file cannot be written, or something that is no regular file has its name.

    """
    need_replaceable(out)
    async with admin_client(broker) as admin:
        counts = await partition_counts(admin)
    names = [prefix + topic.name for topic in _TOPICS]
    missing = [name for name in names if name not in counts]
    if missing:
        raise SettingsError(f"no topic {', '.join(missing)} at {broker.address}")
    since_ms = int((time.time() - hours * 3_600) * 1e3)
    places = [TopicPartition(name, number) for name in names for number in range(counts[name])]
    written = dict.fromkeys(names, 0)
    with own_file(out) as file:
        async with bounded(broker), _consumer(broker) as consumer:
            consumer.assign(places)
            await consumer.seek_to_beginning(*places)
            ends: dict[TopicPartition, int] = {}
            while not await _at_the_end(consumer, places, ends):
                fetched = await consumer.getmany(timeout_ms=_FETCH_WAIT_MS)
                for place, records in fetched.items():
                    for record in records:
                        value = record.value
                        if record.timestamp >= since_ms and value and b"\n" not in value:
                            file.write(value + b"\n")
                            written[place.topic] += 1
    return written


@asynccontextmanager
async def _consumer(broker: BrokerConnection) -> AsyncIterator[AIOKafkaConsumer]:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=broker.address,
        client_id=_CLIENT_ID,
        enable_auto_commit=False,
        fetch_max_wait_ms=_FETCH_WAIT_MS,
        **security_options(broker.security),
    )
    try:
        await consumer.start()
        yield consumer
    finally:
        await stop_consumer(consumer)


async def _at_the_end(
    consumer: AIOKafkaConsumer, places: list[TopicPartition], ends: dict[TopicPartition, int]
) -> bool:
    """Tell whether each partition was read to the end that it had when it was first looked at."""
    for place in places:
        end = consumer.highwater(place)
        if end is None:
            return False
        if await consumer.position(place) < ends.setdefault(place, end):
            return False
    return True
