"""
The adversarial gate: pairs that must never be served, judged by the very bytes of a bundle.

One wrong hit fails the bundle. Pairs that may be served stand in a suite so that a judge that
serves nothing is seen for what it is; a miss fails nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.errors import ModelError
from models.evaluation import measure
from models.evaluation.pairs import Decided, decide_pairs
from models.evaluation.rows import name_of, read_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.evaluation.measure import Scored
    from models.judge import Judge

#: The suite that ships.
SUITE = Path(__file__).resolve().parent.parent / "suites" / "gate.jsonl"


class SuiteError(ModelError):
    """A suite cannot prove anything."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What the gate says of a bundle."""

    wrong_hits: tuple[WrongHit, ...]
    #: As `measure` gives them, by which the wrong hits are counted too.
    measures: dict[str, Any]
    #: SHA-256 of each suite.
    suites: dict[str, str]

    @property
    def passed(self) -> bool:
        """Whether the bundle may ship."""
        return not self.wrong_hits

    @property
    def for_manifest(self) -> dict[str, Any]:
        """The block `gate` of a manifest."""
        return {
            "passed": self.passed,
            "cases": self.measures["n"],
            "wrong_hits": len(self.wrong_hits),
            "suites": self.suites,
        }


def run_gate(
    judge: Judge, suites: Sequence[Path], *, judge_only: bool = False, script_guard: bool = False
) -> Result:
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
    return Result(
        wrong_hits=_wrong_hits(decided, scored),
        measures=measure.measure(scored) | {"reasons": measure.ends(decided)},
        suites={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in suites},
    )


def _wrong_hits(decided: Decided, scored: Scored) -> tuple[WrongHit, ...]:
    several = len({pair.file for pair in decided.pairs}) > 1
    return tuple(
        WrongHit(
            name=name_of(decided.pairs[place], several=several),
            language=decided.pairs[place].language,
            kind=decided.pairs[place].kind,
            utterance=decided.pairs[place].utterance,
            prediction=decided.pairs[place].prediction,
            logit=float(decided.logits[place]),
            reversed_logit=float(decided.reversed_logits[place]),
        )
        for place in measure.wrong_places(scored)
    )
