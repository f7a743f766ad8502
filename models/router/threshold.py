"""The threshold: as low as the target share of right answers allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Fewest phrases that must be accepted: with fewer, a share says nothing.
LEAST_ACCEPTED = 20
#: Normal quantile of the upper bound: the upper end of a 95 % interval.
_QUANTILE = 1.96

Scores = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Judged:
    """Phrases with what a gate thought of them."""

    #: (N,) what is held against the threshold.
    scores: Scores
    #: (N,) the pick is right; never for a phrase that is out of scope.
    right: Flags
    #: (N,) the phrase belongs to an intent.
    in_scope: Flags


@dataclass(frozen=True, slots=True)
class Curve:
    """What each threshold would do, from the highest down; one point a distinct score."""

    #: (T,) accepts scores at or above it.
    thresholds: Scores
    #: (T,) phrases accepted, in and out of scope.
    accepted: npt.NDArray[np.int64]
    #: (T,) share of in-scope phrases that is answered; 0 without any.
    answered: Scores
    #: (T,) share of out-of-scope phrases that is answered; 0 without any.
    out_of_scope_answered: Scores
    #: (T,) right answers among all answers, at the production's share of out of scope.
    accuracy: Scores


def trade_off(
    judged: Judged,
    share: float | None,
    *,
    bound: bool = False,
    playable: Flags | None = None,
) -> Curve:
    """
    Follow the threshold from the highest score down.

    Args:
        judged: N phrases, at least one.
        share: share of out of scope in production, 0 to below 1; None counts phrases as they are.
        bound: count accepted out-of-scope phrases at their upper bound: a few phrases that somebody
            wrote cannot prove that few of what callers say will pass.
        playable: (N,) False for what is not answered, whatever it scores; by default nothing.
    """
    order = np.argsort(-judged.scores, kind="stable")
    scores, inside = judged.scores[order], judged.in_scope[order]
    passed = np.ones(len(order), np.bool_) if playable is None else playable[order]
    last = np.flatnonzero(np.append(scores[1:] != scores[:-1], True))
    count_in, count_out = int(inside.sum()), int((~inside).sum())
    answered = np.cumsum(inside & passed)[last] / max(count_in, 1)
    right = np.cumsum(judged.right[order] & inside & passed)[last] / max(count_in, 1)
    hits = np.cumsum(~inside & passed, dtype=np.int64)[last]
    out = hits / max(count_out, 1)
    if share is None:
        share = count_out / len(scores)
    counted = _bounds(hits, count_out) if bound else out
    total = (1 - share) * answered + share * counted
    return Curve(
        thresholds=scores[last],
        accepted=np.cumsum(passed, dtype=np.int64)[last],
        answered=answered,
        out_of_scope_answered=out,
        accuracy=(1 - share) * right / np.where(total > 0, total, 1),
    )


def choose(curve: Curve, target: float, floor: float = -np.inf) -> int | None:
    """
    Find the lowest threshold that accepts enough phrases and holds the target.

    Args:
        curve: what each threshold does.
        target: right answers among all answers.
        floor: no threshold below it, however well the average stands.

    Returns:
        Its position on the curve; None where no threshold does.
    """
    holds = (curve.accuracy >= target) & (curve.accepted >= LEAST_ACCEPTED)
    holds &= curve.thresholds >= floor
    found = np.flatnonzero(holds)
    return int(found[-1]) if found.size else None


def _bounds(hits: npt.NDArray[np.int64], trials: int) -> Scores:
    """Upper bound (Wilson) at each number of hits; 1 where nothing was tried."""
    if trials == 0:
        return np.ones(len(hits))
    share, extra = hits / trials, _QUANTILE**2 / trials
    spread = _QUANTILE * np.sqrt(share * (1 - share) / trials + extra / (4 * trials))
    bounds: Scores = np.minimum((share + extra / 2 + spread) / (1 + extra), 1.0)
    return bounds
