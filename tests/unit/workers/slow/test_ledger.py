"""One tenant's gaps."""

from dataclasses import replace

import numpy as np

from tests.fakes.slow import NOON_MS, make_asked
from tests.unit.workers.slow.test_gap import gap_of
from workers.slow.gap import WORDINGS, counted, merged, split
from workers.slow.ledger import Ledger, repaired
from workers.slow.marks import item_mark

VECTOR = np.array([1, 0, 0, 0], np.float32)


def ledger_of(*gaps) -> Ledger:
    """Make a ledger; all wordings have one vector."""
    ledger = Ledger(4)
    for gap in gaps:
        put(ledger, gap)
    return ledger


def put(ledger, gap) -> None:
    """Put a gap, with the vectors that it needs."""
    ledger.put(gap, dict.fromkeys(ledger.unknown(gap), VECTOR))


def test_wordings_and_items_lead_to_their_gap():
    """What was asked or counted before is found, and nothing else."""
    ledger = ledger_of(gap_of("a", "b"), gap_of("c", gap_id="h", first=9))

    assert ledger.of_wording("B?").gap_id == "g"
    assert ledger.of_item(item_mark("t", "call 9", 0)).gap_id == "h"
    assert ledger.of_wording("d") is None
    assert ledger.of_item(item_mark("other", "call 9", 0)) is None


def test_popular_wording_is_never_forgotten():
    """However many wordings a gap has had since, what is kept as text leads to it."""
    gap = gap_of("a", "a", *(f"question {number}" for number in range(WORDINGS + 5)))
    ledger = ledger_of(gap)

    assert ledger.of_wording("A!").gap_id == "g"
    assert ledger.of_wording("question 900").gap_id == "g"


def test_merged_gap_leads_on():
    """Ids, wordings and items of a gap that was merged, twice, lead to the last one."""
    one, two, three = (gap_of(name, gap_id=name, first=ord(name)) for name in "abc")
    ledger = ledger_of(one, two, three)
    for into, gap in ((two, one), (three, two)):
        whole, left = merged(ledger.get(into.gap_id), ledger.get(gap.gap_id))
        put(ledger, whole)
        put(ledger, left)

    assert ledger.final("a").gap_id == ledger.of_wording("a").gap_id == "c"
    assert ledger.of_item(item_mark("t", f"call {ord('a')}", 0)).gap_id == "c"
    assert [gap.gap_id for gap in ledger.gaps()] == ["c"]
    assert ledger.final("c").count == 3


def test_circle_of_merges_ends():
    """Records that somebody broke do not hang the worker."""
    ledger = ledger_of(
        replace(gap_of("a", gap_id="a"), merged_into="b"),
        replace(gap_of("b", gap_id="b"), merged_into="a"),
    )

    assert ledger.final("a") is None


def test_repetition_is_known_by_place_and_time():
    """A record before the last one counted is a repetition; one of a topic made anew is not."""
    ledger = ledger_of(gap_of("a", first=40))

    assert ledger.has_counted(0, 40, NOON_MS + 40)
    assert ledger.has_counted(0, 12, NOON_MS + 12)
    assert not ledger.has_counted(0, 41, NOON_MS + 41)
    assert not ledger.has_counted(1, 12, NOON_MS + 12)
    assert not ledger.has_counted(0, 12, NOON_MS + 1_000)


def test_places_of_an_old_topic_do_not_grow():
    """What an earlier place says already is not remembered beside it."""
    gap = gap_of("a")
    ledger = ledger_of(gap)
    for number in range(1, 50):
        gap = counted(gap, make_asked("a", number))
        put(ledger, gap)

    assert len(ledger._counted[0]) == 1


def test_split_wording_leads_to_its_own_gap():
    """After a split, and in whatever order records are read back, the wording is the new one's."""
    gap = gap_of("a", "b")
    child, parent = split(gap, "b")
    live = ledger_of(gap)
    put(live, child)
    put(live, parent)

    assert live.of_wording("b").gap_id == child.gap_id
    assert live.of_wording("a").gap_id == "g"


class TestRepaired:
    def test_merge_that_was_cut_short_is_finished(self):
        """The first record of a merge is enough."""
        one, other = gap_of("a"), gap_of("b", gap_id="h", first=9)
        whole, left = merged(one, other)

        assert repaired([whole, other]) == [left]
        assert repaired([whole, left]) == []

    def test_split_that_was_cut_short_is_finished(self):
        """The first record of a split is enough."""
        gap = gap_of("a", "b", "b")
        child, parent = split(gap, "b")

        assert repaired([gap, child]) == [parent]
        assert repaired([parent, child]) == []

    def test_split_that_was_merged_back_is_left_alone(self):
        """What was split off and merged again belongs where it is."""
        child, parent = split(gap_of("a", "b"), "b")
        whole, left = merged(parent, child)

        assert repaired([whole, left]) == []
        assert repaired([whole, child]) == [left]
