"""
What is sent when: the demo's turns as calls that overlap, and what goes wrong in them on purpose.

Each turn's predictions go out a moment before the caller speaks. Now and then a record comes twice,
a turn comes after its successor, and bytes come that are no event.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from workers.demo.data import BadRecord, DemoData, DemoTurn, evenly

#: Turns of one call, at most.
CALL_TURNS = 5
#: Calls that overlap.
CALLS_AT_ONCE = 8
#: Every so-manyth turn is delivered again, and how much later, seconds.
REDELIVERED_EVERY = 25
REDELIVERED_AFTER_S = 3.0
#: In the first and every so-manyth long call a turn comes after its successor.
STALE_EVERY = 30
#: Calls this long can have a stale turn: the one before last.
_LONG_CALL = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTurn:
    """A turn with its place in a call."""

    turn: DemoTurn
    #: Who owns the agent.
    tenant: str
    #: The call; tenants may use the same name.
    call_id: str
    #: Which turn of the call, from 0.
    seq: int
    #: It will come after its successor, so nothing may be played.
    stale: bool = False

    @property
    def key(self) -> tuple[str, str, int]:
        """What a decision of it carries: tenant, call and turn."""
        return (self.tenant, self.call_id, self.seq)


@dataclass(frozen=True, slots=True, kw_only=True)
class SendPredictions:
    """The agent's LLM has predicted what the caller may say."""

    at_s: float
    planned: PlannedTurn


@dataclass(frozen=True, slots=True, kw_only=True)
class SendUtterance:
    """The caller has spoken."""

    at_s: float
    planned: PlannedTurn
    #: The same record once more, byte for byte.
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SendBad:
    """Somebody sends rubbish."""

    at_s: float
    record: BadRecord


Step = SendPredictions | SendUtterance | SendBad


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The whole demo."""

    #: In the order of their time, seconds from the start.
    steps: tuple[Step, ...]
    #: All turns, in the order in which the callers speak.
    turns: tuple[PlannedTurn, ...]


def write_script(
    data: DemoData, *, turns: int, rate: float, lead_s: float, name: str = "call"
) -> Script:
    """
    Plan the demo; the same data gives the same plan.

    Args:
        data: what to play.
        turns: how many of the turns, taken evenly from all of them; all if there are fewer.
        rate: caller turns a second.
        lead_s: how long before the caller speaks the predictions are there, seconds.
        name: what calls are named for, so that those of two scripts can be told apart.

    """
    tenants = {agent.agent: agent.tenant for agent in data.agents}
    calls = _calls(evenly(data.turns, turns), tenants, name)
    order = [turn for wave in _waves(calls) for turn in wave]
    spoken = {planned.key: lead_s + place / rate for place, planned in enumerate(order)}
    steps: list[Step] = []
    for place, planned in enumerate(order):
        at_s = spoken[planned.key]
        steps.append(SendPredictions(at_s=at_s - lead_s, planned=planned))
        steps.append(SendUtterance(at_s=at_s, planned=planned))
        if place % REDELIVERED_EVERY == 0:
            again_s = at_s + REDELIVERED_AFTER_S
            steps.append(SendUtterance(at_s=again_s, planned=planned, again=True))
    for number, record in enumerate(data.bad_records, start=1):
        share = number / (len(data.bad_records) + 1)
        steps.append(SendBad(at_s=lead_s + share * len(order) / rate, record=record))
    return Script(steps=tuple(sorted(steps, key=lambda step: step.at_s)), turns=tuple(order))


def _calls(
    turns: Iterable[DemoTurn], tenants: dict[str, str], name: str
) -> list[list[PlannedTurn]]:
    """Put the turns of one agent and language into calls, languages mixed."""
    groups: dict[tuple[str, str], list[DemoTurn]] = defaultdict(list)
    for turn in turns:
        groups[turn.agent, turn.language].append(turn)
    chunks = [
        [group[start : start + CALL_TURNS] for start in range(0, len(group), CALL_TURNS)]
        for group in groups.values()
    ]
    mixed = [chunk for round_ in zip_longest(*chunks) for chunk in round_ if chunk is not None]
    numbers: dict[str, int] = defaultdict(int)
    long_calls = 0
    calls = []
    for chunk in mixed:
        tenant = tenants[chunk[0].agent]
        numbers[tenant] += 1
        stale = None
        if len(chunk) >= _LONG_CALL:
            stale = len(chunk) - 2 if long_calls % STALE_EVERY == 0 else None
            long_calls += 1
        calls.append(_call(chunk, tenant, f"{name}-{numbers[tenant]:03d}", stale))
    return calls


def _call(
    turns: Sequence[DemoTurn], tenant: str, call_id: str, stale: int | None
) -> list[PlannedTurn]:
    """Return the turns of one call in the order in which they come."""
    planned = [
        PlannedTurn(turn=turn, tenant=tenant, call_id=call_id, seq=seq, stale=seq == stale)
        for seq, turn in enumerate(turns)
    ]
    if stale is not None:
        planned[stale], planned[stale + 1] = planned[stale + 1], planned[stale]
    return planned


def _waves(calls: Sequence[Sequence[PlannedTurn]]) -> Iterable[list[PlannedTurn]]:
    """Let some calls overlap: the first turn of each, the second of each, and so on."""
    for start in range(0, len(calls), CALLS_AT_ONCE):
        wave = calls[start : start + CALLS_AT_ONCE]
        for together in zip_longest(*wave):
            yield [planned for planned in together if planned is not None]
