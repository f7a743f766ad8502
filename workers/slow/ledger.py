"""
One tenant's gaps, and what is remembered of their wordings and items; made of the records alone.

A gap changes by a record that is stored first and put here then, so that what is here is what a
worker reads back that starts anew. Two records that belong together (a merge, a split) are stored
one after the other; where the second one is missing, `repaired` says what it would have been.
"""

from collections.abc import Iterator, Mapping, Sequence

from models.encoder import Vectors
from topics.gap import Gap
from workers.slow.gap import final, left_over, without
from workers.slow.marks import unpack, wording_mark
from workers.slow.shortlist import Shortlist


class Ledger:
    """The gaps of one tenant."""

    def __init__(self, dimension: int) -> None:
        self._gaps: dict[str, Gap] = {}
        self._wordings: dict[bytes, str] = {}
        self._items: dict[bytes, str] = {}
        #: By partition: offsets up to which items were counted, each with the latest time until it.
        self._counted: dict[int, list[tuple[int, int]]] = {}
        self._shortlist = Shortlist(dimension)

    def __len__(self) -> int:
        """Return how many gaps there are, merged ones left out."""
        return sum(1 for _ in self.gaps())

    @property
    def partitions(self) -> frozenset[int]:
        """Partitions of `kb.review` that the tenant's items came from: one, while none is added."""
        return frozenset(self._counted)

    def get(self, gap_id: str) -> Gap | None:
        """Return a gap's record; None where there is none."""
        return self._gaps.get(gap_id)

    def gaps(self) -> Iterator[Gap]:
        """Give every gap that was not merged into another."""
        return (gap for gap in self._gaps.values() if gap.merged_into is None)

    def final(self, gap_id: str) -> Gap | None:
        """Return the gap that an id stands for now, whatever it was merged into."""
        return final(self._gaps, gap_id)

    def of_wording(self, text: str) -> Gap | None:
        """Return the gap of a masked question that was asked before in just these words."""
        return self._at(self._wordings.get(wording_mark(text)))

    def of_item(self, mark: bytes) -> Gap | None:
        """Return the gap that an item was counted in, where it is remembered."""
        return self._at(self._items.get(mark))

    def has_counted(self, partition: int, offset: int, recorded_at_ms: int) -> bool:
        """
        Tell whether a record is one that was counted before, or passed by as none of a gap.

        An offset alone does not tell: the topic may have been made anew.
        """
        return any(
            offset <= counted and recorded_at_ms <= latest
            for counted, latest in self._counted.get(partition, ())
        )

    def latest_ms(self, partition: int) -> int:
        """Return the latest record time of the items that were counted."""
        return max((latest for _, latest in self._counted.get(partition, ())), default=0)

    def unknown(self, gap: Gap) -> list[str]:
        """Return the texts of a gap's wordings whose vectors are not here."""
        texts = [member.text for member in gap.memory.members]
        return [text for text in texts if self._shortlist.vector(gap.gap_id, text) is None]

    def vectors(self, gap: Gap) -> dict[str, Vectors]:
        """Return the vectors of a gap's wordings that are here, by text."""
        found = {
            member.text: self._shortlist.vector(gap.gap_id, member.text)
            for member in gap.memory.members
        }
        return {text: vector.copy() for text, vector in found.items() if vector is not None}

    def near(self, vector: Vectors, language: str) -> dict[str, float]:
        """Find the gaps that a question may belong to, with their cosines, nearest first."""
        return self._shortlist.near(vector, language)

    def put(self, gap: Gap, new: Mapping[str, Vectors]) -> None:
        """
        Set a gap's record.

        Args:
            gap: the record, as it is stored.
            new: vectors of the wordings that `unknown` names, by text.

        """
        self._forget(gap)
        self._gaps[gap.gap_id] = gap
        for mark in _wordings(gap):
            self._wordings[mark] = gap.gap_id
        for mark in unpack(gap.memory.items):
            self._items[mark] = gap.gap_id
        self._note(gap)
        self._shortlist.put(
            gap.gap_id, [(one.text, one.language) for one in gap.memory.members], new
        )

    def _at(self, gap_id: str | None) -> Gap | None:
        return None if gap_id is None else self.final(gap_id)

    def _forget(self, gap: Gap) -> None:
        before = self._gaps.get(gap.gap_id)
        if before is None:
            return
        for table, now, then in (
            (self._wordings, _wordings(gap), _wordings(before)),
            (self._items, unpack(gap.memory.items), unpack(before.memory.items)),
        ):
            for mark in set(then) - set(now):
                if table.get(mark) == gap.gap_id:
                    del table[mark]

    def _note(self, gap: Gap) -> None:
        memory = gap.memory
        pairs = {*self._counted.get(memory.partition, ()), (memory.offset, memory.recorded_at_ms)}
        self._counted[memory.partition] = [
            one
            for one in pairs
            if not any(
                other != one and other[0] >= one[0] and other[1] >= one[1] for other in pairs
            )
        ]


def repaired(gaps: Sequence[Gap]) -> list[Gap]:
    """
    Finish merges and splits of which only the first record was stored.

    Args:
        gaps: all records of one tenant.

    Returns:
        The records that are to be stored in their place.

    """
    by_id = {gap.gap_id: gap for gap in gaps}
    changed: dict[str, Gap] = {}
    for gap in gaps:
        for absorbed in gap.merged_from if gap.merged_into is None else ():
            other = by_id.get(absorbed)
            if other is not None and other.merged_into is None:
                changed[absorbed] = left_over(other, gap.gap_id)
    for child in gaps:
        parent = by_id.get(child.split_from or "")
        if parent is None or {parent.gap_id, child.gap_id} & changed.keys():
            continue
        if child.merged_into is not None:
            continue
        if parent.merged_into is None and _overlap(parent, child):
            changed[parent.gap_id] = by_id[parent.gap_id] = without(parent, child)
    return list(changed.values())


def _wordings(gap: Gap) -> list[bytes]:
    """Marks of all wordings that are remembered; those that are kept as text are, in any case."""
    return [
        *unpack(gap.memory.wordings),
        *(wording_mark(member.text) for member in gap.memory.members),
    ]


def _overlap(one: Gap, other: Gap) -> bool:
    return not set(unpack(one.memory.wordings)).isdisjoint(unpack(other.memory.wordings))
