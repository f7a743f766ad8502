"""The demo's plan: calls that overlap, in order, with a few things going wrong on purpose."""

import itertools

import pytest

from tests.unit.workers.demo.factories import make_bad, make_data, make_turn
from workers.demo.script import (
    CALL_TURNS,
    REDELIVERED_EVERY,
    PlannedTurn,
    SendBad,
    SendPredictions,
    SendUtterance,
    write_script,
)


def turns(count, **overrides):
    """Make turns of one agent and language."""
    prefix = overrides.get("language", "en")
    return [make_turn(f"{prefix}-{number:03d}", **overrides) for number in range(count)]


def script(data, **overrides):
    """Write a script of all turns."""
    fields = {"turns": 1_000, "rate": 10.0, "lead_s": 1.0}
    return write_script(data, **(fields | overrides))


def steps(written, kind):
    """List the steps of a kind."""
    return [step for step in written.steps if isinstance(step, kind)]


class TestScript:
    def test_all_turns_once(self):
        """
        Every turn is planned once, and no two turns share tenant, call and number.
        """
        data = make_data([*turns(23), *turns(12, language="hi", agent="dining")])

        planned = script(data).turns

        assert {each.turn.turn_id for each in planned} == {turn.turn_id for turn in data.turns}
        assert len({each.key for each in planned}) == len(planned) == 35

    def test_predictions_come_first(self):
        """
        The predictions of each turn are sent exactly the lead before its utterance.
        """
        written = script(make_data(turns(23)), lead_s=0.7)

        sent = {step.planned.key: step.at_s for step in steps(written, SendPredictions)}
        for step in steps(written, SendUtterance):
            if not step.again:
                assert step.at_s - sent[step.planned.key] == pytest.approx(0.7)

    def test_steps_are_in_order(self):
        """
        Steps lie in the order of their time, from zero on.
        """
        written = script(make_data(turns(40), bad_records=[make_bad(), make_bad("b")]))

        times = [step.at_s for step in written.steps]
        assert times == sorted(times)
        assert times[0] == pytest.approx(0.0)

    def test_rate(self):
        """
        Callers speak at the given rate.
        """
        spoken = [
            step.at_s
            for step in steps(script(make_data(turns(40)), rate=4.0), SendUtterance)
            if not step.again
        ]

        gaps = {round(later - earlier, 6) for earlier, later in itertools.pairwise(spoken)}
        assert gaps == {0.25}

    def test_order_in_a_call(self):
        """
        The turns of a call come in order, but for one that comes after its successor.
        """
        planned = script(make_data(turns(23))).turns

        calls: dict[str, list[PlannedTurn]] = {}
        for each in planned:
            calls.setdefault(each.call_id, []).append(each)
        for call in calls.values():
            assert len(call) <= CALL_TURNS
            stale = {each.seq for each in call if each.stale}
            in_order = [each.seq for each in call if each.seq not in stale]
            assert in_order == sorted(in_order)

    def test_stale_turn(self):
        """
        The first long call has one stale turn, sent right after its successor.
        """
        planned = script(make_data(turns(5))).turns

        assert [(each.seq, each.stale) for each in planned] == [
            (0, False),
            (1, False),
            (2, False),
            (4, False),
            (3, True),
        ]

    def test_short_calls_have_no_stale_turn(self):
        """
        Where calls are short nothing comes out of order.
        """
        assert not any(each.stale for each in script(make_data(turns(3))).turns)

    def test_redelivered_turns(self):
        """
        Now and then the same utterance is sent again, later.
        """
        written = script(make_data(turns(REDELIVERED_EVERY + 1)))

        first = {
            step.planned.key: step.at_s for step in steps(written, SendUtterance) if not step.again
        }
        again = [step for step in steps(written, SendUtterance) if step.again]
        assert len(again) == 2
        assert all(step.at_s > first[step.planned.key] for step in again)

    def test_calls_overlap(self):
        """
        Callers of several languages speak by turns.
        """
        data = make_data([*turns(20), *turns(20, language="hi", agent="dining")])

        languages = [each.turn.language for each in script(data).turns]

        assert set(languages[:4]) == {"en", "hi"}

    def test_tenants_share_call_names(self):
        """
        Two tenants have calls of the same name; only the tenant tells their turns apart.
        """
        data = make_data([*turns(5), *turns(5, language="hi", agent="dining")])

        planned = script(data).turns

        assert {each.call_id for each in planned} == {"call-001"}
        assert {each.tenant for each in planned} == {"tenant-of-bank", "tenant-of-dining"}

    def test_some_turns_of_all(self):
        """
        A smaller demo takes turns from all of the data, not from its beginning.
        """
        data = make_data([*turns(50), *turns(50, language="hi", agent="dining")])

        planned = script(data, turns=10).turns

        languages = [each.turn.language for each in planned]
        assert (languages.count("en"), languages.count("hi")) == (5, 5)

    def test_bad_records_lie_between(self):
        """
        Every bad record is sent, after the first caller and before the last.
        """
        bad = [make_bad(name) for name in "abc"]
        written = script(make_data(turns(40), bad_records=bad))

        spoken = [step.at_s for step in steps(written, SendUtterance) if not step.again]
        sent = steps(written, SendBad)
        assert [step.record.record_id for step in sent] == ["a", "b", "c"]
        assert all(min(spoken) < step.at_s < max(spoken) for step in sent)

    def test_same_again(self):
        """
        The same data gives the same script.
        """
        data = make_data(turns(30))

        assert script(data) == script(data)
