"""Reads `kb.gaps` from its beginning: what the worker knows, it knows from there; and then on."""

import asyncio
import logging

from topics.codec import DecodeError, Tombstone, decode_compacted
from topics.gap import Gap
from workers.compacted import follow
from workers.errors import BrokerUnavailable
from workers.slow.standing import Standing
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
        _keep(gaps, record)

    async with follow(stream, topic, take):
        pass
    return list(gaps.values())


class GapsTopic:
    """The records of all gaps: read from the beginning when asked to, and followed from there."""

    def __init__(self, stream: StreamSettings, topic: str, standing: Standing) -> None:
        self._stream = stream
        self._topic = topic
        self._standing = standing
        self._asked = asyncio.Event()
        self._found: asyncio.Future[list[Gap]] = asyncio.Future()

    async def read_back(self) -> list[Gap]:
        """Read the latest record of every gap, trying until the broker gives all of them."""
        self._found = asyncio.Future()
        self._asked.set()
        gaps = await self._found
        self._found = asyncio.Future()  # what was read is the caller's, and not kept here
        return gaps

    async def keep_reading(self) -> None:
        """Do what is asked for; runs for ever."""
        while True:
            await self._asked.wait()
            try:
                await self._read_on()
            except BrokerUnavailable as error:
                _log.warning("gaps_not_read", extra={"error": str(error)})
                await asyncio.sleep(_PAUSE_S)

    async def _read_on(self) -> None:
        """Read everything and say so, and go on until somebody asks again."""
        gaps: dict[bytes, Gap] = {}
        whole = False

        async def take(record: Record) -> None:
            if whole:
                self._standing.see(record)
            else:
                _keep(gaps, record)

        async with follow(self._stream, self._topic, take):
            whole = True
            self._standing.begin()
            self._asked.clear()
            if not self._found.done():
                self._found.set_result(list(gaps.values()))
            gaps.clear()
            await self._asked.wait()


def _keep(gaps: dict[bytes, Gap], record: Record) -> None:
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
