"""
The producer of the slow path: what is stored is stored, however long the broker takes.

Nothing is sent any more once this process stood still for so long that others may have its
partitions; what the producer still holds then is dropped, also when it is closed. A record that was
on its way already may arrive all the same: the new owner sees to that (`workers.slow.standing`).
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError
from aiokafka.protocol.produce import ProduceRequest

from topics.codec import encode
from workers.errors import BrokerUnavailable
from workers.letters import letter_of, note_letter
from workers.publish import new_producer
from workers.slow.errors import OwnershipLost
from workers.slow.pulse import Pulse
from workers.slow.standing import Place
from workers.stream.consume import Record
from workers.stream.produce import broker_errors
from workers.stream.settings import StreamSettings

_log = logging.getLogger(__name__)

#: Pauses before the next tries while the broker takes nothing, seconds; the last one is repeated.
PAUSES_S = (0.1, 0.5, 1.0)


class Outbox:
    """Stores records, one after the other as they are given."""

    def __init__(
        self, producer: AIOKafkaProducer, pulse: Pulse, *, produce_s: float, letters: str
    ) -> None:
        self._producer = producer
        self._pulse = pulse
        self._produce_s = produce_s
        self._letters = letters

    async def store(self, topic: str, *, key: bytes | None, value: bytes | None) -> Place:
        """
        Store one record, trying for as long as the broker does not take it.

        Args:
            topic: full name.
            key: decides the partition.
            value: the record; None deletes the key from a compacted topic.

        Returns:
            Where it lies.

        Raises:
            RecordRefused: it can never be stored.
            OwnershipLost: the partitions may be another worker's by now.

        """
        tries = 0
        while True:
            self._pulse.check()
            try:
                with broker_errors():
                    async with asyncio.timeout(self._produce_s):
                        stored = await (await self._producer.send(topic, value, key=key))
            except BrokerUnavailable:
                _log.warning("broker_unavailable_record_waits", extra={"topic": topic})
                await asyncio.sleep(PAUSES_S[min(tries, len(PAUSES_S) - 1)])
                tries += 1
            else:
                return Place(stored.partition, stored.offset)

    async def refuse(self, record: Record, reason: str, fault: str) -> None:
        """
        Publish that a record cannot be used: where it lies, not what it holds.

        What is read here is not masked yet, so it is not stored a second time.

        Raises:
            OwnershipLost: the partitions may be another worker's by now.

        """
        letter = letter_of(record, reason)
        bare = replace(letter, value_base64=None, key_base64=None, value_truncated=True)
        await self.store(self._letters, key=None, value=encode(bare))
        note_letter(record, fault)


@asynccontextmanager
async def open_outbox(
    stream: StreamSettings, pulse: Pulse, *, letters: str
) -> AsyncIterator[Outbox]:
    """
    Connect a producer, and flush and close it at the end.

    Raises:
        BrokerUnavailable: Kafka did not answer at the start.

    """
    producer = new_producer(stream)
    _fence(producer, pulse)
    with broker_errors():
        await producer.start()
    try:
        yield Outbox(producer, pulse, produce_s=stream.produce_s, letters=letters)
    finally:
        with broker_errors():
            await producer.stop()


class _Fenced(KafkaError):  # type: ignore[misc]
    """What the producer holds is not sent any more; it is not to try again."""

    retriable = False


def _fence(producer: AIOKafkaProducer, pulse: Pulse) -> None:
    """Let records pass to the network only while the partitions can still be ours."""
    send = producer.client.send

    async def checked(node_id: int, request: Any, **how: Any) -> Any:
        # Nothing is awaited between this look and the writing, while the connection stands.
        if isinstance(request, ProduceRequest):
            try:
                pulse.check()
            except OwnershipLost as error:
                raise _Fenced from error
        return await send(node_id, request, **how)

    producer.client.send = checked
