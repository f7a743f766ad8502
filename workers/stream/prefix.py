"""
Which offset may be committed: the one after the longest run of handled records.

The run is kept in the order in which records were fetched, not by counting offsets, so holes in a
partition (compaction, transaction markers) do not stop it.
"""

import time
from collections import deque
from collections.abc import Mapping
from typing import Protocol

from faust.types import TP


class Fetched(Protocol):
    """A record on its way through the worker."""

    #: Where it lies.
    tp: TP
    offset: int
    #: When it was fetched, seconds on `time.monotonic()`.
    fetched_s: float
    #: Whether it may be passed; set here and nowhere else.
    handled: bool


class _Partition:
    """The records of one partition that were fetched and are not yet behind the run."""

    __slots__ = ("committed", "next_offset", "uncommitted_since_s", "waiting")

    def __init__(self) -> None:
        self.waiting: deque[Fetched] = deque()
        #: Offset after the run of handled records; None until the first one is handled.
        self.next_offset: int | None = None
        self.committed: int | None = None
        #: When the run first got ahead of the last commit, seconds on `time.monotonic()`.
        self.uncommitted_since_s: float | None = None

    def add(self, record: Fetched) -> None:
        if self.waiting and record.offset <= self.waiting[-1].offset:
            # The position was set back. Everything from here on is delivered again, so the run may
            # start anew at this record; the old one could pass a record of a new log.
            self.waiting.clear()
        self.waiting.append(record)

    def advance(self, now_s: float) -> None:
        while self.waiting and self.waiting[0].handled:
            self.next_offset = self.waiting.popleft().offset + 1
            if self.uncommitted_since_s is None:
                self.uncommitted_since_s = now_s

    def commit(self, offset: int) -> None:
        self.committed = offset
        if offset == self.next_offset:
            self.uncommitted_since_s = None


class HandledPrefix:
    """The run of handled records of every partition that is ours; for the event loop only."""

    def __init__(self) -> None:
        self._partitions: dict[TP, _Partition] = {}
        #: When a commit last succeeded, seconds on `time.monotonic()`.
        self.last_commit_s: float | None = None

    def fetched(self, record: Fetched) -> None:
        """Note that a record is about to be given to an agent."""
        self._partitions.setdefault(record.tp, _Partition()).add(record)

    def handled(self, record: Fetched) -> None:
        """Note that a record is done with; one of a partition since lost changes nothing."""
        record.handled = True
        partition = self._partitions.get(record.tp)
        if partition is not None:
            partition.advance(time.monotonic())

    def committable(self) -> dict[TP, int]:
        """Return what there is to commit: the next offset to read of each partition that moved."""
        return {
            tp: partition.next_offset
            for tp, partition in self._partitions.items()
            if partition.next_offset is not None and partition.next_offset != partition.committed
        }

    def committed(self, offsets: Mapping[TP, int]) -> None:
        """Note that the broker took these offsets."""
        self.last_commit_s = time.monotonic()
        for tp, offset in offsets.items():
            if tp in self._partitions:
                self._partitions[tp].commit(offset)

    def clear(self) -> None:
        """Forget everything: partitions were revoked, and what was not committed comes again."""
        self._partitions.clear()

    def next_of(self, tp: TP) -> int | None:
        """Return the offset of the first record that is not handled; None while none is known."""
        partition = self._partitions.get(tp)
        if partition is None:
            return None
        return partition.waiting[0].offset if partition.waiting else partition.next_offset

    def oldest_of(self, tp: TP) -> Fetched | None:
        """Return the oldest record of a partition that was fetched and is not behind the run."""
        partition = self._partitions.get(tp)
        return partition.waiting[0] if partition is not None and partition.waiting else None

    def unhandled_of(self, topic: str) -> int:
        """Return how many records of a topic were fetched and are not behind the run."""
        return sum(len(part.waiting) for tp, part in self._partitions.items() if tp.topic == topic)

    @property
    def unhandled(self) -> int:
        """How many records were fetched and are not behind the run."""
        return sum(len(partition.waiting) for partition in self._partitions.values())

    @property
    def unhandled_since_s(self) -> float | None:
        """When the oldest of them was fetched, seconds on `time.monotonic()`."""
        starts = [part.waiting[0].fetched_s for part in self._partitions.values() if part.waiting]
        return min(starts, default=None)

    @property
    def uncommitted_since_s(self) -> float | None:
        """Since when handled records wait for a commit, seconds on `time.monotonic()`."""
        starts = [part.uncommitted_since_s for part in self._partitions.values()]
        return min((start for start in starts if start is not None), default=None)
