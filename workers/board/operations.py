"""The operations page: what the workers measure, and what the broker says of their groups."""

import asyncio
import time
from dataclasses import replace
from typing import Any

from workers.admin import connection
from workers.board import figures
from workers.board.scrape import Scraper
from workers.errors import WorkerError
from workers.lag import GroupLag, read_lag, readers
from workers.settings import Settings

#: How long the broker may take over the groups' lag, seconds.
_LAG_S = 6.0
#: How long an answer of the broker is used again, seconds: looking costs it some work.
_FRESH_S = 5.0


class Operations:
    """Gathers the page's figures."""

    def __init__(self, settings: Settings) -> None:
        named = (one.strip() for one in settings.board_workers.split(","))
        self.scraper = Scraper(one for one in named if one)
        self._readers = readers(settings)
        self._broker = replace(connection(settings), limit_s=_LAG_S)
        self._asking = asyncio.Lock()
        self._asked_s = float("-inf")
        self._groups: tuple[GroupLag, ...] = ()
        self._failed: str | None = None

    async def values(self) -> dict[str, Any]:
        """Gather what the page shows."""
        await self._ask()
        watched = self.scraper.workers
        lately = figures.added(worker.lately() for worker in watched)
        ever = figures.added(worker.latest for worker in watched)
        return {
            "workers": [figures.worker(one) for one in watched],
            "span_s": max((one.span_s() for one in watched), default=0.0),
            "lately": figures.shares(lately),
            "ever": figures.shares(ever),
            "times": figures.times(lately),
            "times_ever": figures.times(ever),
            "lags": figures.lags(watched),
            "groups": self._groups,
            "groups_failed": self._failed,
        }

    async def _ask(self) -> None:
        async with self._asking:
            if time.monotonic() < self._asked_s + _FRESH_S:
                return
            try:
                self._groups, self._failed = await read_lag(self._broker, self._readers), None
            except WorkerError as error:
                self._groups, self._failed = (), str(error)
            self._asked_s = time.monotonic()
