"""
The independent verifier: reads what went in and what came out, and says which promise was broken.

* I1  nothing is lost: each valid event has a decision, each invalid record a dead letter that holds
      it, and nothing else came out
* I2  all decisions of one event, and all dead letters of one record, are identical but for timing
* I3  per call, decisions in the order of the events, after repeats are removed; one partition; a
      turn older than one already decided is never playable
* I5  tenant, agent and served prediction of a decision are the event's

It works on raw records and shares no code with the system under test.
"""

import base64
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.evidence import Evidence, Place, Turn, Violation, gather, turn_of
from tests.records import Record, read_all

#: What may differ between two decisions of one event.
TIMING_FIELDS = frozenset({"timings_ms", "received_at_ms", "decided_at_ms"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What was found, to compare with the system's own counters."""

    valid: int
    invalid: int
    #: Distinct turns among the valid events.
    turns: int
    #: Valid events that repeat a turn with another payload.
    conflicts: int
    decisions: int
    #: Decisions beyond the first of each turn.
    repeated_decisions: int
    dead_letters: int
    repeated_dead_letters: int
    #: First decisions of each turn, by kind and status, as "miss/timeout".
    outcomes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict."""

    counts: Counts
    violations: tuple[Violation, ...]

    @property
    def ok(self) -> bool:
        """Whether every promise held."""
        return not self.violations

    def broken(self) -> set[str]:
        """Name the invariants that did not hold."""
        return {violation.invariant for violation in self.violations}

    def __str__(self) -> str:
        """List the first violations."""
        lines = [f"{len(self.violations)} violations, {self.counts}"]
        lines += [f"  {each.invariant}: {each.what}" for each in self.violations[:20]]
        return "\n".join(lines)


async def verify_topics(address: str, *, prefix: str = "") -> Report:
    """Read the topics of the hot path from a broker and verify them."""
    utterances = await read_all(address, f"{prefix}turn.utterances")
    return verify(
        utterances=utterances,
        decisions=await read_all(address, f"{prefix}turn.decisions"),
        dead_letters=await read_all(address, f"{prefix}dead.letters"),
        predictions=await read_all(address, f"{prefix}turn.predictions"),
    )


def verify(
    *,
    utterances: Sequence[Record],
    decisions: Sequence[Record],
    dead_letters: Sequence[Record],
    predictions: Sequence[Record] = (),
    validity: Mapping[Place, bool] | None = None,
) -> Report:
    """
    Verify one run.

    Args:
        utterances: everything on the input topic.
        decisions: everything on the output topic.
        dead_letters: everything on the dead letters; those of other topics are left alone.
        predictions: everything that was offered; without any, served predictions are not checked.
        validity: what the driver knows about its own records, by place; it goes before our rules.

    """
    found = gather(utterances, decisions, dead_letters, predictions, validity or {})
    violations = (
        *found.unreadable,
        *_lost(found),
        *_unasked(found),
        *_wrong_letters(found),
        *_differing(found),
        *_out_of_order(found),
        *_foreign(found),
    )
    return Report(_count(found), violations)


def _lost(found: Evidence) -> Iterator[Violation]:
    decided = {turn_of(decision) for _, decision in found.decisions}
    for turn, place in found.first_in.items():
        if turn not in decided:
            yield Violation("I1", f"the event {turn} at {place} has no decision")
    for place in sorted(found.invalid - found.letters.keys()):
        yield Violation("I1", f"the invalid record at {place} has no dead letter")


def _unasked(found: Evidence) -> Iterator[Violation]:
    tenants = _tenants_by_position(found)
    for place, decision in found.decisions:
        turn = turn_of(decision)
        if turn not in found.events and turn[1:] not in tenants:
            yield Violation("I1", f"the decision at {place} answers {turn}, which nobody sent")
    for place in found.letters.keys() - found.sources.keys():
        yield Violation("I1", f"a dead letter names {place}, where nothing lies")


def _wrong_letters(found: Evidence) -> Iterator[Violation]:
    for place, letters in found.letters.items():
        source = found.sources.get(place)
        for letter in letters:
            if not letter.get("reason"):
                yield Violation("I1", f"the dead letter of {place} gives no reason")
            if source is not None and not _holds(letter, source.value):
                yield Violation("I1", f"the dead letter of {place} does not hold the record")


def _holds(letter: Mapping[str, Any], value: bytes | None) -> bool:
    encoded = letter.get("value_base64")
    if value is None or encoded is None:
        return value is None and encoded is None
    held = base64.b64decode(encoded)
    whole = not letter.get("value_truncated", False)
    return (
        (held == value if whole else value.startswith(held))
        and letter.get("value_bytes") == len(value)
        and letter.get("value_sha256") == hashlib.sha256(value).hexdigest()
    )


def _differing(found: Evidence) -> Iterator[Violation]:
    first: dict[Turn, tuple[Place, dict[str, Any]]] = {}
    turns_by_id: dict[str, Turn] = {}
    for place, decision in found.decisions:
        turn = turn_of(decision)
        earlier_place, earlier = first.setdefault(turn, (place, decision))
        differing = sorted(_differing_fields(earlier, decision))
        if differing:
            what = f"decisions of {turn} at {earlier_place} and {place} differ in {differing}"
            yield Violation("I2", what)
        owner = turns_by_id.setdefault(decision["decision_id"], turn)
        if owner != turn:
            yield Violation("I2", f"{owner} and {turn} share one decision id")
    for place, letters in found.letters.items():
        distinct = {_without(letter, {"refused_at_ms"}) for letter in letters}
        if len(distinct) > 1:
            yield Violation("I2", f"the dead letters of {place} differ")


def _differing_fields(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for name in (one.keys() | other.keys()) - TIMING_FIELDS:
        # As text: a score that changes from 1 to 1.0 or a missing field is a difference too.
        if json.dumps(one.get(name), sort_keys=True) != json.dumps(other.get(name), sort_keys=True):
            yield name


def _without(letter: Mapping[str, Any], names: set[str]) -> str:
    return json.dumps({k: v for k, v in letter.items() if k not in names}, sort_keys=True)


def _out_of_order(found: Evidence) -> Iterator[Violation]:
    by_call: dict[tuple[str, str], list[tuple[Place, dict[str, Any]]]] = defaultdict(list)
    seen: set[Turn] = set()
    for place, decision in found.decisions:
        if turn_of(decision) not in seen:
            seen.add(turn_of(decision))
            by_call[turn_of(decision)[:2]].append((place, decision))
    for call, decided in by_call.items():
        if len({place[0] for place, _ in decided}) > 1:
            yield Violation("I3", f"decisions of call {call} lie on several partitions")
        came_in = [
            found.first_in[turn] for _, d in decided if (turn := turn_of(d)) in found.first_in
        ]
        if came_in != sorted(came_in):
            yield Violation("I3", f"decisions of call {call} are not in the order of its events")
        newest = -1
        for place, decision in decided:
            if decision.get("playable") and decision["seq"] < newest:
                yield Violation("I3", f"the stale decision at {place} of {call} is playable")
            newest = max(newest, decision["seq"])


def _foreign(found: Evidence) -> Iterator[Violation]:
    tenants = _tenants_by_position(found)
    for place, decision in found.decisions:
        turn = turn_of(decision)
        if turn not in found.events:
            if turn[1:] in tenants:
                owners = sorted(tenants[turn[1:]])
                yield Violation("I5", f"the decision at {place} names {turn[0]}, not {owners}")
            continue
        if decision.get("agent_id") not in {each["agent_id"] for each in found.events[turn]}:
            yield Violation("I5", f"the decision at {place} names another agent than {turn}")
        if found.offered and decision["kind"] == "serve" and not _was_offered(found, decision):
            yield Violation("I5", f"the decision at {place} serves what {turn} may not be served")


def _was_offered(found: Evidence, decision: Mapping[str, Any]) -> bool:
    served = ("prediction_id", "response_ref", "response")
    return any(
        not offer.get("side_effect")
        and all(offer.get(name) == decision.get(name) for name in served)
        for offer in found.offered.get(turn_of(decision), [])
    )


def _tenants_by_position(found: Evidence) -> dict[tuple[str, int], set[str]]:
    tenants: dict[tuple[str, int], set[str]] = defaultdict(set)
    for tenant, call, seq in found.events:
        tenants[call, seq].add(tenant)
    return tenants


def _count(found: Evidence) -> Counts:
    payloads = {
        turn: {json.dumps(event, sort_keys=True) for event in events}
        for turn, events in found.events.items()
    }
    first = {turn_of(decision): decision for _, decision in reversed(found.decisions)}
    outcomes = Counter(f"{each['kind']}/{each['status']}" for each in first.values())
    letters = sum(map(len, found.letters.values()))
    return Counts(
        valid=sum(map(len, found.events.values())),
        invalid=len(found.invalid),
        turns=len(found.events),
        conflicts=sum(len(each) - 1 for each in payloads.values()),
        decisions=len(found.decisions),
        repeated_decisions=len(found.decisions) - len(first),
        dead_letters=letters,
        repeated_dead_letters=letters - len(found.letters),
        outcomes=dict(sorted(outcomes.items())),
    )
