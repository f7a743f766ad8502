"""What the demo finds of the routed turns, as values."""

from dataclasses import dataclass
from enum import StrEnum

from workers.demo.summary import Difference, Spread


class RouteMark(StrEnum):
    """How one turn of an agent with intents went."""

    #: Routed to the intent that is meant.
    RIGHT_ROUTE = "right_route"
    #: Routed to another one, or though none is meant.
    WRONG_ROUTE = "wrong_route"
    #: An intent is meant, and the turn went to the LLM.
    ABSTAINED = "abstained"
    #: None is meant, and the turn went to the LLM.
    RIGHT_MISS = "right_miss"
    #: A prediction was served, and none fits.
    WRONG_SERVE = "wrong_serve"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongRoute:
    """A route that should not have been; public text, so it may be shown."""

    turn: str
    caller: str
    intent: str
    #: What the caller meant; None for none of the intents.
    meant: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteSummary:
    """What became of the turns of agents with intents."""

    #: Nothing is missing and nothing differs.
    ok: bool
    turns: int
    redelivered: int
    agents: int
    intents: int
    #: Every worker had every router before the first turn.
    routers_ready: bool
    #: Turns without a decision, or with fewer than their utterance was sent.
    without_decision: list[str]
    #: Turns whose decisions differ in a byte.
    different_decisions: list[Difference]
    #: Turns by kind of decision.
    kinds: dict[str, int]
    #: Why the router did not route, by turns.
    not_routed: dict[str, int]
    #: Turns by group and mark.
    marks: dict[str, dict[str, int]]
    wrong_routes: list[WrongRoute]
    #: The router's own step.
    route_ms: Spread
    #: Utterance sent to decision in hand.
    end_to_end_ms: Spread
