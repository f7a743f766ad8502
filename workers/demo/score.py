"""
Holds what came against what should have come; plain values in, plain values out.

What makes the demo fail is here too: an event without a decision, or with two different ones, or
bytes that are no event and got no dead letter. A wrong serve is counted and shown, and does not
fail the demo: it is the judge's quality, not the machine's health.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from topics.decision import Decision, Kind
from topics.profile import Mode
from workers.demo.collect import Answers, Received
from workers.demo.data import Expected
from workers.demo.play import Sent, TurnKey
from workers.demo.script import PlannedTurn
from workers.demo.summary import Difference, Mark, Spread, Summary, WrongServe

#: Languages that the bundle was trained on; the others are strangers.
TRAINED = ("en", "hi", "hinglish", "ar")
_NOT_RIGHT = (Mark.MISSED, Mark.WRONG_BYPASS, Mark.NOT_BYPASSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """One turn with its decision and mark."""

    planned: PlannedTurn
    decision: Decision
    mark: Mark
    #: The prediction that was served, or would have been in live mode.
    prediction_id: str | None
    #: Sent to decision in hand, milliseconds.
    took_ms: float


def mark(planned: PlannedTurn, decision: Decision) -> Mark:
    """Say how one turn went; a shadow decision is taken for what live would have done."""
    expected = planned.turn.expected
    served = effective(decision)
    if served is not None:
        may = {each.prediction_id for each in planned.turn.predictions if each.serve}
        return Mark.RIGHT_SERVE if served in may and not planned.stale else Mark.WRONG_SERVE
    if decision.kind is Kind.BYPASS:
        return Mark.RIGHT_BYPASS if expected.bypass else Mark.WRONG_BYPASS
    if expected.bypass:
        return Mark.NOT_BYPASSED
    nothing_fits = planned.stale or expected is Expected.ABSENT
    return Mark.RIGHT_MISS if nothing_fits else Mark.MISSED


def effective(decision: Decision) -> str | None:
    """Return the prediction that was served, or would have been without shadow mode."""
    if decision.kind is Kind.SERVE:
        return decision.prediction_id
    if decision.would_have is not None and decision.would_have.kind is Kind.SERVE:
        return decision.would_have.prediction_id
    return None


def marked(planned: PlannedTurn, received: Received, sent: Sent) -> Marked:
    """Mark one turn by the first decision that came of it."""
    return Marked(
        planned=planned,
        decision=received.decision,
        mark=mark(planned, received.decision),
        prediction_id=effective(received.decision),
        took_ms=(received.at_s - sent.utterances[planned.key]) * 1e3,
    )


def summarise(turns: Sequence[PlannedTurn], sent: Sent, answers: Answers) -> Summary:
    """Hold everything that came against everything that was sent."""
    found = {
        planned.key: list(answers.decisions[planned.key])
        for planned in turns
        if answers.decisions.get(planned.key)
    }
    decided = [
        marked(planned, found[planned.key][0], sent) for planned in turns if planned.key in found
    ]
    without = [
        planned.turn.turn_id
        for planned in turns
        if len(found.get(planned.key, ())) < sent.times.get(planned.key, 1)
    ]
    different = list(_differences(turns, found))
    undead = [name for name, place in sent.bad.items() if place not in answers.dead]
    wrong_dead = len(set(answers.dead) - set(sent.bad.values()))
    return Summary(
        ok=not (without or different or undead or wrong_dead),
        events={
            "turns": len(sent.utterances),
            "redelivered": sum(sent.times.values()) - len(sent.times),
            "bad_records": len(sent.bad),
            "predictions": sent.predictions,
        },
        decisions=sum(len(received) for received in found.values()),
        without_decision=without,
        different_decisions=different,
        without_dead_letter=undead,
        wrong_dead_letters=wrong_dead,
        kinds=dict(Counter(str(each.decision.kind) for each in decided)),
        statuses=dict(Counter(str(each.decision.status) for each in decided)),
        reasons=_reasons(decided),
        marks=_marks(decided),
        not_right={str(name): _with_mark(decided, name) for name in _NOT_RIGHT},
        wrong_serves=[_wrong(each) for each in decided if each.mark is Mark.WRONG_SERVE],
        stages_ms=_stages(decided),
        end_to_end_ms=spread([each.took_ms for each in decided]),
    )


def _differences(
    turns: Iterable[PlannedTurn], found: Mapping[TurnKey, Sequence[Received]]
) -> Iterator[Difference]:
    for planned in turns:
        received = found.get(planned.key, ())
        if len({each.value for each in received}) > 1:
            in_short = [_in_short(each) for each in received]
            yield Difference(turn=planned.turn.turn_id, decisions=in_short)


def _in_short(received: Received) -> str:
    decision = received.decision
    return f"{decision.kind} {decision.status} {', '.join(decision.reasons)}"


def _reasons(decided: Iterable[Marked]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {}
    for each in decided:
        reasons = counted.setdefault(str(each.decision.kind), Counter())
        reasons[str(each.decision.reasons[0])] += 1
    return {kind: dict(reasons.most_common()) for kind, reasons in counted.items()}


def groups(each: Marked) -> list[str]:
    """Name the groups that a turn counts in; shadow turns count apart, since nothing was played."""
    if each.decision.mode is Mode.SHADOW:
        return ["shadow"]
    language = each.planned.turn.language
    return ["all", language if language in TRAINED else "strangers"]


def _marks(decided: Iterable[Marked]) -> dict[str, dict[str, int]]:
    counted: dict[str, Counter[str]] = {}
    for each in decided:
        for group in groups(each):
            counted.setdefault(group, Counter())[str(each.mark)] += 1
    order = ("all", *TRAINED, "strangers", "shadow")
    return {
        group: {str(name): counted[group][name] for name in Mark}
        for group in order
        if group in counted
    }


def _with_mark(decided: Iterable[Marked], name: Mark) -> list[str]:
    return [each.planned.turn.turn_id for each in decided if each.mark is name]


def _wrong(each: Marked) -> WrongServe:
    predictions = {one.prediction_id: one for one in each.planned.turn.predictions}
    served = predictions.get(each.prediction_id or "")
    kind = served.kind if served else "foreign"
    return WrongServe(
        turn=each.planned.turn.turn_id,
        language=each.planned.turn.language,
        caller=each.planned.turn.text,
        prediction=served.text if served else "(a prediction of another turn)",
        kind="stale" if served and served.serve else kind,
        played=each.decision.playable,
    )


def _stages(decided: Iterable[Marked]) -> dict[str, Spread]:
    times: dict[str, list[float]] = {}
    for each in decided:
        for stage, took_ms in each.decision.timings_ms.items():
            times.setdefault(stage, []).append(took_ms)
    return {stage: spread(values) for stage, values in times.items()}


def spread(values: Sequence[float]) -> Spread:
    """Return the nearest-rank percentiles; zeros where there is nothing."""
    ordered = sorted(values)
    return Spread(n=len(ordered), p50=_rank(ordered, 50), p95=_rank(ordered, 95))


def _rank(ordered: Sequence[float], percent: int) -> float:
    if not ordered:
        return 0.0
    place = -(-len(ordered) * percent // 100) - 1
    return round(ordered[max(0, place)], 3)
