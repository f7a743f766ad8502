"""What came is held against what should have come."""

import orjson
import pytest

from tests.unit.workers.demo.factories import (
    make_answers,
    make_decision,
    make_planned,
    make_prediction,
    make_received,
    make_sent,
    make_serve,
    make_shadow,
    make_turn,
)
from topics.decision import Kind, Reason
from workers.demo.data import Expected
from workers.demo.score import mark, marked, spread, summarise
from workers.demo.summary import Mark

_BYPASS = {"kind": Kind.BYPASS, "reasons": (Reason.LANGUAGE,)}


def planned(expected=Expected.MATCH, *, stale=False, **overrides):
    """Make a planned turn of which something is expected."""
    serve = expected is Expected.MATCH
    predictions = (
        make_prediction("p1", serve=serve, kind="right" if serve else "other_intent"),
        make_prediction("p2", serve=False, kind="wrong_polarity", text="no"),
    )
    turn = make_turn(expected=expected, predictions=predictions, **overrides)
    return make_planned(turn, stale=stale)


class TestMark:
    @pytest.mark.parametrize(
        ("expected", "stale", "decide", "wanted"),
        [
            pytest.param("match", False, make_serve, Mark.RIGHT_SERVE, id="right one"),
            pytest.param(
                "match", False, lambda one: make_serve(one, "p2"), Mark.WRONG_SERVE, id="wrong one"
            ),
            pytest.param(
                "match",
                False,
                lambda one: make_serve(one, prediction_id="en-999/p1"),
                Mark.WRONG_SERVE,
                id="of another turn",
            ),
            pytest.param("match", False, make_decision, Mark.MISSED, id="missed"),
            pytest.param(
                "match",
                False,
                lambda one: make_decision(one, **_BYPASS),
                Mark.WRONG_BYPASS,
                id="bypassed without need",
            ),
            pytest.param("match", True, make_serve, Mark.WRONG_SERVE, id="served when stale"),
            pytest.param("match", True, make_decision, Mark.RIGHT_MISS, id="missed when stale"),
            pytest.param("absent", False, make_decision, Mark.RIGHT_MISS, id="nothing fits"),
            pytest.param("absent", False, make_serve, Mark.WRONG_SERVE, id="served anyway"),
            pytest.param(
                "language",
                False,
                lambda one: make_decision(one, **_BYPASS),
                Mark.RIGHT_BYPASS,
                id="stranger",
            ),
            pytest.param("language", False, make_decision, Mark.NOT_BYPASSED, id="stranger judged"),
            pytest.param("fragment", False, make_serve, Mark.WRONG_SERVE, id="fragment served"),
            pytest.param("match", False, make_shadow, Mark.RIGHT_SERVE, id="shadow, right"),
            pytest.param(
                "match", False, lambda one: make_shadow(one, "p2"), Mark.WRONG_SERVE, id="shadow"
            ),
        ],
    )
    def test_marks(self, expected, stale, decide, wanted):
        """
        Each way a turn can go has its mark.
        """
        one = planned(Expected(expected), stale=stale)

        assert mark(one, decide(one)) is wanted

    def test_time(self):
        """
        A turn's time is from sending it to having its decision.
        """
        one = planned()

        found = marked(one, make_received(make_serve(one), at_s=9.25), make_sent([one]))

        assert found.took_ms == pytest.approx(250)


