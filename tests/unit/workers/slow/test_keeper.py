"""What findings do to the gaps."""

import random

import pytest

from tests.fakes.kb import WHOLE, make_entry
from tests.fakes.slow import FakeDecider, KilledError, Slow, make_item
from tests.fakes.stream import make_record
from topics.gap import GapReason, GapState
from topics.gap_action import GapActionKind
from topics.reviewed import ReviewResult
from workers import metrics

#: Wordings of three questions, some of them nearly one.
SHIP = ("do you ship abroad", "can you send it abroad", "क्या आप विदेश भेजते हैं")
OPEN = ("are you open on sunday", "sunday hours please", "هل تفتحون يوم الأحد")
PARK = ("is there parking",)
QUESTIONS = (*SHIP, *OPEN, *PARK)


@pytest.fixture
async def slow(inference) -> Slow:
    """Give a slow worker on fakes that knows which questions are one."""
    return Slow(inference, decider=FakeDecider(SHIP, OPEN, PARK))


def groups(slow: Slow) -> set[frozenset[str]]:
    """Return the questions of each gap."""
    return {frozenset(member.text for member in gap.memory.members) for gap in slow.open_gaps()}


class TestGroups:
    async def test_same_questions_fall_together_in_any_language(self, slow):
        """One gap a question, with all its wordings."""
        await slow.ask(*QUESTIONS)

        assert groups(slow) == {frozenset(SHIP), frozenset(OPEN), frozenset(PARK)}
        assert {gap.count for gap in slow.open_gaps()} == {3, 1}

    @pytest.mark.parametrize("seed", range(5))
    async def test_order_of_arrival_changes_nothing(self, slow, seed):
        """Whatever comes first, the groups are the same."""
        questions = [*QUESTIONS, *SHIP, *OPEN]
        random.Random(seed).shuffle(questions)  # noqa: S311 - a seed, no secret
        await slow.ask(*questions)

        assert groups(slow) == {frozenset(SHIP), frozenset(OPEN), frozenset(PARK)}
        assert sum(gap.count for gap in slow.open_gaps()) == len(questions)

    async def test_re_run_gives_the_same_gaps(self, inference):
        """The same items on an empty topic give the same ids and the same counts."""
        runs = [Slow(inference, decider=FakeDecider(SHIP, OPEN, PARK)) for _ in range(2)]
        for run in runs:
            await run.ask(*QUESTIONS)
        one, other = (
            [(gap.gap_id, gap.count, gap.examples) for gap in run.open_gaps()] for run in runs
        )

        assert one == other

    async def test_identical_ones_fall_together_without_a_decider(self, inference):
        """Even where nobody decides, what is written alike is one gap."""
        slow = Slow(inference)
        ids = await slow.ask("Do you ship?", "do you ship", "can you ship", "DO YOU SHIP!")

        assert ids[0] == ids[1] == ids[3] != ids[2]

    async def test_failing_decider_loses_nothing(self, slow):
        """While the decider is broken each wording is a gap; nothing is lost or stuck."""
        slow.decider.failing = True
        await slow.ask(*SHIP, SHIP[0])

        assert sorted(gap.count for gap in slow.open_gaps()) == [1, 1, 2]

    async def test_tenants_share_nothing(self, slow):
        """The same question of another tenant is another gap."""
        (one,) = await slow.ask(SHIP[0])
        (other,) = await slow.ask(SHIP[0], tenant_id="other")

        assert one != other
        assert [gap.count for gap in slow.open_gaps()] == [1, 1]
        assert {gap.tenant_id for gap in slow.open_gaps()} == {"t", "other"}


