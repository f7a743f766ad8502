"""
The one bounded queue of the slow path, in order of arrival.

A slot is taken before a record is: `room` says how many may be fetched, and when there is none the
partitions are paused. Nothing is ever dropped here; what is handed back is read again.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from topics.codec import DecodeError
from topics.gap_action import GapAction
from topics.review import ReviewItem
from workers import metrics
from workers.slow.review import Finding
from workers.stream.consume import Record

#: Name of the queue on its metrics.
QUEUE = "review"


@dataclass(slots=True, eq=False)
class Work:
    """One record and what is being made of it."""

    record: Record
    event: ReviewItem | GapAction | DecodeError
    #: The review of an item, which begins while others before it are not done.
    review: asyncio.Task[Finding] | None = None

    def drop(self) -> None:
        """Let go of it: it is read again."""
        if self.review is not None:
            self.review.cancel()


class Backlog:
    """Works in order of arrival, at most so many."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._works: deque[Work] = deque()
        self._changed = asyncio.Event()
        metrics.QUEUE_CAPACITY.labels(QUEUE).set(capacity)
        metrics.QUEUE.labels(QUEUE).set_function(lambda: float(len(self._works)))
        metrics.REVIEW_OLDEST_SECONDS.set_function(self._oldest_s)

    def __len__(self) -> int:
        """Return how many are in."""
        return len(self._works)

    def __iter__(self) -> Iterator[Work]:
        """Give them, the oldest first."""
        return iter(self._works)

    @property
    def room(self) -> int:
        """How many more may come."""
        return self._capacity - len(self._works)

    def put(self, work: Work) -> None:
        """
        Take a work in.

        Raises:
            OverflowError: there is no room; whoever fetches looks first.

        """
        if not self.room:
            raise OverflowError
        self._works.append(work)
        self._changed.set()

    async def first(self) -> Work:
        """Wait for the oldest work; it stays in until it is `done`."""
        while not self._works:
            self._changed.clear()
            await self._changed.wait()
        return self._works[0]

    def done(self, work: Work) -> None:
        """Take out the oldest work; one that was handed back meanwhile changes nothing."""
        if self._works and self._works[0] is work:
            self._works.popleft()

    def hand_back(self) -> int:
        """Let go of everything; returns how many works that were."""
        count = len(self._works)
        for work in self._works:
            work.drop()
        self._works.clear()
        return count

    def _oldest_s(self) -> float:
        if not self._works:
            return 0.0
        return max(0.0, time.time() - self._works[0].record.timestamp_ms / 1e3)
