"""What the board holds of two topics."""

from dataclasses import replace

from tests.fakes.board import NOW_MS, make_gap, make_item, record
from topics.gap import GapMember, GapMemory, Tally
from topics.names import REVIEWED
from topics.reviewed import ReviewResult
from workers.board.shelf import FailureShelf, GapShelf


class TestGaps:
    async def test_the_latest_record_counts(self):
        """A gap is what its last record says, and gone after a tombstone."""
        shelf = GapShelf()
        for gap in (make_gap("a", count=1), make_gap("b"), make_gap("a", count=99)):
            await shelf.take(record(gap, gap.gap_id))

        assert [(gap.gap_id, gap.count) for gap in shelf.gaps()] == [("a", 99), ("b", 7)]
        await shelf.take(record(None, "a"))
        assert [gap.gap_id for gap in shelf.gaps()] == ["b"]
        assert shelf.gap("a") is None

    async def test_junk_is_passed_over(self, caplog):
        """A record that is no gap changes nothing, and nothing of it is logged."""
        shelf = GapShelf()
        await shelf.take(record(make_gap("a"), "a"))
        await shelf.take(record(b'{"secret": "hunter2"', "a"))

        assert [gap.gap_id for gap in shelf.gaps()] == ["a"]
        assert "hunter2" not in caplog.text

    async def test_only_what_readers_need(self):
        """The worker's memory is not kept, but for the actions that were applied."""
        member = GapMember(
            text="x", language="en", tally=Tally(count=1, first_seen_ms=0, last_seen_ms=0)
        )
        memory = GapMemory(members=(member,), wordings="x" * 8_000, actions=("act",))
        shelf = GapShelf()
        await shelf.take(record(make_gap("a", memory=memory), "a"))

        assert shelf.gap("a").memory == GapMemory(actions=("act",))


class TestFailures:
    async def test_other_results_are_no_failures(self):
        """Only questions whose entry search did not bring are held."""
        shelf = FailureShelf(lambda: NOW_MS)
        for number, result in enumerate(ReviewResult):
            await shelf.take(record(make_item(number, result=result)))
        await shelf.take(record(b"junk"))

        assert [item.result for item in shelf.items()] == [ReviewResult.NOT_RETRIEVED]

    async def test_reviewed_again(self):
        """A question that comes twice counts once, and what it was reviewed as last holds."""
        shelf = FailureShelf(lambda: NOW_MS)
        item = make_item()
        await shelf.take(record(item))
        await shelf.take(record(item))
        once = len(shelf.items())
        await shelf.take(record(replace(item, result=ReviewResult.ANSWERED)))

        assert (once, shelf.items()) == (1, [])

    async def test_bounded(self):
        """The latest ones stay, in whatever order they come; memory is bounded."""
        shelf = FailureShelf(lambda: NOW_MS, most=10)
        for number in (*range(50, 100), *range(50)):
            await shelf.take(record(make_item(number)))

        assert [item.call_id for item in shelf.items()] == [f"call {n}" for n in range(10)]
        assert len(shelf._items) <= 20

    async def test_expired(self):
        """What its topic does not keep any more is not shown either."""
        shelf = FailureShelf(lambda: NOW_MS)
        await shelf.take(record(make_item(reviewed_at_ms=NOW_MS - REVIEWED.retention_ms - 1)))

        assert shelf.items() == []