class TestCounts:
    async def test_item_counts_once_however_often_it_comes(self, slow):
        """Redelivered, or written to the topic twice: one caller, one count, a result each time."""
        item = make_item(SHIP[0])
        for offset in (0, 0, 1, 1, 0):
            await slow.take(item, offset=offset)

        (gap,) = slow.open_gaps()
        assert gap.count == 1
        assert {one.gap_id for one in slow.stores.reviewed()} == {gap.gap_id}
        assert len(slow.stores.reviewed()) == 5

    async def test_whole_topic_again_counts_nothing(self, slow):
        """A group that lost its offsets reads everything again, also after a restart."""
        items = [
            make_item(question, call_id=f"call {number}")
            for number, question in enumerate(QUESTIONS * 3)
        ]
        for offset, item in enumerate(items):
            await slow.take(item, offset=offset)
        before = {gap.gap_id: gap.count for gap in slow.open_gaps()}
        await slow.again()
        for offset, item in enumerate(items):
            await slow.take(item, offset=offset)

        assert {gap.gap_id: gap.count for gap in slow.open_gaps()} == before
        assert sum(before.values()) == len(items)

    @pytest.mark.parametrize("seed", range(8))
    async def test_killed_at_any_record(self, slow, seed):
        """Whenever the worker dies, the next one counts everything once, merges included."""
        fate = random.Random(seed)  # noqa: S311 - a seed, no secret
        questions = [fate.choice(QUESTIONS) for _ in range(40)]
        items = [make_item(one, call_id=f"{place}") for place, one in enumerate(questions)]
        committed = offset = 0
        while offset < len(items):
            slow.stores.dies_after = fate.randrange(1, 9)
            try:
                while offset < len(items):
                    await slow.take(items[offset], offset=offset)
                    offset += 1
            except KilledError:
                await slow.again()
                committed = fate.randrange(committed, offset + 1)
                offset = committed

        assert sum(gap.count for gap in slow.open_gaps()) == len(items)
        assert groups(slow) == {
            frozenset(questions) & set(group)
            for group in (SHIP, OPEN, PARK)
            if set(group) & set(questions)
        }

    async def test_time_of_a_wrong_clock_is_the_records(self, slow):
        """A caller's clock that is a century off does not date a gap."""
        await slow.take(make_item(PARK[0], asked_at_ms=4_102_444_800_000))

        (gap,) = slow.open_gaps()
        assert list(gap.days) == ["2026-11-30"]


class TestMerges:
    async def test_bridge_merges_what_belongs_together(self, inference):
        """Two gaps that the decider once took apart are merged when a third question shows it."""
        slow = Slow(inference, decider=FakeDecider())
        await slow.ask("a", "b")
        slow.decider.groups = [frozenset("abc")]
        await slow.ask("c")
        (action,) = slow.stores.actions()
        await slow.actions.apply(action)

        (gap,) = slow.open_gaps()
        assert action.kind is GapActionKind.MERGE
        assert gap.count == 3
        assert len(gap.merged_from) == 1
        assert await slow.ask("b") == [gap.gap_id]

    async def test_gaps_that_grow_are_held_against_each_other_again(self, inference):
        """
        What is asked in known words alone is looked at anew when its count has doubled, and then
        only.
        """
        slow = Slow(inference, decider=FakeDecider())
        await slow.ask("a", "b", "z", "a", "a")
        slow.decider.groups = [frozenset("ab")]
        await slow.ask("b", "b")
        assert slow.stores.actions() == []

        slow.decider.asked.clear()
        await slow.ask("a")
        (action,) = slow.stores.actions()
        pairs = {frozenset(pair) for pair in slow.decider.asked}
        assert pairs == {frozenset("ab"), frozenset("az")}
        await slow.actions.apply(action)
        (gap,) = (one for one in slow.open_gaps() if one.merged_from)
        await slow.ask("b")
        slow.decider.asked.clear()
        await slow.ask("b")

        assert (gap.count, len(gap.memory.members)) == (7, 2)
        assert slow.decider.asked == []

    async def test_what_somebody_decided_is_not_merged(self, inference):
        """A dismissed gap takes in no open one by itself."""
        slow = Slow(inference, decider=FakeDecider())
        one, _ = await slow.ask("a", "b")
        await slow.act(one, GapActionKind.DISMISSED)
        slow.decider.groups = [frozenset("abc")]
        await slow.ask("c")

        assert slow.stores.actions() == []


class TestResults:
    async def test_answered_is_no_gap(self, inference):
        """What an entry answers is published, and counted nowhere."""
        slow = Slow(inference, known={"Nine pounds.": WHOLE})
        await slow.entries(make_entry("price", content="Nine pounds."))
        await slow.ask("how much is it")

        (one,) = slow.stores.reviewed()
        assert (one.result, one.entry_id, one.rank) == (ReviewResult.ANSWERED, "price", 0)
        assert slow.stores.gaps() == []

    async def test_without_a_judge_it_is_said_so(self, inference):
        """Nobody judged: a gap that says so, and is judged when there is a judge."""
        slow = Slow(inference, judge=False)
        await slow.entries(make_entry("price", content="Nine pounds."))
        await slow.ask("how much is it")

        (gap,) = slow.open_gaps()
        assert slow.stores.reviewed()[0].result is ReviewResult.NOT_JUDGED
        assert gap.reason is GapReason.NOT_JUDGED

        with_judge = Slow(inference, known={"Nine pounds.": WHOLE})
        with_judge.stores = slow.stores
        await with_judge.entries(make_entry("price", content="Nine pounds."))
        await with_judge.again()
        await with_judge.rejudge()

        assert with_judge.gap(gap.gap_id).state is GapState.COVERED
        assert with_judge.gap(gap.gap_id).entry_id == "price"

    async def test_nothing_personal_is_stored(self, slow):
        """No record, and no key, holds what was masked."""
        await slow.ask(
            "my number is 98765 43210 do you ship", "mail jo.khan@example.com your hours"
        )

        everything = b"".join(key + value for _, key, value in slow.stores.records)
        assert b"43210" not in everything
        assert b"khan" not in everything
        assert b"[PHONE]" in everything