class TestSummary:
    def test_all_well(self):
        """
        With one decision a turn and a dead letter a bad record, nothing is wrong.
        """
        one, place = planned(), ("turn.utterances", 0, 7)
        sent = make_sent([one], bad={"bad": place})

        summary = summarise([one], sent, make_answers([make_serve(one)], dead=[place]))

        assert summary.ok
        assert summary.kinds == {"serve": 1}
        assert summary.reasons == {"serve": {"judged": 1}}
        assert summary.wrong_serves == []

    def test_no_decision(self):
        """
        A turn without a decision is named and fails the demo.
        """
        one = planned()

        summary = summarise([one], make_sent([one]), make_answers())

        assert not summary.ok
        assert summary.without_decision == ["en-001"]

    def test_redelivered_turn_with_one_decision(self):
        """
        A turn that was delivered twice and decided once is named and fails the demo.
        """
        one = planned()
        sent = make_sent([one], times={one.key: 2})

        summary = summarise([one], sent, make_answers([make_serve(one)]))

        assert not summary.ok
        assert summary.without_decision == ["en-001"]

    def test_redelivered_turn(self):
        """
        The same bytes twice are one decision; the turn counts once.
        """
        one = planned()
        sent = make_sent([one], times={one.key: 2})
        decision = make_serve(one)

        summary = summarise([one], sent, make_answers([decision, decision]))

        assert summary.ok
        assert (summary.decisions, summary.kinds) == (2, {"serve": 1})
        assert summary.events["redelivered"] == 1

    def test_different_decisions(self):
        """
        Two decisions of a turn that differ in anything are shown and fail the demo.
        """
        one = planned()
        sent = make_sent([one], times={one.key: 2})
        answers = make_answers([make_serve(one), make_decision(one)])

        summary = summarise([one], sent, answers)

        assert not summary.ok
        [difference] = summary.different_decisions
        assert difference.turn == "en-001"
        assert difference.decisions == ["serve ok judged", "miss ok below_threshold"]

    def test_no_dead_letter(self):
        """
        A bad record without a dead letter is named and fails the demo.
        """
        sent = make_sent([], bad={"bad": ("turn.utterances", 0, 7)})

        summary = summarise([], sent, make_answers(dead=[("turn.utterances", 1, 7)]))

        assert not summary.ok
        assert summary.without_dead_letter == ["bad"]
        assert summary.wrong_dead_letters == 1

    def test_groups(self):
        """
        Turns count in all and in their language, strangers together, shadow turns apart.
        """
        english = make_planned(make_turn("en-001"))
        stranger = make_planned(
            make_turn("ur-001", language="ur", expected=Expected.LANGUAGE), seq=1
        )
        shadow = make_planned(make_turn("hi-001", language="hi"), seq=2)
        decisions = [
            make_serve(english),
            make_decision(stranger, **_BYPASS),
            make_shadow(shadow),
        ]
        turns = [english, stranger, shadow]

        marks = summarise(turns, make_sent(turns), make_answers(decisions)).marks

        counted = {
            group: {name: count for name, count in counts.items() if count}
            for group, counts in marks.items()
        }
        assert counted == {
            "all": {"right_serve": 1, "right_bypass": 1},
            "en": {"right_serve": 1},
            "strangers": {"right_bypass": 1},
            "shadow": {"right_serve": 1},
        }

    @pytest.mark.parametrize(
        ("decide", "stale", "kind", "played"),
        [
            pytest.param(lambda one: make_serve(one, "p2"), False, "wrong_polarity", True, id="no"),
            pytest.param(make_serve, True, "stale", True, id="stale"),
            pytest.param(
                lambda one: make_serve(one, prediction_id="x/p1"), False, "foreign", True, id="x"
            ),
            pytest.param(
                lambda one: make_shadow(one, "p2"), False, "wrong_polarity", False, id="shadow"
            ),
        ],
    )
    def test_wrong_serves(self, decide, stale, kind, played):
        """
        A wrong serve is listed with what was said, what was served and what that is.
        """
        one = planned(stale=stale)

        [wrong] = summarise([one], make_sent([one]), make_answers([decide(one)])).wrong_serves

        assert (wrong.turn, wrong.caller, wrong.kind, wrong.played) == (
            "en-001",
            "yes",
            kind,
            played,
        )

    def test_turns_that_are_not_right(self):
        """
        Turns that were missed, or let pass by without need, or judged without need, are named.
        """
        missed = make_planned(make_turn("en-001"))
        passed = make_planned(make_turn("en-002"), seq=1)
        judged = make_planned(make_turn("ur-001", expected=Expected.LANGUAGE), seq=2)
        turns = [missed, passed, judged]
        decisions = [
            make_decision(missed),
            make_decision(passed, **_BYPASS),
            make_decision(judged),
        ]

        summary = summarise(turns, make_sent(turns), make_answers(decisions))

        assert summary.not_right == {
            "missed": ["en-001"],
            "wrong_bypass": ["en-002"],
            "not_bypassed": ["ur-001"],
        }

    def test_wrong_serves_do_not_fail(self):
        """
        A wrong serve is the judge's, so it does not fail the demo.
        """
        one = planned()

        summary = summarise([one], make_sent([one]), make_answers([make_serve(one, "p2")]))

        assert summary.ok

    def test_times(self):
        """
        Stage times come from the first decision of each turn.
        """
        one = planned()
        decision = make_serve(one, timings_ms={"judge": 4.0, "total": 9.0})

        summary = summarise([one], make_sent([one]), make_answers([decision]))

        assert {name: each.p50 for name, each in summary.stages_ms.items()} == {
            "judge": 4.0,
            "total": 9.0,
        }
        assert summary.end_to_end_ms.n == 1

    def test_json(self):
        """
        The summary is one JSON document.
        """
        one = planned()

        summary = summarise([one], make_sent([one]), make_answers([make_serve(one, "p2")]))

        assert orjson.loads(orjson.dumps(summary))["wrong_serves"][0]["turn"] == "en-001"


class TestSpread:
    @pytest.mark.parametrize(
        ("values", "wanted"),
        [
            pytest.param([], (0, 0.0, 0.0), id="nothing"),
            pytest.param([3.0], (1, 3.0, 3.0), id="one"),
            pytest.param([2.0, 1.0], (2, 1.0, 2.0), id="two"),
            pytest.param([float(n) for n in range(1, 101)], (100, 50.0, 95.0), id="hundred"),
        ],
    )
    def test_percentiles(self, values, wanted):
        """
        Percentiles are values that occurred.
        """
        found = spread(values)

        assert (found.n, found.p50, found.p95) == wanted
