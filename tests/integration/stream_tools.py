"""What the stream tests need around the worker: topics, records in and out, offsets, processes."""

import asyncio
import contextlib
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic


@dataclass(slots=True)
class Stage:
    """A source topic with its two results, its group, and clients of their own."""

    broker: str
    producer: AIOKafkaProducer
    partitions: int
    source: str = field(default_factory=lambda: f"t-{uuid.uuid4().hex[:8]}")

    @property
    def group(self) -> str:
        """The consumer group of this stage."""
        return f"g-{self.source}"

    async def send(self, *values: bytes, partition: int | None = None) -> None:
        """Store records; the value is the key, so that they spread."""
        sent = [
            await self.producer.send(self.source, value, key=value, partition=partition)
            for value in values
        ]
        await asyncio.gather(*sent)

    @contextlib.asynccontextmanager
    async def results(self, suffix: str = "out") -> AsyncIterator["Results"]:
        """Collect a result topic from its beginning."""
        consumer = AIOKafkaConsumer(
            bootstrap_servers=self.broker, auto_offset_reset="earliest", fetch_max_wait_ms=5
        )
        await consumer.start()
        topic = f"{self.source}.{suffix}"
        consumer.assign([TopicPartition(topic, number) for number in range(self.partitions)])
        await consumer.seek_to_beginning()
        try:
            yield Results(consumer)
        finally:
            await consumer.stop()

    async def committed(self) -> dict[int, int]:
        """Return the group's committed offset of each source partition that has one."""
        consumer = AIOKafkaConsumer(bootstrap_servers=self.broker, group_id=self.group)
        await consumer.start()
        try:
            places = [TopicPartition(self.source, number) for number in range(self.partitions)]
            consumer.assign(places)
            found = {place.partition: await consumer.committed(place) for place in places}
        finally:
            await consumer.stop()
        return {number: offset for number, offset in found.items() if offset is not None}

    def worker(self, *, drain_s: float = 5.0, stuck_s: float = 20.0) -> "Worker":
        """Start a worker process."""
        return Worker(self.broker, self.group, self.source, str(drain_s), str(stuck_s))


@dataclass(slots=True)
class Results:
    """What arrived in a result topic, in the order of arrival."""

    consumer: AIOKafkaConsumer
    values: list[bytes] = field(default_factory=list)

    async def have(self, *wanted: bytes) -> bool:
        """Take in what arrived by now; tell whether all of these are among it."""
        for records in (await self.consumer.getmany(timeout_ms=20)).values():
            self.values += [record.value for record in records]
        return set(wanted) <= set(self.values)


@contextlib.asynccontextmanager
async def stage(broker: str, *, partitions: int = 1) -> AsyncIterator[Stage]:
    """Make the topics and a producer."""
    producer = AIOKafkaProducer(bootstrap_servers=broker, acks="all")
    made = Stage(broker, producer, partitions)
    admin = AIOKafkaAdminClient(bootstrap_servers=broker)
    await admin.start()
    names = [made.source, f"{made.source}.out", f"{made.source}.dead"]
    await admin.create_topics([NewTopic(name, partitions, 1) for name in names])
    await admin.close()
    await producer.start()
    try:
        yield made
    finally:
        await producer.stop()


class Worker:
    """A worker process; its log goes to the test's standard error."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "tests.integration.stream_echo", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603

    async def ready(self) -> None:
        """Wait until records flow."""
        await self.said("starting")
        await self.said("ready")

    async def said(self, word: str) -> None:
        """Wait for the next word that it prints."""
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line.decode().strip() == word, f"the worker ended with {self.process.wait()}"

    def signal(self, number: int) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    async def exit_code(self) -> int:
        """Wait for the end."""
        return await asyncio.to_thread(self.process.wait, 20)

    def close(self) -> None:
        """Leave nothing behind."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextlib.contextmanager
def closing(*workers: Worker) -> Iterator[None]:
    """End the workers after the block."""
    try:
        yield
    finally:
        for worker in workers:
            worker.close()
