"""Raw records on a broker: what a test writes and what it finds, without any of our classes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

#: How long a fetch may wait, milliseconds: the embedded broker always uses all of it.
FETCH_WAIT_MS = 10
#: Larger than any record of the tests, bytes.
MAX_RECORD_BYTES = 16 * 1024 * 1024
#: Group members join in half of it on the embedded broker; shorter is refused, milliseconds.
SESSION_TIMEOUT_MS = 6_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record as it lies on a topic."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp_ms: int = 0

    def json(self) -> Any:
        """Read the value as JSON; fails on what is not."""
        return json.loads(self.value or b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """One record to write."""

    value: bytes | None
    key: bytes | None = None
    partition: int | None = None


async def create_topic(
    address: str, name: str, *, partitions: int = 1, config: Mapping[str, str] | None = None
) -> None:
    """Create a topic; one that exists stays as it is."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        new = NewTopic(name, partitions, 1, topic_configs=dict(config or {}))
        answer = await admin.create_topics([new])
        for _topic, code, *_ in answer.topic_errors:
            if code not in {0, TopicAlreadyExistsError.errno}:
                raise for_code(code)(name)
    finally:
        await admin.close()


async def produce(address: str, topic: str, records: Iterable[Raw]) -> list[Record]:
    """Write records in order, each stored before the next is sent; returns them with offsets."""
    producer = AIOKafkaProducer(
        bootstrap_servers=address, acks="all", max_request_size=MAX_RECORD_BYTES
    )
    await producer.start()
    try:
        return [await send(producer, topic, raw) for raw in records]
    finally:
        await producer.stop()


async def send(producer: AIOKafkaProducer, topic: str, raw: Raw) -> Record:
    """Write one record and wait until it is stored."""
    stored = await producer.send_and_wait(topic, raw.value, key=raw.key, partition=raw.partition)
    return Record(
        topic=topic,
        partition=stored.partition,
        offset=stored.offset,
        key=raw.key,
        value=raw.value,
        timestamp_ms=stored.timestamp,
    )


async def read_all(address: str, topic: str) -> list[Record]:
    """
    Read every record that the topic holds now, by partition and offset.

    The end comes from `highwater`: the embedded broker's `end_offsets` is wrong.
    """
    consumer = AIOKafkaConsumer(
        topic,
        bootstrap_servers=address,
        group_id=None,
        auto_offset_reset="earliest",
        fetch_max_wait_ms=FETCH_WAIT_MS,
        fetch_max_bytes=MAX_RECORD_BYTES,
        max_partition_fetch_bytes=MAX_RECORD_BYTES,
    )
    await consumer.start()
    try:
        found: list[Record] = []
        while not await _at_the_end(consumer):
            for batch in (await consumer.getmany(timeout_ms=FETCH_WAIT_MS)).values():
                found += [_record(each) for each in batch]
    finally:
        await consumer.stop()
    return sorted(found, key=lambda record: (record.partition, record.offset))


async def read_json(address: str, topic: str) -> list[dict[str, Any]]:
    """Read every value of a topic as JSON, by partition and offset."""
    return [record.json() for record in await read_all(address, topic)]


async def _at_the_end(consumer: AIOKafkaConsumer) -> bool:
    assigned = consumer.assignment()
    for partition in assigned:
        end = consumer.highwater(partition)
        if end is None or await consumer.position(partition) < end:
            return False
    return bool(assigned)


def _record(found: Any) -> Record:
    return Record(
        topic=found.topic,
        partition=found.partition,
        offset=found.offset,
        key=found.key,
        value=found.value,
        timestamp_ms=found.timestamp,
    )


def json_raws(key: str, values: Sequence[Mapping[str, Any]]) -> list[Raw]:
    """Make records of one key from plain dicts."""
    return [Raw(key=key.encode(), value=json.dumps(value).encode()) for value in values]
