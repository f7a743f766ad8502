"""
Which record of each gap is to be the last one on `kb.gaps`: the one that its owner stored last.

A worker that was frozen may, when it wakes up, send the one record that was on its way. That one is
older than what the new owner has stored since, but readers, and compaction, take it for the latest.
So the owner reads the topic on, and what is not its own it finds here.
"""

from collections import Counter
from dataclasses import dataclass

from workers.stream.consume import Record


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record lies on its topic."""

    partition: int
    offset: int


class Standing:
    """What we have stored since the gaps were read back, and what was seen on the topic since."""

    def __init__(self) -> None:
        self._stored: dict[bytes, Place] = {}
        self._seen: dict[tuple[int, bytes], Record] = {}
        self._again: Counter[bytes] = Counter()

    def begin(self) -> None:
        """Begin anew: the gaps are read back."""
        self._stored.clear()
        self._seen.clear()
        self._again.clear()

    def stored(self, key: bytes, place: Place) -> None:
        """Note where our latest record of a gap lies."""
        self._stored[key] = place

    def again(self, key: bytes) -> int:
        """Count that a record of a gap was foreign; returns how often since the gaps were read."""
        self._again[key] += 1
        return self._again[key]

    def see(self, record: Record) -> None:
        """Note a record that came after all that was read back; only the last of a gap counts."""
        self._seen[record.partition, record.key or b""] = record

    def __len__(self) -> int:
        """Return of how many gaps records are to be looked at."""
        return len(self._seen)

    def foreign(self) -> list[Record]:
        """
        Take out what was seen; return the records that another worker has put after ours.

        To be called while nothing is being stored: where our record lies is known only then.
        """
        seen, self._seen = self._seen, {}
        return [record for record in seen.values() if self._is_foreign(record)]

    def _is_foreign(self, record: Record) -> bool:
        ours = self._stored.get(record.key or b"")
        # Records of two partitions have no order, and ours will never stand in the other one.
        return ours is None or (ours.partition == record.partition and ours.offset < record.offset)
