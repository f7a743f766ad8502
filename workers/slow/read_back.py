"""Reads `kb.gaps` from its beginning: what the worker knows, it knows from there."""

import asyncio
import logging

from topics.codec import DecodeError, Tombstone, decode_compacted
from topics.gap import Gap
from workers.compacted import follow
from workers.errors import BrokerUnavailable
from workers.stream.consume import Record
from workers.stream.settings import StreamSettings

_log = logging.getLogger(__name__)

#: Pause before the next try while the broker does not answer, seconds.
_PAUSE_S = 1.0


async def read_gaps(stream: StreamSettings, topic: str) -> list[Gap]:
    """
    Read the latest record of every gap.

    A record that is no gap is passed over and logged: a gap of its key may be counted anew.

    Raises:
        BrokerUnavailable: the topic could not be read in time.

    """
    gaps: dict[bytes, Gap] = {}

    async def take(record: Record) -> None:
        key = record.key or b""
        try:
            gap = decode_compacted(Gap, record.value)
        except DecodeError as error:
            _log.error("gap_not_read", extra={"offset": record.offset, "reason": error.reason})
            return
        if isinstance(gap, Tombstone):
            gaps.pop(key, None)
        else:
            gaps[key] = gap

    async with follow(stream, topic, take):
        pass
    return list(gaps.values())


async def read_gaps_at_last(stream: StreamSettings, topic: str) -> list[Gap]:
    """Read the latest record of every gap, trying until the broker gives all of them."""
    while True:
        try:
            return await read_gaps(stream, topic)
        except BrokerUnavailable as error:
            _log.warning("gaps_not_read", extra={"error": str(error)})
            await asyncio.sleep(_PAUSE_S)
