"""Entries and their deletions onto `kb.entries`, each stored before we say so."""

import asyncio
from collections.abc import Sequence

from aiokafka import AIOKafkaProducer

from models.kb import Tombstone
from topics.codec import encode
from topics.entry import KbEntry
from topics.names import ENTRIES, pair_key
from workers.admin import check_topics, connection
from workers.errors import SettingsError
from workers.kafka import security_options
from workers.settings import Settings
from workers.stream.produce import broker_errors
from workers.stream.settings import stream_settings

#: Records that are under way at once.
_UNDER_WAY = 200


async def publish(settings: Settings, changes: Sequence[KbEntry | Tombstone]) -> None:
    """
    Publish changes; what was stored before a failure stays, and all may be published again.

    Raises:
        SettingsError: the topic does not exist.
        BrokerUnavailable: Kafka did not take a record in time.
        RecordRefused: Kafka takes no record of this size.
    """
    problems = await check_topics(connection(settings), prefix=settings.prefix, topics=(ENTRIES,))
    if problems:
        raise SettingsError("; ".join(problems))
    stream = stream_settings(settings, client_id="turngate-kb")
    producer = AIOKafkaProducer(
        bootstrap_servers=stream.brokers,
        client_id=stream.client_id,
        acks="all",
        request_timeout_ms=int(stream.produce_s * 1e3),
        **security_options(stream.security),
    )
    topic = settings.prefix + ENTRIES.name
    with broker_errors():
        try:
            await producer.start()
            for start in range(0, len(changes), _UNDER_WAY):
                stored = [
                    await producer.send(
                        topic,
                        None if isinstance(change, Tombstone) else encode(change),
                        key=pair_key(change.tenant_id, change.entry_id),
                    )
                    for change in changes[start : start + _UNDER_WAY]
                ]
                async with asyncio.timeout(2 * stream.produce_s):
                    await asyncio.gather(*stored)
        finally:
            await producer.stop()
