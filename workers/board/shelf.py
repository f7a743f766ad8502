"""What the board holds in memory of two topics: the latest of each gap, and what search missed."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from topics.codec import DecodeError, Tombstone, decode_compacted
from topics.gap import Gap, GapMemory
from topics.names import REVIEWED
from topics.reviewed import ReviewedItem, ReviewResult
from workers.gaps import ordered
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: Questions that search did not answer which are held, the latest; a page of more helps nobody, and
#: one takes about 1 KB.
FAILURES = 5_000

E = TypeVar("E")


class GapShelf:
    """The latest record of each gap, without what only the slow worker needs of it."""

    def __init__(self) -> None:
        self._by_key: dict[bytes, Gap] = {}
        self._ordered: list[Gap] | None = None

    async def take(self, record: Record) -> None:
        """Take one record of `kb.gaps`; what is no gap is passed over."""
        gap = _read(Gap, record)
        if gap is None:
            return
        key = record.key or b""
        if isinstance(gap, Tombstone):
            self._by_key.pop(key, None)
        else:
            # The rest of the memory is as large as all that readers see.
            memory = GapMemory(actions=gap.memory.actions)
            self._by_key[key] = replace(gap, memory=memory)
        self._ordered = None

    def gaps(self) -> list[Gap]:
        """Return all gaps, the most asked first, merged ones last."""
        if self._ordered is None:
            self._ordered = ordered(self._by_key.values())
        return self._ordered

    def gap(self, gap_id: str) -> Gap | None:
        """Return a gap by its whole id."""
        named = self._by_key.get(gap_id.encode())
        if named is not None and named.gap_id == gap_id:
            return named
        return next((gap for gap in self._by_key.values() if gap.gap_id == gap_id), None)


class FailureShelf:
    """The latest questions whose answer the knowledge base holds and search did not bring."""

    def __init__(self, now_ms: Callable[[], int], *, most: int = FAILURES) -> None:
        self._now_ms = now_ms
        self._most = most
        self._items: dict[tuple[str, str, int], ReviewedItem] = {}

    async def take(self, record: Record) -> None:
        """Take one record of `kb.reviewed`; a question that was reviewed again counts once."""
        item = _read(ReviewedItem, record)
        if item is None or isinstance(item, Tombstone):
            return
        name = (item.tenant_id, item.call_id, item.seq)
        if item.result is not ReviewResult.NOT_RETRIEVED:
            self._items.pop(name, None)
            return
        self._items[name] = item
        # Partitions are read one after the other, so the oldest is not the first.
        if len(self._items) > 2 * self._most:
            self._items = {
                (one.tenant_id, one.call_id, one.seq): one for one in self.items()[: self._most]
            }

    def items(self) -> list[ReviewedItem]:
        """Return them, the latest first; none is older than its topic keeps records."""
        since_ms = self._now_ms() - REVIEWED.retention_ms
        kept = (one for one in self._items.values() if one.reviewed_at_ms >= since_ms)
        return sorted(kept, key=lambda one: -one.reviewed_at_ms)[: self._most]


def _read(event: type[E], record: Record) -> E | Tombstone | None:
    try:
        return decode_compacted(event, record.value)
    except DecodeError as error:
        _log.warning(
            "record_not_read",
            extra={"topic": record.topic, "offset": record.offset, "reason": error.reason},
        )
        return None
