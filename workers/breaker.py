"""A circuit breaker: after some failures in a row nobody asks until a probe has succeeded."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from workers.errors import EdgeError

_log = logging.getLogger(__name__)


class Breaker:
    """
    Closed, it counts failures in a row; open, it refuses at once.

    Only `watch`, which runs beside the hot path, closes it again: no caller ever pays for a probe.
    """

    def __init__(self, *, name: str, failures: int, probe_every_s: float) -> None:
        self._name = name
        self._limit = failures
        self._probe_every_s = probe_every_s
        self._in_a_row = 0
        self._opened = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether callers are refused."""
        return self._opened.is_set()

    def succeeded(self) -> None:
        """Note a success."""
        self._in_a_row = 0

    def failed(self) -> None:
        """Note a failure; the last of too many in a row opens the breaker."""
        self._in_a_row += 1
        if self._in_a_row >= self._limit and not self.is_open:
            self._opened.set()
            _log.error("breaker_opened", extra={"breaker": self._name})

    async def watch(self, probe: Callable[[], Awaitable[object]]) -> None:
        """Probe while open, close after the first probe without EdgeError; runs for ever."""
        while True:
            await self._opened.wait()
            await asyncio.sleep(self._probe_every_s)
            try:
                await probe()
            except EdgeError:
                continue
            self._in_a_row = 0
            self._opened.clear()
            _log.info("breaker_closed", extra={"breaker": self._name})
