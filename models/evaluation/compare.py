"""
Two judges on the same turns: what either would serve, each at its own threshold.

Guards, exact tier and shortlist come before the judges and are the same for both, so that every
difference is a judge's.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from models.evaluation import turns
from models.evaluation.rows import name_of
from models.evaluation.turns import Outcome, encode, look, prepare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.evaluation.traffic import Case
    from models.evaluation.turns import Gate


class End(StrEnum):
    """How the outcomes of a turn go together."""

    #: Both serve the same prediction, or two that have the same reply.
    SAME = "both_same"
    #: Neither serves.
    NEITHER = "neither"
    #: Only the first serves.
    ONLY_A = "only_a"
    #: Only the second serves.
    ONLY_B = "only_b"
    #: They serve predictions with different replies.
    DIFFERENT = "both_different"


AGREEMENTS = (End.SAME, End.NEITHER)


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn as both decided it."""

    case: Case
    a: Outcome
    b: Outcome

    @property
    def end(self) -> End:
        """How the two go together."""
        a, b = self.a.served, self.b.served
        if a is None or b is None:
            return _ONE_SERVES[a is not None, b is not None]
        return End.SAME if a == b or self._same_reply(a, b) else End.DIFFERENT

    def _same_reply(self, a: int, b: int) -> bool:
        replies = {one.prediction_id: (one.response_ref, one.response) for one in self.case.options}
        reply = replies[str(a)]
        # Without a reply in the event nobody knows what would be played.
        return reply == replies[str(b)] and reply != (None, None)


_ONE_SERVES = {
    (True, False): End.ONLY_A,
    (False, True): End.ONLY_B,
    (False, False): End.NEITHER,
}


def compare(cases: Iterable[Case], a: Gate, b: Gate) -> list[Compared]:
    """
    Let two gates that differ in their judge alone decide each turn.

    The judges take turns in going first, so that neither finds the caches warm more often.

    Raises:
        InferenceError: a model failed.
    """
    found = []
    for number, case in enumerate(cases):
        ready = prepare(case.turn, case.options, hint=case.hint)
        if ready.ended is not None:
            found.append(Compared(case, ready.ended, ready.ended))
            continue
        vectors = encode(ready, a)
        gates = (a, b) if number % 2 == 0 else (b, a)
        outcomes = {id(gate): look(ready, vectors, gate) for gate in gates}
        found.append(Compared(case, outcomes[id(a)], outcomes[id(b)]))
    return found


def summarise(compared: Sequence[Compared]) -> dict[str, Any]:
    """
    Count agreements and differences.

    Returns:
        Under `ends` the turns of each end, and how many serves of either are right and wrong where
        labels are known; under `a` and `b` the measures of each, with the time that its judge took
        a turn; under `differences` each turn that they do not agree on, by id or row, with both
        logits of what was served. Predictions are numbered from 1. No text.
    """
    by_end: dict[End, list[Compared]] = defaultdict(list)
    for one in compared:
        by_end[one.end].append(one)
    agree = sum(len(by_end[end]) for end in AGREEMENTS)
    several = len({one.case.turn.file for one in compared}) > 1
    return {
        "turns": len(compared),
        "agree": agree,
        "differ": len(compared) - agree,
        "ends": {str(end): _end(by_end[end]) for end in End},
        "a": _side([one.a for one in compared]),
        "b": _side([one.b for one in compared]),
        "differences": [
            _difference(one, several=several) for one in compared if one.end not in AGREEMENTS
        ],
    }


def _end(compared: Sequence[Compared]) -> dict[str, int]:
    return {
        "turns": len(compared),
        "a_right": sum(one.a.right for one in compared),
        "a_wrong": sum(one.a.wrong for one in compared),
        "b_right": sum(one.b.right for one in compared),
        "b_wrong": sum(one.b.wrong for one in compared),
    }


def _side(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    took_ms = [one.scores.timings_ms["judge"] for one in outcomes if one.scores is not None]
    p50, p95 = np.percentile(took_ms, (50, 95)) if took_ms else (None, None)
    unlabelled = sum(one.served is not None and one.label is None for one in outcomes)
    return turns.measure(outcomes) | {
        "served_unlabelled": unlabelled,
        "judged": len(took_ms),
        # The whole shortlist, and the second opinion where one was asked for.
        "judge_p50_ms": None if p50 is None else round(float(p50), 2),
        "judge_p95_ms": None if p95 is None else round(float(p95), 2),
    }


def _difference(one: Compared, *, several: bool) -> dict[str, Any]:
    served = dict.fromkeys(place for place in (one.a.served, one.b.served) if place is not None)
    return {
        "id": name_of(one.case.turn, several=several),
        "end": one.end,
        "a": {"served": _number(one.a.served), "reason": one.a.reason},
        "b": {"served": _number(one.b.served), "reason": one.b.reason},
        "predictions": [
            {
                "prediction": _number(place),
                "logit_a": _logit(one.case, one.a, place),
                "logit_b": _logit(one.case, one.b, place),
                "label": one.case.turn.predictions[place][1],
            }
            for place in served
        ],
    }


def _number(place: int | None) -> int | None:
    return None if place is None else place + 1


def _logit(case: Case, outcome: Outcome, place: int) -> float | None:
    """The judge's logit of a prediction; None where it could not read the pair to its end."""
    if outcome.scores is None or outcome.scores.logits is None:
        return None
    logits = zip(outcome.scores.order, outcome.scores.logits, strict=True)
    names = {case.options[index].prediction_id: logit for index, logit in logits}
    logit = names.get(str(place))
    return None if logit is None else round(logit, 4)
