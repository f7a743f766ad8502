"""
Holds the routed turns against the labels; plain values in, plain values out.

Health fails the demo, as it does for the other turns; a wrong route is counted and shown.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from topics.decision import Decision, Kind
from workers.demo.collect import Answers
from workers.demo.play import Sent
from workers.demo.routes.data import RouteData
from workers.demo.routes.summary import RouteMark, RouteSummary, WrongRoute
from workers.demo.score import TRAINED, spread, summarise
from workers.demo.script import PlannedTurn

#: How the router's reasons begin.
_ROUTER = "route_"
#: The router's step among a decision's timings.
_STAGE = "route"

_Decided = tuple[PlannedTurn, str | None, Decision]


def mark(meant: str | None, decision: Decision) -> RouteMark:
    """Say how one turn went; `meant` is None where it means none of the agent's intents."""
    if decision.kind is Kind.SERVE:
        return RouteMark.WRONG_SERVE
    if decision.kind is Kind.ROUTE:
        return RouteMark.RIGHT_ROUTE if decision.intent == meant else RouteMark.WRONG_ROUTE
    return RouteMark.RIGHT_MISS if meant is None else RouteMark.ABSTAINED


def summarise_routes(
    data: RouteData,
    turns: Sequence[PlannedTurn],
    sent: Sent,
    answers: Answers,
    *,
    routers_ready: bool,
) -> RouteSummary:
    """Hold everything that came against everything that was sent."""
    # Dead letters are those of other turns.
    whole = summarise(turns, sent, Answers(decisions=answers.decisions))
    decided: list[_Decided] = [
        # A turn that comes after its successor may not be played, whatever it means.
        (
            planned,
            None if planned.stale else data.meant[planned.turn.turn_id],
            answers.decisions[planned.key][0].decision,
        )
        for planned in turns
        if answers.decisions.get(planned.key)
    ]
    return RouteSummary(
        ok=whole.ok,
        turns=len(turns),
        redelivered=whole.events["redelivered"],
        agents=len(data.tenants),
        intents=len({(one.agent, one.intent) for one in data.phrases if one.intent}),
        routers_ready=routers_ready,
        without_decision=whole.without_decision,
        different_decisions=whole.different_decisions,
        kinds=whole.kinds,
        not_routed=_not_routed(decision for _, _, decision in decided),
        marks=_marks(decided),
        wrong_routes=[
            WrongRoute(
                turn=planned.turn.turn_id,
                caller=planned.turn.text,
                intent=decision.intent or "",
                meant=meant,
            )
            for planned, meant, decision in decided
            if mark(meant, decision) is RouteMark.WRONG_ROUTE
        ],
        route_ms=whole.stages_ms.get(_STAGE, spread([])),
        end_to_end_ms=whole.end_to_end_ms,
    )


def _not_routed(decisions: Iterable[Decision]) -> dict[str, int]:
    found = Counter(
        str(reason)
        for decision in decisions
        for reason in decision.reasons
        if reason.startswith(_ROUTER)
    )
    return dict(found.most_common())


def _marks(decided: Iterable[_Decided]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {}
    for planned, meant, decision in decided:
        for group in ("all", planned.turn.language):
            counted.setdefault(group, Counter())[str(mark(meant, decision))] += 1
    return {
        group: {str(name): counted[group][str(name)] for name in RouteMark}
        for group in ("all", *TRAINED)
        if group in counted
    }
