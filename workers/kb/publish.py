"""Entries and their deletions onto `kb.entries`, each stored before we say so."""

from collections.abc import Sequence

from models.kb import Tombstone
from topics.codec import encode
from topics.entry import KbEntry
from topics.names import ENTRIES, pair_key
from workers.admin import connection, need_topics
from workers.publish import publish
from workers.settings import Settings
from workers.stream.settings import stream_settings


async def publish_entries(settings: Settings, changes: Sequence[KbEntry | Tombstone]) -> None:
    """
    Publish changes; what was stored before a failure stays, and all may be published again.

    Raises:
        SettingsError: the topic does not exist.
        BrokerUnavailable: Kafka did not take a record in time.
        RecordRefused: Kafka takes no record of this size.
    """
    await need_topics(connection(settings), prefix=settings.prefix, topics=(ENTRIES,))
    stream = stream_settings(settings, client_id="turngate-kb")
    records = [
        (
            pair_key(change.tenant_id, change.entry_id),
            None if isinstance(change, Tombstone) else encode(change),
        )
        for change in changes
    ]
    await publish(stream, settings.prefix + ENTRIES.name, records)
