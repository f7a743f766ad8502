"""Which gap a question belongs to."""

import numpy as np
import pytest

from models.gaps.same import Asked
from tests.fakes.slow import FakeDecider
from tests.unit.workers.slow.test_gap import gap_of
from tests.unit.workers.slow.test_ledger import VECTOR, ledger_of
from workers.slow.grouping import agreeing, are_one


def who(decider, ledger, text):
    """Name the gaps that agree, the surest first."""
    near = ledger.near(VECTOR, "en")
    return [one.gap.gap_id for one in agreeing(decider, ledger, Asked(text, VECTOR), near)]


def test_core_must_agree():
    """One odd wording does not draw in what the others refuse."""
    ledger = ledger_of(gap_of("a", "a", "b", "b", "c"))

    assert who(FakeDecider("cx"), ledger, "x") == []
    assert who(FakeDecider("acx"), ledger, "x") == ["g"]
    assert who(FakeDecider("abcx"), ledger, "x") == ["g"]


@pytest.mark.parametrize(("chance", "found"), [(0.5, []), (0.61, []), (0.63, ["g"])])
def test_chance_stands_against_a_dozen_gaps(chance, found):
    """What is as likely as not for a pair is not enough where a dozen gaps were looked at."""
    decider = FakeDecider("ax", chance=chance)

    assert who(decider, ledger_of(gap_of("a")), "x") == found


def test_another_entity_is_another_question():
    """Whatever the models say, what names another thing than one of the core is not theirs."""
    ledger = ledger_of(gap_of("a", "b"))
    decider = FakeDecider("abx", entities=[frozenset("bx")])

    assert who(decider, ledger, "x") == []


def test_the_older_of_equals():
    """The order of gaps that are equally sure depends on their age alone."""
    older, younger = gap_of("a", gap_id="z", first=5), gap_of("b", gap_id="a", first=6)
    decider = FakeDecider("ax", "bx")

    assert who(decider, ledger_of(older, younger), "x") == ["z", "a"]
    assert who(decider, ledger_of(younger, older), "x") == ["z", "a"]


def test_decider_is_asked_in_two_batches():
    """First the nearest wording of each gap, then the rest of those that may agree."""
    ledger = ledger_of(gap_of("a", "b"), gap_of("c", "d", gap_id="h", first=5))
    decider = FakeDecider("abx")
    who(decider, ledger, "x")

    assert len(decider.asked) == 3


def test_nothing_near_is_nobody():
    """An empty shortlist asks nothing."""
    assert agreeing(FakeDecider(), ledger_of(), Asked("x", VECTOR), {}) == []


def test_two_gaps_are_one_by_all_pairs():
    """Most pairs of both cores have to agree, and no entity may differ."""
    one, other = gap_of("a", "b"), gap_of("c", "d", gap_id="h", first=5)
    ledger = ledger_of(one, other)

    assert are_one(FakeDecider("abcd"), ledger, one, other)
    assert not are_one(FakeDecider("ac", "bd"), ledger, one, other)
    assert not are_one(FakeDecider("abcd", entities=[frozenset("ad")]), ledger, one, other)
    assert np.isclose(VECTOR @ VECTOR, 1)
