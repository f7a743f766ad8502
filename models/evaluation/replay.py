"""
Logged decisions under another threshold, from the logits that they carry.

A decision has the logits of its best candidates. The second opinion is not replayed: none was asked
for below the old threshold. So what a threshold would change is known in part: an answer
here is "serve", "miss", or "open" where the second opinion (or a tie with a newly eligible
prediction) would decide.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from models.match import TIE_LOGITS
from models.script_report import RowError
from topics.codec import DecodeError, decode
from topics.decision import Decision, Kind, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Answer(StrEnum):
    """What becomes of a turn."""

    #: A prediction's reply is played; in shadow mode, would be.
    SERVE = "serve"
    #: The LLM is asked.
    MISS = "miss"
    #: One or the other; the decision does not carry what would tell.
    OPEN = "open"


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The decisions of a file, each once."""

    decisions: tuple[Decision, ...]
    #: Lines that repeated a decision: a redelivered turn has the same one.
    repeated: int


@dataclass(frozen=True, slots=True)
class Change:
    """A turn that would end otherwise."""

    decision_id: str
    before: Answer
    after: Answer
    #: The best logit.
    logit: float


#: Ends that follow from the judge's logits; all others stand whatever the threshold.
_JUDGED = {
    Reason.JUDGED: Answer.SERVE,
    Reason.BELOW_THRESHOLD: Answer.MISS,
    Reason.SECOND_OPINION: Answer.MISS,
    Reason.TIE: Answer.MISS,
    Reason.SIDE_EFFECT: Answer.MISS,
}


def read_log(path: Path) -> Log:
    """
    Read the decisions of a file, JSONL as on `turn.decisions`.

    Raises:
        RowError: a line is no decision; names the line, never its text.
        OSError: the file cannot be read.
    """
    found: dict[str, Decision] = {}
    lines = 0
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            decision = decode(Decision, line)
        except DecodeError as error:
            raise RowError(path, number, error.reason) from None
        found.setdefault(decision.decision_id, decision)
        lines += 1
    return Log(decisions=tuple(found.values()), repeated=lines - len(found))


def summarise(log: Log, thresholds: Sequence[float]) -> dict[str, Any]:
    """
    Say what the turns of a log came to, and what they would under each threshold.

    Args:
        log: the decisions.
        thresholds: logits; each replaces the threshold that was in force, also an agent's own.

    Returns:
        Counts of decisions, of those that follow from the judge's logits, and of their answers; and
        under `thresholds` for each one the answers and the changes. Logits compare only within one
        judge, so the number of decisions of each is there too.
    """
    judged = [decision for decision in log.decisions if replayable(decision)]
    return {
        "decisions": len(log.decisions),
        "repeated": log.repeated,
        "replayable": len(judged),
        "served_otherwise": sum(
            _served(decision) for decision in log.decisions if not replayable(decision)
        ),
        "judges": dict(Counter(one.bundles.get("judge", "unknown") for one in judged)),
        "thresholds_in_force": dict(
            sorted(Counter(f"{in_force(one):g}" for one in judged).items())
        ),
        "answers": _counted([before(one) for one in judged]),
        "thresholds": [_under(judged, threshold) for threshold in thresholds],
    }


def replayable(decision: Decision) -> bool:
    """Whether another threshold could change the decision, and its logits are there to tell."""
    return (
        _reason(decision) in _JUDGED and "judge" in decision.thresholds and bool(_logits(decision))
    )


def before(decision: Decision) -> Answer:
    """What was answered; in shadow mode, what live would have been."""
    return _JUDGED[_reason(decision)]


def in_force(decision: Decision) -> float:
    """The threshold that the decision was made at."""
    return decision.thresholds["judge"]


def redecide(decision: Decision, min_logit: float) -> Answer:
    """
    Answer a replayable decision's turn under another threshold.

    Args:
        decision: one that `replayable` is true of.
        min_logit: the threshold.
    """
    logits, reason = _logits(decision), _reason(decision)
    if logits[0] < min_logit:
        return Answer.MISS
    # A second opinion that reached the old threshold reaches every lower one, and the reverse.
    raised, lowered = min_logit > in_force(decision), min_logit < in_force(decision)
    more_rivals = _rivals(logits, min_logit) - _rivals(logits, in_force(decision))
    if reason is Reason.JUDGED:
        return Answer.OPEN if raised or more_rivals > 0 else Answer.SERVE
    if reason is Reason.SECOND_OPINION:
        return Answer.OPEN if lowered else Answer.MISS
    if reason is Reason.BELOW_THRESHOLD:
        return Answer.OPEN
    return Answer.OPEN if more_rivals < 0 else Answer.MISS


def _rivals(logits: Sequence[float], min_logit: float) -> int:
    """How many others are eligible, and too near to the best to be told from it."""
    return sum(logit >= min_logit and logits[0] - logit < TIE_LOGITS for logit in logits[1:])


def _under(judged: Sequence[Decision], threshold: float) -> dict[str, Any]:
    answers = [redecide(decision, threshold) for decision in judged]
    changes = [
        Change(decision.decision_id, before(decision), after, _logits(decision)[0])
        for decision, after in zip(judged, answers, strict=True)
        if after is not before(decision)
    ]
    return {
        "min_logit": threshold,
        "answers": _counted(answers),
        "changes": [
            {
                "decision_id": change.decision_id,
                "before": change.before,
                "after": change.after,
                "logit": round(change.logit, 3),
            }
            for change in changes
        ],
    }


def _counted(answers: Sequence[Answer]) -> dict[str, int]:
    return {answer.value: answers.count(answer) for answer in Answer}


def _reason(decision: Decision) -> Reason:
    """The first reason that is not the mode; without one there is nothing to decide again."""
    return next((one for one in decision.reasons if one is not Reason.SHADOW), Reason.INTERNAL)


def _logits(decision: Decision) -> list[float]:
    """Of the candidates that were judged, best first."""
    found = (candidate.logit for candidate in decision.candidates)
    return sorted((logit for logit in found if logit is not None), reverse=True)


def _served(decision: Decision) -> bool:
    would = decision.would_have
    return decision.kind is Kind.SERVE or (would is not None and would.kind is Kind.SERVE)
