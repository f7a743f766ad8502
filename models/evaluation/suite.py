"""
The adversarial gate: pairs that must never be served, judged by the very bytes of a bundle.

One wrong hit fails the bundle. Pairs that may be served stand in a suite so that a judge that
serves nothing is seen for what it is; a miss fails nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.evaluation import measure
from models.evaluation.gate import Result, SuiteError, result_of
from models.evaluation.pairs import Decided, decide_pairs
from models.evaluation.rows import name_of, read_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.judge import Judge

#: The suite that ships.
SUITE = Path(__file__).resolve().parent.parent / "suites" / "gate.jsonl"


@dataclass(frozen=True, slots=True)
class WrongHit:
    """A pair that was served and must not be; a sentence of the suite, so its texts are shown."""

    name: str | int
    language: str | None
    kind: str | None
    utterance: str
    prediction: str
    #: The judge's logit, and that of the reversed order.
    logit: float
    reversed_logit: float


def run_gate(
    judge: Judge, suites: Sequence[Path], *, judge_only: bool = False, script_guard: bool = False
) -> Result[WrongHit]:
    """
    Decide every pair of the suites.

    Args:
        judge: loaded from the bundle, with the threads that it will serve with.
        suites: files of labelled pairs.
        judge_only: let no guard, exact tier or second opinion help the model.
        script_guard: let the cross-script guard help too.

    Raises:
        RowError: a row is no pair.
        SuiteError: no pair must be kept apart.
        InferenceError: the judge failed.
    """
    pairs = read_pairs(suites)
    if all(pair.label for pair in pairs):
        raise SuiteError("no pair of the suite has label 0, so no bundle could fail it")
    decided = decide_pairs(pairs, judge, script_guard=script_guard)
    scored = measure.judge_only(decided) if judge_only else measure.as_served(decided)
    several = len({pair.file for pair in pairs}) > 1
    return result_of(
        scored,
        suites,
        lambda place: _wrong_hit(decided, place, several=several),
        reasons=measure.ends(decided),
    )


def _wrong_hit(decided: Decided, place: int, *, several: bool) -> WrongHit:
    pair = decided.pairs[place]
    return WrongHit(
        name=name_of(pair, several=several),
        language=pair.language,
        kind=pair.kind,
        utterance=pair.utterance,
        prediction=pair.prediction,
        logit=float(decided.logits[place]),
        reversed_logit=float(decided.reversed_logits[place]),
    )
