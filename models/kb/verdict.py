"""
The rules of a verdict: from what a judge said of each candidate to order, answer and status.

A judge gives each candidate the probabilities of four levels: 0 another subject, 1 the same topic
but not the asked fact, 2 a part of the answer, 3 the answer. Everything else follows here, so that
all judges obey the same rules. Candidates are told apart by their place in search order, from 0.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topics.profile import Mode
from topics.verdict import JudgedEntry, VerdictStatus

#: Candidates that are judged; those behind them keep their places and nobody waits for them.
JUDGED = 8
#: Probability of at least a part of the answer from which an entry answers, where nobody chose
#: another: more likely than not.
THRESHOLD = 0.5

#: Log odds that a cosine of 1 adds to those of a judge, among entries that answer. Chosen on
#: held-out knowledge bases (`EXPERIMENTS.md`).
COSINE = 30.0
#: Decimals of a probability that count, as remote judges round, and least probability for the odds.
_DECIMALS, _LEAST = 2, 0.01

#: Probability of each level, lowest first.
Probabilities = tuple[float, float, float, float]
#: What is known of each candidate, in search order; None where it was not judged in time.
Judged = Sequence[Probabilities | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What a verdict says."""

    status: VerdictStatus
    #: True, false, or None where it is not known.
    answerable: bool | None
    #: All candidates, in the order to use.
    entries: tuple[JudgedEntry, ...]


def rule(
    entry_ids: Sequence[str],
    judged: Judged,
    *,
    mode: Mode,
    failed: bool = False,
    threshold: float = THRESHOLD,
    cosines: Sequence[float] = (),
) -> Ruling:
    """
    Rule on a question.

    Args:
        entry_ids: the candidates, in search order.
        judged: what the judge said of the first of them; shorter where it was not asked further.
        mode: what the judge does for the agent.
        failed: the judge broke down; what it said before does not count.
        threshold: probability of at least a part of the answer from which an entry answers.
        cosines: of the question with each candidate, where search found them; else empty.
    """
    asked = min(JUDGED, len(entry_ids))
    counted = [] if failed or mode == Mode.OFF else list(judged[:asked])
    found = [*counted, *[None] * (len(entry_ids) - len(counted))]
    levels = [None if one is None else level(one, threshold) for one in found]
    places = order(found, threshold, cosines) if mode == Mode.LIVE else range(len(found))
    return Ruling(
        status=status(found, mode=mode, failed=failed),
        answerable=answerable(found, threshold),
        entries=tuple(
            JudgedEntry(
                entry_id=entry_ids[place],
                rank=place,
                level=levels[place],
                probabilities=found[place] or (),
            )
            for place in places
        ),
    )


def level(probabilities: Probabilities, threshold: float = THRESHOLD) -> int:
    """Return the level of an entry: 2 or 3 where it reaches the threshold, else 0 or 1."""
    other, near, part, whole = probabilities
    if answers(probabilities) >= threshold:
        return 3 if whole >= part else 2
    return 1 if near >= other else 0


def answers(probabilities: Probabilities) -> float:
    """Return the probability that an entry holds at least a part of the answer."""
    return probabilities[2] + probabilities[3]


def order(judged: Judged, threshold: float = THRESHOLD, cosines: Sequence[float] = ()) -> list[int]:
    """
    Return the places of the candidates in the order to use: all of them, some moved.

    Level 3, then level 2, in each by `evidence`; then level 1 and what was not judged, in search
    order; then level 0. What is equal stays in search order, which knows what is fresh.
    """
    near = cosines or [0.0] * len(judged)
    return sorted(range(len(judged)), key=lambda place: _key(judged[place], threshold, near[place]))


def evidence(probabilities: Probabilities, cosine: float) -> float:
    """
    Return the log odds that an entry answers, to one decimal, by the judge and by search.

    A judge says how sure it is to two decimals, and among several entries that it is sure of, the
    nearer one answers more often.
    """
    sure = min(1 - _LEAST, max(_LEAST, round(answers(probabilities), _DECIMALS)))
    return round(math.log(sure / (1 - sure)) + COSINE * cosine, 1)


def answerable(judged: Judged, threshold: float = THRESHOLD) -> bool | None:
    """
    Tell whether a question is answered by one of the candidates that are to be judged.

    Returns:
        True where one reaches the threshold, whatever else is late; false where all were judged
        and none does; None where something was late, or there was nothing to judge.
    """
    asked = judged[:JUDGED]
    if any(one is not None and answers(one) >= threshold for one in asked):
        return True
    return None if not asked or None in asked else False


def status(judged: Judged, *, mode: Mode, failed: bool = False) -> VerdictStatus:
    """Tell how a verdict came about; nothing to judge counts as judged."""
    if mode == Mode.OFF:
        return VerdictStatus.DISABLED
    if failed:
        return VerdictStatus.ERROR
    if mode == Mode.SHADOW:
        return VerdictStatus.SHADOW
    asked = judged[:JUDGED]
    if None not in asked:
        return VerdictStatus.APPLIED
    late = all(one is None for one in asked)
    return VerdictStatus.TIMEOUT if late else VerdictStatus.PARTIAL


def _key(probabilities: Probabilities | None, threshold: float, cosine: float) -> tuple[int, float]:
    if probabilities is None:
        return 2, 0.0
    found = level(probabilities, threshold)
    if found == 0:
        return 3, 0.0
    if found == 1:
        return 2, 0.0
    return 3 - found, -evidence(probabilities, cosine)
