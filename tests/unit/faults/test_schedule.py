"""The schedule makes what it says: the same for one seed, and poison that is poison."""

import random
from collections import Counter

import pytest

from tests.faults.poison import CANARY, HUGE_BYTES, POISON
from tests.faults.schedule import (
    ODD_TEXTS,
    PLAIN,
    TENANTS,
    Mix,
    Nature,
    every_poison,
    predictions_for,
    schedule,
)
from tests.validity import problem
from topics.codec import DecodeError, decode
from topics.prediction import TurnPredictions
from topics.utterance import Utterance

NOW_MS = 1_800_000_000_000


def make_poison(kind):
    return POISON[kind](random.Random(1))  # noqa: S311 - repeatable, not secret


class TestPoison:
    @pytest.mark.parametrize("kind", sorted(POISON))
    def test_refused_by_both(self, kind):
        """
        Each kind is refused by the independent rules and by the codec, without quoting the text.
        """
        value = make_poison(kind)

        assert problem(value) is not None
        with pytest.raises(DecodeError) as caught:
            decode(Utterance, value)
        assert CANARY not in str(caught.value)

    def test_huge_record(self):
        """
        The largest record is as large as it says.
        """
        assert len(make_poison("record of 6 MB")) > HUGE_BYTES

    def test_every_kind_once(self):
        """
        The full set holds each kind once, in an order that the seed chooses.
        """
        one, other = every_poison(1, large=True), every_poison(2, large=True)

        assert sorted(item.kind for item in one) == sorted(POISON)
        assert [item.kind for item in one] != [item.kind for item in other]


class TestSchedule:
    def test_same_seed(self):
        """
        One seed is one stream; another seed is another.
        """
        assert schedule(1, records=200) == schedule(1, records=200)
        assert schedule(1, records=200) != schedule(2, records=200)

    def test_everything_valid_is_valid(self):
        """
        What must have a decision is an utterance by the independent rules and by the codec.
        """
        items = schedule(3, records=1_000, mix=Mix(odd_texts=0.3, wrong_clocks=0.3, large=False))
        values = [item.encode(NOW_MS) for item in items if item.valid and item.repeats is None]

        assert [problem(value) for value in values] == [None] * len(values)
        assert all(decode(Utterance, value) for value in values)
        assert {item.kind for item in items if item.valid} == {"plain", *ODD_TEXTS}

    def test_mix(self):
        """
        Every nature and every tenant occurs, and repeats point at utterances before them.
        """
        items = schedule(4, records=1_000)

        assert Counter(item.nature for item in items).keys() == set(Nature)
        assert {item.fields["tenant_id"] for item in items if item.fields} == set(TENANTS)
        for at, item in enumerate(items):
            if item.repeats is not None:
                assert item.repeats < at
                assert items[item.repeats].valid

    def test_plain(self):
        """
        A plain stream has only fresh utterances, and each call's turns in order without a gap.
        """
        items = schedule(5, records=500, mix=PLAIN)

        by_call = {}
        for item in items:
            call = (item.fields["tenant_id"], item.fields["call_id"])
            by_call.setdefault(call, []).append(item.fields["seq"])
        assert {item.nature for item in items} == {Nature.FRESH}
        assert all(turns == list(range(len(turns))) for turns in by_call.values())

    def test_swapped_turns(self):
        """
        A stream with swaps has turns that come after their successor.
        """
        items = schedule(6, records=200, calls=1, mix=Mix(swaps=0.5))
        newest, late = {}, 0
        for item in items:
            if item.nature is Nature.FRESH:
                call, seq = item.fields["tenant_id"], item.fields["seq"]
                late += seq < newest.get(call, -1)
                newest[call] = max(seq, newest.get(call, -1))

        assert late > 10

    def test_clocks(self):
        """
        Wrong clocks are an hour off, or stand at 0 or in the year 2100.
        """
        items = schedule(7, records=500, mix=Mix(wrong_clocks=0.5, poison=0.0))
        said = {decode(Utterance, i.encode(NOW_MS)).said_at_ms for i in items if i.fields}

        assert said == {0, NOW_MS - 3_600_000, NOW_MS, NOW_MS + 3_600_000, 4_102_444_800_000}

    def test_predictions(self):
        """
        Each fresh plain turn has predictions that the codec takes; half of them hold its text.
        """
        items = schedule(8, records=300)
        events = [
            decode(TurnPredictions, raw.value) for raw in predictions_for(items, now_ms=NOW_MS)
        ]
        said = {
            (i.fields["tenant_id"], i.fields["call_id"], i.fields["seq"]): i.fields["text"]
            for i in items
            if i.nature is Nature.FRESH
        }
        held = [
            said[event.tenant_id, event.call_id, event.seq] in {p.text for p in event.predictions}
            for event in events
        ]

        assert len(events) == sum(
            item.nature is Nature.FRESH and item.kind == "plain" for item in items
        )
        assert 0.4 < sum(held) / len(held) < 0.6
