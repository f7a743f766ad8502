"""What people decide about gaps."""

import pytest

from tests.fakes.slow import FakeDecider, KilledError, Slow, make_action
from topics.gap import GapState
from topics.gap_action import GapActionKind


@pytest.fixture
async def slow(inference) -> Slow:
    """Give a worker to whom every wording is a question of its own."""
    return Slow(inference, decider=FakeDecider())


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (GapActionKind.ADDED, GapState.ADDED),
        (GapActionKind.DISMISSED, GapState.DISMISSED),
        (GapActionKind.REOPEN, GapState.OPEN),
    ],
)
async def test_states(slow, kind, state):
    """A decision is the gap's state, and it counts on."""
    (gap_id,) = await slow.ask("a")
    await slow.act(gap_id, kind, entry_id="e")
    await slow.ask("a")

    assert slow.gap(gap_id).state is state
    assert slow.gap(gap_id).entry_id == "e"
    assert slow.gap(gap_id).count == 2


async def test_action_is_applied_once(slow):
    """A repeated action does not undo what was decided since, also after a restart."""
    (gap_id,) = await slow.ask("a")
    first = await slow.act(gap_id, GapActionKind.DISMISSED)
    await slow.act(gap_id, GapActionKind.REOPEN)
    await slow.again()
    await slow.actions.apply(first)

    assert slow.gap(gap_id).state is GapState.OPEN


async def test_merge_is_a_part_for_good(slow):
    """Counts add up, the old id leads on, and so do later actions on it."""
    one, other = await slow.ask("a", "b")
    action = await slow.act(one, GapActionKind.MERGE, into=other)
    await slow.actions.apply(action)
    await slow.act(one, GapActionKind.DISMISSED)
    await slow.ask("a")

    assert slow.gap(other).count == 3
    assert slow.gap(other).state is GapState.DISMISSED
    assert (slow.gap(one).merged_into, slow.gap(one).count) == (other, 0)


async def test_split_is_a_gap_of_its_own(slow):
    """The wording leaves with its count, is asked there from now on, and is not merged back."""
    slow.decider.groups = [frozenset("abc")]
    (gap_id, _, _) = await slow.ask("a", "b", "b")
    await slow.act(gap_id, GapActionKind.SPLIT, example="b")
    (child_id,) = await slow.ask("b")
    await slow.ask("c")

    assert child_id != gap_id
    assert slow.gap(child_id).split_from == gap_id
    assert sum(gap.count for gap in slow.open_gaps()) == 5
    assert slow.stores.actions() == []


async def test_split_after_a_merge(slow):
    """What was split off and merged again can be split off again, also after a restart."""
    slow.decider.groups = [frozenset("ab")]
    (gap_id, _) = await slow.ask("a", "b")
    children = []
    for _ in range(3):
        action = await slow.act(gap_id, GapActionKind.SPLIT, example="b")
        await slow.actions.apply(action)
        (child,) = (gap.gap_id for gap in slow.open_gaps() if gap.gap_id != gap_id)
        await slow.again()
        assert [gap.count for gap in slow.open_gaps()] == [1, 1]
        children.append(child)
        await slow.act(child, GapActionKind.MERGE, into=gap_id)
        assert await slow.again() == []

    assert len(set(children)) == 3
    assert [gap.count for gap in slow.open_gaps()] == [2]


@pytest.mark.parametrize("kind", [GapActionKind.MERGE, GapActionKind.SPLIT])
async def test_cut_short_is_finished(slow, kind):
    """A worker killed between the two records loses nothing and counts nothing twice."""
    slow.decider.groups = [frozenset("ab")]
    (gap_id, _) = await slow.ask("a", "b")
    (other,) = await slow.ask("c")
    action = make_action(gap_id, kind, into=other, example="b")
    slow.stores.dies_after = 1
    with pytest.raises(KilledError):
        await slow.actions.apply(action)

    owed = await slow.again()
    await slow.actions.apply(action)

    assert len(owed) == 1
    assert sum(gap.count for gap in slow.open_gaps()) == 3
    assert len(slow.open_gaps()) == (1 if kind is GapActionKind.MERGE else 3)


@pytest.mark.parametrize(
    "action",
    [
        pytest.param(make_action("nobody", GapActionKind.DISMISSED), id="unknown gap"),
        pytest.param(make_action("nobody", GapActionKind.MERGE, into="g"), id="unknown merge"),
        pytest.param(make_action("g", GapActionKind.DISMISSED, tenant_id="other"), id="tenant"),
    ],
)
async def test_what_cannot_be_done_changes_nothing(slow, action):
    """An action on a gap that is not there, or another tenant's, is passed by."""
    await slow.ask("a")
    before = list(slow.stores.records)
    await slow.actions.apply(action)

    assert slow.stores.records == before


async def test_merge_into_nothing_or_itself(slow):
    """A merge needs another gap of the tenant."""
    (gap_id,) = await slow.ask("a")
    (foreign,) = await slow.ask("a", tenant_id="other")
    before = list(slow.stores.records)
    for into in (gap_id, foreign, "nobody", None):
        await slow.act(gap_id, GapActionKind.MERGE, into=into)
    await slow.act(gap_id, GapActionKind.SPLIT, example="a")

    assert slow.stores.records == before
