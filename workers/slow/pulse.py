"""
Knows when this process stood still: frozen, paused, or its event loop blocked.

The group gives the partitions of a silent member to another. A member that wakes up then must store
nothing any more: it would put what it knew over what the new owner has counted since.
"""

import asyncio
import time

from workers.slow.errors import OwnershipLost

#: How often the pulse beats, seconds.
_EVERY_S = 0.25
#: Share of the group's session after which a standstill is one that others may have noticed.
_SHARE = 0.7


class Pulse:
    """Beats while the event loop runs."""

    def __init__(self, session_s: float) -> None:
        self._limit_s = _SHARE * session_s
        self._last_s = time.monotonic()
        self._lost = False

    def lose(self) -> None:
        """Say that the partitions are another worker's, whatever is in hand here."""
        self._lost = True

    async def beat(self) -> None:
        """
        Beat; runs for ever.

        Raises:
            OwnershipLost: the process stood still for too long.

        """
        self._last_s = time.monotonic()
        while True:
            await asyncio.sleep(_EVERY_S)
            self.check()
            self._last_s = time.monotonic()

    def check(self) -> None:
        """
        Make sure that the partitions can still be ours; call it before something is stored.

        Raises:
            OwnershipLost: the process stood still for too long.

        """
        # Once lost, it stays lost: whichever of us runs first after a standstill may see it.
        self._lost = self._lost or time.monotonic() - self._last_s > self._limit_s
        if self._lost:
            raise OwnershipLost
