"""Records, and a publisher that keeps what it is given."""

import time
from typing import Any

from topics.codec import encode
from workers.errors import BrokerUnavailable
from workers.stream.consume import Record


def make_record(value: bytes | object | None = b"{}", **overrides) -> Record:
    """Make a record that was fetched just now; an event is encoded."""
    raw = value if value is None or isinstance(value, bytes) else encode(value)
    fields: dict[str, Any] = {
        "topic": "turn.utterances",
        "partition": 0,
        "offset": 7,
        "timestamp_ms": int(time.time() * 1e3),
        "key": b"call",
        "value": raw,
        "fetched_s": time.monotonic(),
    } | overrides
    return Record(**fields)


class MemoryPublisher:
    """Keeps (topic, key, value) of every record; `down` makes it fail."""

    def __init__(self) -> None:
        self.records: list[tuple[str, bytes | None, bytes | None]] = []
        self.down = False

    async def publish(self, topic: str, *, key: bytes | None, value: bytes | None) -> None:
        """Keep one record."""
        if self.down:
            raise BrokerUnavailable("down")
        self.records.append((topic, key, value))

    def on(self, topic: str) -> list[bytes | None]:
        """Return the values of one topic."""
        return [value for name, _, value in self.records if name == topic]
