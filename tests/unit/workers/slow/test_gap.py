"""What becomes of a gap."""

import pytest

from tests.fakes.slow import NOON_MS, make_asked
from topics.codec import decode, encode
from topics.gap import Gap, GapReason, GapState
from workers.slow.gap import (
    CORE,
    EXAMPLES,
    ITEMS,
    MEMBERS,
    WORDINGS,
    acted,
    core,
    counted,
    found,
    judged,
    merged,
    split,
)
from workers.slow.marks import unpack

MISSING = GapReason.MISSING_KNOWLEDGE


def gap_of(*texts: str, gap_id: str = "g", first: int = 0, **overrides) -> Gap:
    """Make a gap of questions, each of an item of its own."""
    gap = found("t", gap_id, make_asked(texts[0], first, **overrides), reason=MISSING)
    for number, text in enumerate(texts[1:], first + 1):
        gap = counted(gap, make_asked(text, number, **overrides), reason=MISSING)
    return gap


def total(gap: Gap) -> int:
    """Add up what is counted in all tallies."""
    rest = gap.memory.rest
    return sum(one.tally.count for one in gap.memory.members) + (rest.count if rest else 0)


class TestCounted:
    def test_each_question_counts_once(self):
        """Count, times, days, languages and examples are those of the questions."""
        gap = gap_of("do you ship", "Do you ship?", "can you ship")
        gap = counted(gap, make_asked("क्या आप भेजते हैं", 3, language="hi"), reason=MISSING)

        assert gap.count == total(gap) == sum(gap.days.values()) == 4
        assert (gap.first_seen_ms, gap.last_seen_ms) == (NOON_MS, NOON_MS + 3)
        assert gap.languages == ("en", "hi")
        assert gap.examples == ("do you ship", "क्या आप भेजते हैं", "can you ship")
        assert gap.memory.offset == 3

    def test_bounds_hold_and_the_count_stays_exact(self):
        """However many wordings and items there are, the record is bounded and nothing is lost."""
        gap = gap_of(*(f"question {number}" for number in range(WORDINGS + 100)))

        assert gap.count == total(gap) == WORDINGS + 100
        assert len(gap.memory.members) == MEMBERS
        assert len(unpack(gap.memory.wordings)) == WORDINGS
        assert len(unpack(gap.memory.items)) == ITEMS
        assert len(gap.examples) == EXAMPLES
        assert len(encode(gap)) < 40_000

    def test_wording_that_is_not_kept_is_known(self):
        """A wording beyond those that are kept as text is counted as one that was there before."""
        gap = gap_of(*(f"question {number}" for number in range(MEMBERS + 3)))
        again = counted(gap, make_asked(f"question {MEMBERS + 2}", 99), reason=MISSING)

        assert again.memory.members == gap.memory.members
        assert set(unpack(again.memory.wordings)) == set(unpack(gap.memory.wordings))
        assert again.count == gap.count + 1

    def test_first_of_a_language_stays(self):
        """One wording of each language is kept, however seldom it is asked."""
        gap = gap_of("سؤال", language="ar")
        for number in range(1, 60):
            gap = counted(gap, make_asked(f"question {number % 20}", number), reason=MISSING)

        assert "سؤال" in gap.examples
        assert "ar" in {one.language for one in core(gap)}
        assert len(core(gap)) == CORE

    def test_what_is_asked_again_opens_what_was_covered(self):
        """An unanswered caller reopens a covered gap, and one that nobody judged does not."""
        covered = judged(gap_of("a"), by="k", entry_id="e", reason=MISSING)
        judged_one = counted(covered, make_asked("b", 1), reason=MISSING)
        unjudged = counted(covered, make_asked("b", 1), reason=GapReason.NOT_JUDGED)

        assert covered.state is GapState.COVERED
        assert (judged_one.state, judged_one.entry_id) == (GapState.OPEN, None)
        assert (unjudged.state, unjudged.entry_id) == (GapState.COVERED, "e")
        assert unjudged.reason is MISSING

    def test_record_survives_the_wire(self):
        """What is read back is what was written."""
        gap = gap_of("do you ship", "هل تشحنون")

        assert decode(Gap, encode(gap)) == gap


