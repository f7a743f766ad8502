"""Gaps and the entries that change under them."""

import pytest

from tests.fakes.kb import WHOLE, make_entry
from tests.fakes.slow import FakeDecider, Slow
from topics.gap import GapState
from topics.gap_action import GapActionKind

ANSWER = make_entry("price", content="The answer.")


@pytest.fixture
async def slow(inference) -> Slow:
    """Give a worker whose judge finds the answer in what says so."""
    slow = Slow(inference, known={"The answer.": WHOLE}, decider=FakeDecider("ab"))
    await slow.entries(make_entry("other", content="Other."))
    return slow


async def test_new_entry_covers_a_gap(slow):
    """An entry that answers closes the gap, and is named."""
    (gap_id,) = await slow.ask("a")
    await slow.entries(ANSWER)
    await slow.rejudge()

    gap = slow.gap(gap_id)
    assert (gap.state, gap.entry_id, gap.suggestion) == (GapState.COVERED, "price", None)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("price", id="deleted"),
        pytest.param(make_entry("price", content="No more."), id="changed"),
    ],
)
async def test_entry_that_goes_opens_it_again(slow, change):
    """What no entry answers any more is open again, with a suggestion."""
    (gap_id,) = await slow.ask("a")
    await slow.entries(ANSWER)
    await slow.rejudge()
    await slow.entries(change)
    await slow.rejudge()

    gap = slow.gap(gap_id)
    assert (gap.state, gap.entry_id) == (GapState.OPEN, None)
    assert gap.suggestion is not None


async def test_only_what_changed_is_judged(slow):
    """A change costs the entries that changed, and no change costs nothing."""
    await slow.ask("a")
    await slow.entries(*(make_entry(f"e{n}", content=f"Other {n}.") for n in range(20)))
    await slow.rejudge()
    slow.model.asked.clear()
    await slow.entries(make_entry("e3", content="Another."))
    await slow.rejudge()
    await slow.rejudge()

    assert [len(entries) for _, entries in slow.model.asked] == [1]


async def test_another_entry_leaves_a_covered_gap_alone(slow):
    """A gap that is covered by what did not change stays so, unread."""
    (gap_id,) = await slow.ask("a")
    await slow.entries(ANSWER)
    await slow.rejudge()
    slow.model.asked.clear()
    await slow.entries(make_entry("new", content="Other."))
    await slow.rejudge()

    assert slow.model.asked == []
    assert slow.gap(gap_id).state is GapState.COVERED


async def test_change_while_nobody_ran_is_seen(slow):
    """A worker that starts judges what changed before it did, and else nothing."""
    (gap_id,) = await slow.ask("a")
    await slow.again()
    slow.model.asked.clear()
    await slow.rejudge()
    assert slow.model.asked == []

    await slow.entries(ANSWER)
    await slow.again()
    await slow.rejudge()

    assert slow.gap(gap_id).state is GapState.COVERED


async def test_added_becomes_covered_when_the_entry_is_there(slow):
    """What somebody wrote counts as covered when it answers, and not before."""
    (gap_id,) = await slow.ask("a")
    await slow.act(gap_id, GapActionKind.ADDED, entry_id="price")
    await slow.rejudge()
    assert slow.gap(gap_id).state is GapState.ADDED

    await slow.entries(ANSWER)
    await slow.rejudge()
    assert slow.gap(gap_id).state is GapState.COVERED


async def test_dismissed_stays_dismissed(slow):
    """Nobody wants to hear of it again."""
    (gap_id,) = await slow.ask("a")
    await slow.act(gap_id, GapActionKind.DISMISSED)
    await slow.entries(ANSWER)
    await slow.rejudge()

    assert slow.gap(gap_id).state is GapState.DISMISSED


async def test_judge_that_is_away_decides_nothing(slow):
    """A gap is judged by a judge that answers, whenever that is."""
    (gap_id,) = await slow.ask("a")
    slow.model.failing = True
    await slow.entries(ANSWER)
    await slow.rejudge()
    assert slow.gap(gap_id).state is GapState.OPEN

    slow.model.failing = False
    await slow.rejudge()
    assert slow.gap(gap_id).state is GapState.COVERED


async def test_suggestion_quotes_what_there_is(slow):
    """A quote goes with the entry that it is from."""
    (gap_id,) = await slow.ask("does the gold plan include roaming")
    await slow.entries(make_entry("gold", title="Gold", content="The gold plan costs 30 pounds."))
    await slow.rejudge()
    assert slow.gap(gap_id).suggestion.quotes == ("The gold plan costs 30 pounds.",)

    await slow.entries("gold")
    await slow.rejudge()
    assert slow.gap(gap_id).suggestion.quotes == ()
