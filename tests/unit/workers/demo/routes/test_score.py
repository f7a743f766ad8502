"""Routed turns are held against the labels."""

import io

import pytest
from rich.console import Console

from tests.unit.workers.demo.factories import (
    make_answers,
    make_decision,
    make_planned,
    make_sent,
    make_serve,
    make_turn,
)
from topics.decision import Kind, Reason
from workers.demo.routes.data import RouteData
from workers.demo.routes.score import mark, summarise_routes
from workers.demo.routes.show import show_routes
from workers.demo.routes.summary import RouteMark


def make_route(planned, intent="hours"):
    """Make a decision that routes a turn."""
    return make_decision(
        planned,
        kind=Kind.ROUTE,
        reasons=(Reason.ROUTED, Reason.BELOW_THRESHOLD),
        intent=intent,
        playable=True,
        timings_ms={"total": 5.0, "route": 0.5},
    )


def make_unclear(planned):
    """Make a decision of which the router was not sure."""
    return make_decision(planned, reasons=(Reason.BELOW_THRESHOLD, Reason.ROUTE_UNCLEAR))


def summary_of(*decisions, meant="hours", planned=None, ready=True):
    """Summarise one turn."""
    planned = planned or make_planned(make_turn())
    data = RouteData(
        tenants={"bank": "t"},
        phrases=(),
        turns=(planned.turn,),
        meant={planned.turn.turn_id: meant},
    )
    return summarise_routes(
        data, [planned], make_sent([planned]), make_answers(decisions), routers_ready=ready
    )


class TestMark:
    @pytest.mark.parametrize(
        ("meant", "make", "expected"),
        [
            pytest.param("hours", make_route, RouteMark.RIGHT_ROUTE, id="right"),
            pytest.param("refund", make_route, RouteMark.WRONG_ROUTE, id="another intent"),
            pytest.param(None, make_route, RouteMark.WRONG_ROUTE, id="none is meant"),
            pytest.param("hours", make_unclear, RouteMark.ABSTAINED, id="abstained"),
            pytest.param(None, make_unclear, RouteMark.RIGHT_MISS, id="right miss"),
            pytest.param("hours", make_serve, RouteMark.WRONG_SERVE, id="served"),
        ],
    )
    def test_mark(self, meant, make, expected):
        """
        A route is right where its intent is meant; the rest goes to the LLM, rightly or not.
        """
        assert mark(meant, make(make_planned())) is expected


class TestSummary:
    def test_all_well(self):
        """
        One decision a turn is all well, with marks and the router's time.
        """
        found = summary_of(make_route(make_planned()))

        assert found.ok
        assert found.kinds == {"route": 1}
        assert found.marks["all"]["right_route"] == found.marks["en"]["right_route"] == 1
        assert (found.route_ms.n, found.route_ms.p50) == (1, 0.5)
        assert found.wrong_routes == []

    def test_wrong_route(self):
        """
        A wrong route is listed with what was meant, and does not fail the demo.
        """
        found = summary_of(make_route(make_planned()), meant="refund")

        [wrong] = found.wrong_routes
        assert found.ok
        assert (wrong.intent, wrong.meant, wrong.caller) == ("hours", "refund", "yes")

    def test_stale(self):
        """
        A turn that comes after its successor must not be routed, whatever it means.
        """
        planned = make_planned(stale=True)

        assert summary_of(make_route(planned), planned=planned).marks["all"]["wrong_route"] == 1

    def test_why_not(self):
        """
        Why the router did not route is counted.
        """
        assert summary_of(make_unclear(make_planned())).not_routed == {"route_unclear": 1}

    def test_missing_and_other_dead_letters(self):
        """
        A turn without a decision is named; decisions and dead letters of other turns do not matter.
        """
        planned = make_planned()
        other = make_planned(call_id="another")
        answers = make_answers([make_route(other)], dead=[("turn.utterances", 0, 1)])
        data = RouteData(tenants={}, phrases=(), turns=(planned.turn,), meant={"en-001": None})

        def summarise(sent):
            return summarise_routes(data, [sent], make_sent([sent]), answers, routers_ready=True)

        assert summarise(planned).without_decision == ["en-001"]
        assert summarise(other).ok


class TestShow:
    @pytest.mark.parametrize(
        ("summary", "said"),
        [
            pytest.param(summary_of(make_route(make_planned())), "has one decision", id="all well"),
            pytest.param(
                summary_of(make_route(make_planned()), meant=None),
                "wrong route: en-001 'yes' to hours, meant none of the intents",
                id="wrong",
            ),
            pytest.param(summary_of(), "without a decision: en-001", id="missing"),
            pytest.param(summary_of(ready=False), "routers were compiled in time", id="not ready"),
        ],
    )
    def test_said(self, summary, said):
        """
        What is wrong is named, and what is well is said.
        """
        console = Console(file=io.StringIO(), width=200, markup=False, highlight=False)

        show_routes(console, summary)

        assert said in console.file.getvalue()
        assert ("has one decision" in console.file.getvalue()) == summary.ok