class TestStanding:
    """Records that another worker, which was frozen, has put after ours."""

    async def test_ours_is_stored_again(self, slow):
        """An older record of a gap does not stay the last one."""
        await slow.ask(SHIP[0])
        old = slow.stores.records[0]
        await slow.ask(SHIP[0], SHIP[1])
        await put_foreign(slow, old)
        (gap,) = slow.open_gaps()
        assert gap.count == 1

        await slow.keeper.put_right(lambda: OURS)
        (gap,) = slow.open_gaps()
        assert gap.count == 3
        await slow.ask(SHIP[0])
        (gap,) = slow.open_gaps()
        assert gap.count == 4

    async def test_deletion_is_undone(self, slow):
        """A gap that another worker deletes is there again."""
        await slow.ask(SHIP[0])
        _, key, _ = slow.stores.records[0]
        await put_foreign(slow, ("kb.gaps", key, None))
        assert slow.open_gaps() == []

        await slow.keeper.put_right(lambda: OURS)
        assert [gap.count for gap in slow.open_gaps()] == [1]

    async def test_gap_that_we_do_not_have_goes(self, slow, inference):
        """A gap that only the other one found is none: its question is counted here."""
        other = Slow(inference)
        await other.ask(PARK[0])
        await put_foreign(slow, other.stores.records[0])
        assert len(slow.open_gaps()) == 1

        await slow.keeper.put_right(lambda: OURS)
        assert slow.open_gaps() == []

    @pytest.mark.parametrize(
        "ours", [frozenset({1}), frozenset()], ids=["another partition", "none assigned"]
    )
    async def test_gaps_of_others_are_left_alone(self, slow, inference, ours):
        """A record of a gap whose partition another worker has stays as it is."""
        other = Slow(inference)
        await other.ask(PARK[0])
        await put_foreign(slow, other.stores.records[0])
        before = len(slow.stores.records)

        await slow.keeper.put_right(lambda: ours)
        assert len(slow.stores.records) == before

    async def test_what_came_before_the_assignment_waits(self, slow):
        """A record that comes while the gaps are being read back is looked at afterwards."""
        await slow.ask(SHIP[0])
        old = slow.stores.records[0]
        await slow.ask(SHIP[0])
        await put_foreign(slow, old)
        await slow.keeper.put_right(frozenset)
        assert [gap.count for gap in slow.open_gaps()] == [1]

        await slow.keeper.put_right(lambda: OURS)
        assert [gap.count for gap in slow.open_gaps()] == [2]

    async def test_a_second_owner_is_not_fought_for_ever(self, slow):
        """Where another worker goes on storing a gap, we stop, and say so."""
        await slow.ask(SHIP[0])
        old = slow.stores.records[0]
        await slow.ask(SHIP[0])
        before = metrics.GAP_EVENTS.labels("contested")._value.get()
        for _ in range(20):
            await put_foreign(slow, old)
            await slow.keeper.put_right(lambda: OURS)

        assert metrics.GAP_EVENTS.labels("contested")._value.get() > before
        assert [gap.count for gap in slow.open_gaps()] == [1]

    async def test_our_own_records_are_not_stored_again(self, slow):
        """What comes back from the topic as we stored it changes nothing."""
        await slow.ask(*SHIP, *PARK)
        for offset, (topic, key, value) in enumerate(slow.stores.records):
            if topic == "kb.gaps":
                slow.standing.see(make_record(topic=topic, offset=offset, key=key, value=value))
        before = len(slow.stores.records)

        await slow.keeper.put_right(lambda: OURS)
        assert len(slow.stores.records) == before


#: The partition that the fakes' items come from.
OURS = frozenset({0})


async def put_foreign(slow: Slow, record: tuple[str, bytes, bytes | None]) -> None:
    """Put a record on the topic as another worker does, and let the worker see it."""
    topic, key, value = record
    place = await slow.stores.store(topic, key=key, value=value)
    slow.standing.see(make_record(topic=topic, offset=place.offset, key=key, value=value))
