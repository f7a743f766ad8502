"""
Which gap a question belongs to: the shortlist proposes, the decider decides, the core must agree.

A question is first held against the nearest wording of each gap on the shortlist, then against the
core of those that may be its own, so that one odd wording draws in nothing that the others refuse.

The decider's own threshold is for pairs of which half are the same. Here a question is held against
a dozen gaps of which one at most is its own, so more is asked for.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.gaps.same import Asked, Sameness, SameQuestion, Why
from topics.gap import Gap
from workers.slow.gap import core
from workers.slow.ledger import Ledger

#: Log odds that the core must give a question on average, and that all pairs of two cores must give
#: from which two gaps are one. Chosen on forty held-out questions of the training data in five ways
#: of speaking, most of them alike but for a name: pairwise precision 0.93, recall 0.84 (0.85 and
#: 0.86 at 0 and 0.4, 0.96 and 0.75 at 1 and 1.4). A wrong merge costs a writer more than a gap that
#: stands there twice.
ENOUGH, MERGED = 0.5, 0.8
#: Chance of the nearest wording from which the rest of the core is asked.
_WORTH_ASKING = 0.5
#: Chances are taken as no surer than this: a rule that says 1 must not outvote the others.
_SUREST = 0.999
#: What rules a pair out whatever the models say.
_RULES = frozenset({Why.VALUE, Why.ENTITY})


@dataclass(frozen=True, slots=True)
class Agreement:
    """A gap whose core agrees that a question is its own."""

    gap: Gap
    #: Mean log odds of the core.
    odds: float


def agreeing(
    decider: SameQuestion, ledger: Ledger, asked: Asked, near: Mapping[str, float]
) -> list[Agreement]:
    """
    Return the gaps whose core agrees that a question is theirs, the surest first.

    Args:
        decider: decides pairs.
        ledger: the tenant's gaps.
        asked: the masked question with its vector.
        near: the shortlist, cosines by gap.

    Raises:
        InferenceError: a model failed.

    """
    gaps = [gap for gap in map(ledger.get, near) if gap is not None]
    cores = [_core(ledger, gap) for gap in gaps]
    nearest = [max(texts, key=lambda one: float(one.vector @ asked.vector)) for texts in cores]
    first = decider.decide([(asked, one) for one in nearest])
    open_gaps = [
        (gap, said, [one for one in texts if one is not best])
        for gap, texts, best, said in zip(gaps, cores, nearest, first, strict=True)
        if said.chance >= _WORTH_ASKING
    ]
    rest = iter(decider.decide([(asked, one) for _, _, texts in open_gaps for one in texts]))
    found = []
    for gap, said, texts in open_gaps:
        odds = _odds([said, *(next(rest) for _ in texts)])
        if odds >= ENOUGH:
            found.append(Agreement(gap, odds))
    return sorted(
        found, key=lambda one: (-round(one.odds, 3), one.gap.first_seen_ms, one.gap.gap_id)
    )


def are_one(decider: SameQuestion, ledger: Ledger, gap: Gap, other: Gap) -> bool:
    """
    Tell whether two gaps ask the same, by all pairs of their cores.

    Raises:
        InferenceError: a model failed.

    """
    pairs = [(a, b) for a in _core(ledger, gap) for b in _core(ledger, other)]
    return _odds(decider.decide(pairs)) >= MERGED


def _odds(said: Sequence[Sameness]) -> float:
    """Mean log odds; none at all where a rule says that the two are not one."""
    if any(not one.same and one.why in _RULES for one in said):
        return -math.inf
    return sum(_log_odds(one.chance) for one in said) / len(said)


def _log_odds(chance: float) -> float:
    bounded = min(_SUREST, max(1 - _SUREST, chance))
    return math.log(bounded / (1 - bounded))


def _core(ledger: Ledger, gap: Gap) -> list[Asked]:
    vectors = ledger.vectors(gap)
    return [Asked(one.text, vectors[one.text]) for one in core(gap)]