class TestMerged:
    def test_nothing_is_lost_or_counted_twice(self):
        """A merge adds up, in either direction, and leaves nothing behind."""
        one, other = gap_of("a", "b", "b"), gap_of("b", "c", gap_id="h", first=10)
        whole, left = merged(one, other)
        reverse, _ = merged(other, one)

        assert whole.count == reverse.count == total(whole) == 5
        assert {member.text: member.tally.count for member in whole.memory.members} == {
            "a": 1, "b": 3, "c": 1,
        }  # fmt: skip
        assert set(unpack(whole.memory.items)) == {
            *unpack(one.memory.items), *unpack(other.memory.items),
        }  # fmt: skip
        assert (left.count, left.merged_into, left.memory.members) == (0, "g", ())
        assert whole.merged_from == ("h",)
        assert whole.memory.offset == 11

    def test_of_large_ones_stays_bounded(self):
        """Two gaps of many wordings make one within the bounds, exactly counted."""
        one = gap_of(*(f"a {number}" for number in range(700)))
        other = gap_of(*(f"b {number}" for number in range(700)), gap_id="h", first=1_000)
        whole, _ = merged(one, other)

        assert whole.count == total(whole) == 1_400
        assert len(whole.memory.members) == MEMBERS
        assert len(unpack(whole.memory.wordings)) == WORDINGS


class TestSplit:
    def test_wording_takes_its_count_along(self):
        """What leaves and what stays add up to what was."""
        gap = gap_of("a", "b", "b", "c")
        parts = split(gap, "B?")

        assert parts is not None
        child, parent = parts
        assert (child.count, parent.count) == (2, 2)
        assert child.split_from == "g"
        assert child.examples == ("b",)
        assert not set(unpack(child.memory.wordings)) & set(unpack(parent.memory.wordings))

    def test_same_split_gives_the_same_id(self):
        """A repeated split makes no second gap."""
        gap = gap_of("a", "b")

        assert split(gap, "b")[0].gap_id == split(gap, "b")[0].gap_id

    @pytest.mark.parametrize("text", ["z", "", "a"])
    def test_what_cannot_leave_stays(self, text):
        """A wording that is not there, or the only one, is not split off."""
        assert split(gap_of("a"), text) is None


class TestStates:
    @pytest.mark.parametrize(
        ("before", "entry_id", "after"),
        [
            pytest.param(GapState.OPEN, "e", GapState.COVERED, id="answered"),
            pytest.param(GapState.OPEN, None, GapState.OPEN, id="not answered"),
            pytest.param(GapState.ADDED, "e", GapState.COVERED, id="the entry arrived"),
            pytest.param(GapState.ADDED, None, GapState.ADDED, id="the entry is to come"),
            pytest.param(GapState.COVERED, None, GapState.OPEN, id="the entry went"),
            pytest.param(GapState.DISMISSED, "e", GapState.DISMISSED, id="nobody wants it"),
        ],
    )
    def test_after_a_judgement(self, before, entry_id, after):
        """A judgement closes and opens gaps, and leaves alone what somebody dismissed."""
        gap = acted(gap_of("a"), "x", state=before, entry_id="old")
        fresh = judged(gap, by="k", entry_id=entry_id, reason=MISSING)

        assert fresh.state is after
        assert fresh.memory.judged == "k"
        if after is GapState.COVERED:
            assert fresh.entry_id == "e"

    def test_without_a_judge_states_stay(self):
        """Where nobody could judge, nothing opens or closes."""
        gap = judged(gap_of("a"), by="k", entry_id="e", reason=MISSING)

        assert judged(gap, by="l", entry_id=None, reason=MISSING, known=False).state is (
            GapState.COVERED
        )
