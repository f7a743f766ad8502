"""Tests of the commit rule."""

from dataclasses import dataclass

import pytest
from faust.types import TP

from workers.stream.prefix import HandledPrefix

A = TP("a", 0)
B = TP("b", 0)


@dataclass
class Fetched:
    """A record as the prefix sees it."""

    offset: int
    tp: TP = A
    fetched_s: float = 0.0
    handled: bool = False


@pytest.fixture
def prefix():
    """Give an empty prefix."""
    return HandledPrefix()


def fetch(prefix, *offsets, tp=A):
    """Fetch records in this order and hand them back by offset."""
    records = {offset: Fetched(offset, tp) for offset in offsets}
    for record in records.values():
        prefix.fetched(record)
    return records


class TestCommittable:
    @pytest.mark.parametrize(
        ("fetched", "handled", "committable"),
        [
            pytest.param([0, 1, 2], [], {}, id="nothing handled"),
            pytest.param([0, 1, 2], [0, 1], {A: 2}, id="in order"),
            pytest.param([0, 1, 2], [1, 2], {}, id="the first is in work"),
            pytest.param([0, 1, 2], [2, 0], {A: 1}, id="one between is in work"),
            pytest.param([0, 1, 2], [2, 1, 0], {A: 3}, id="backwards"),
            pytest.param([4, 7, 90], [4, 7], {A: 8}, id="holes left by compaction"),
            pytest.param([4, 7, 90], [4, 90], {A: 5}, id="a hole and one in work"),
            pytest.param([0], [0], {A: 1}, id="offset zero"),
        ],
    )
    def test_is_after_the_run_of_handled_records(self, prefix, fetched, handled, committable):
        """
        The offset to commit follows the longest run of handled records in fetch order.
        """
        records = fetch(prefix, *fetched)

        for offset in handled:
            prefix.handled(records[offset])

        assert committable == prefix.committable()

    def test_partitions_are_apart(self, prefix):
        """
        A record in work holds up its own partition only.
        """
        fetch(prefix, 0, 1, tp=A)
        others = fetch(prefix, 0, 1, tp=B)

        for record in others.values():
            prefix.handled(record)

        assert prefix.committable() == {B: 2}

    def test_stays_until_it_is_committed(self, prefix):
        """
        A commit that failed leaves its offsets to be committed again.
        """
        records = fetch(prefix, 0)
        prefix.handled(records[0])

        tried = prefix.committable()

        assert tried == prefix.committable()

    def test_is_empty_after_the_commit(self, prefix):
        """
        Nothing is committed twice, and the next handled record is again something to commit.
        """
        records = fetch(prefix, 0, 1)
        prefix.handled(records[0])
        prefix.committed(prefix.committable())

        after_the_commit = prefix.committable()
        prefix.handled(records[1])

        assert (after_the_commit, prefix.committable()) == ({}, {A: 2})

    def test_a_commit_overtaken_by_work_leaves_the_rest(self, prefix):
        """
        Records that were handled while a commit was under way are still to be committed.
        """
        records = fetch(prefix, 0, 1)
        prefix.handled(records[0])
        under_way = prefix.committable()
        prefix.handled(records[1])

        prefix.committed(under_way)

        assert prefix.committable() == {A: 2}


class TestLostPartitions:
    def test_nothing_of_them_is_committed(self, prefix):
        """
        After the partitions were revoked there is nothing to commit, whatever was handled.
        """
        records = fetch(prefix, 0, 1)
        prefix.handled(records[0])

        prefix.clear()

        assert (prefix.committable(), prefix.unhandled) == ({}, 0)

    def test_a_late_handler_changes_nothing(self, prefix):
        """
        A record of the time before does not pass the same record fetched again after it.
        """
        old = fetch(prefix, 0)
        prefix.clear()
        fetch(prefix, 0)

        prefix.handled(old[0])

        assert prefix.committable() == {}

    def test_a_late_commit_changes_nothing(self, prefix):
        """
        The answer to a commit that comes after the revocation brings no partition back.
        """
        prefix.clear()

        prefix.committed({A: 7})

        assert prefix.committable() == {}


class TestPositionSetBack:
    def test_the_run_starts_anew(self, prefix):
        """
        Where a log was cut or made anew, records of the old one pass none of the new one.
        """
        old = fetch(prefix, 10, 11, 12)
        fetch(prefix, 0, 1)

        for record in old.values():
            prefix.handled(record)

        assert prefix.committable() == {}

    def test_it_is_followed(self, prefix):
        """
        The committed offset goes back with the position.
        """
        old = fetch(prefix, 10, 11)
        prefix.handled(old[10])
        prefix.committed(prefix.committable())

        new = fetch(prefix, 0)
        prefix.handled(new[0])

        assert prefix.committable() == {A: 1}


class TestAges:
    def test_of_the_oldest_unhandled_record(self, prefix):
        """
        The oldest record that is not behind the run gives the age, handled or not.
        """
        first, second = Fetched(0, fetched_s=5.0), Fetched(1, fetched_s=6.0)
        prefix.fetched(first)
        prefix.fetched(second)
        prefix.handled(second)

        with_the_first = prefix.unhandled_since_s
        prefix.handled(first)

        assert (with_the_first, prefix.unhandled_since_s) == (5.0, None)

    def test_of_what_waits_for_a_commit(self, prefix):
        """
        Handled records wait from the moment the run moved until the commit succeeds.
        """
        records = fetch(prefix, 0)
        before = prefix.uncommitted_since_s
        prefix.handled(records[0])
        waiting = prefix.uncommitted_since_s

        prefix.committed(prefix.committable())

        assert before is None
        assert waiting is not None
        assert prefix.uncommitted_since_s is None
        assert prefix.last_commit_s is not None
