"""The events that handlers work on at this moment."""

import asyncio
import contextlib
import time
from collections.abc import Iterator


class InHand:
    """Counts and times the events that were given to a handler and are not back."""

    def __init__(self) -> None:
        self._since_s: dict[object, float] = {}
        self._empty = asyncio.Event()
        self._empty.set()

    @contextlib.contextmanager
    def one(self) -> Iterator[None]:
        """Hold one event for the time of the block."""
        token = object()
        self._since_s[token] = time.monotonic()
        self._empty.clear()
        try:
            yield
        finally:
            del self._since_s[token]
            if not self._since_s:
                self._empty.set()

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._since_s)

    @property
    def since_s(self) -> float | None:
        """When the oldest was given to its handler, seconds on `time.monotonic()`."""
        return min(self._since_s.values(), default=None)

    async def wait_empty(self, limit_s: float) -> bool:
        """Wait until there is none; tell whether that was reached within `limit_s`."""
        try:
            async with asyncio.timeout(limit_s):
                await self._empty.wait()
        except TimeoutError:
            return False
        return True
