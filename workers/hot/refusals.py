"""Refused records of topics that no agent reads, kept until the producer takes them."""

import asyncio
import logging

from topics.codec import DecodeError
from workers import metrics
from workers.errors import BrokerUnavailable
from workers.hot.dead_letters import DeadLetters
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: Refusals that may wait; a compacted topic with more bad records than this is somebody's accident.
_BOUND = 1_000
#: Pause before the next try while the broker takes nothing, seconds.
_PAUSE_S = 1.0


class Refusals:
    """A bounded queue of dead letters to be."""

    def __init__(self) -> None:
        self._waiting: asyncio.Queue[tuple[Record, DecodeError]] = asyncio.Queue(_BOUND)

    def put(self, record: Record, error: DecodeError) -> None:
        """Queue a refused record; beyond the bound it is only logged, and still on its topic."""
        try:
            self._waiting.put_nowait((record, error))
        except asyncio.QueueFull:
            metrics.DEAD_LETTERS_DROPPED.inc()
            _log.error(
                "dead_letter_dropped", extra={"topic": record.topic, "offset": record.offset}
            )

    async def publish(self, dead_letters: DeadLetters) -> None:
        """Publish them as they come; runs for ever."""
        while True:
            record, error = await self._waiting.get()
            try:
                await dead_letters.refuse(record, error)
            except BrokerUnavailable:
                self.put(record, error)
                await asyncio.sleep(_PAUSE_S)
