"""
Keeps the board's shelves full: both topics are read from their beginning and followed.

A consumer does not say that its broker is away, so the broker is asked every few seconds. When it
is back, everything is read anew: an embedded broker that was restarted holds other records.
"""

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from dataclasses import replace

from topics.names import GAP_ACTIONS, GAPS, REVIEWED
from workers.admin import connection, need_topics
from workers.board.shelf import FailureShelf, GapShelf
from workers.compacted import follow
from workers.errors import EdgeError, SettingsError
from workers.settings import Settings
from workers.stream.settings import stream_settings

_log = logging.getLogger(__name__)

#: How often the broker is asked whether it is there, seconds.
_ASK_S = 2.0
#: How long its answer may take, seconds.
_ANSWER_S = 5.0
#: Pause before the next try while it is away, seconds.
_PAUSE_S = 1.0
#: How long the first reading of a topic may take, seconds: 30 days of reviewed questions are many,
#: and nobody waits for a turn.
_FIRST_READING_S = 600.0
_NEEDED = (GAPS, GAP_ACTIONS, REVIEWED)
_READING = "the topics are still being read"


class Source:
    """What the board knows, and why it may be old."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stream = stream_settings(settings, client_id="turngate-board")
        self._broker = replace(connection(settings), limit_s=_ANSWER_S)
        self.gaps = GapShelf()
        self.failures = FailureShelf(_now_ms)
        #: Why what is shown may be old, a sentence; None while both topics are followed.
        self.away: str | None = _READING

    async def keep_up(self) -> None:
        """Read, follow, and begin anew when the broker was away; runs until it is cancelled."""
        while True:
            try:
                await self._read_and_follow()
            except (EdgeError, SettingsError) as error:
                if self.away is None or self.away == _READING:
                    _log.error("broker_away", extra={"error": type(error).__name__})
                self.away = str(error)
            await asyncio.sleep(_PAUSE_S)

    async def _read_and_follow(self) -> None:
        await self._ask()
        gaps, failures = GapShelf(), FailureShelf(_now_ms)
        async with AsyncExitStack() as opened:
            for topic, take in ((GAPS, gaps.take), (REVIEWED, failures.take)):
                name = self._settings.prefix + topic.name
                following = follow(self._stream, name, take, first_reading_s=_FIRST_READING_S)
                await opened.enter_async_context(following)
            self.gaps, self.failures, self.away = gaps, failures, None
            _log.info("topics_read", extra={"gaps": len(gaps.gaps())})
            while True:
                await asyncio.sleep(_ASK_S)
                await self._ask()

    async def _ask(self) -> None:
        await need_topics(self._broker, prefix=self._settings.prefix, topics=_NEEDED)


def _now_ms() -> int:
    return int(time.time() * 1e3)
