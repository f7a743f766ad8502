"""
How well questions got their answers: by search alone, and with a judge.

Two different things are measured. Order: is an entry that answers the first one? Answerability: is
a question that nothing answers told from the others? For the first only questions with gold count,
for the second all of them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from models.kb import JUDGED
from models.pipeline.data.overlap import auc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from models.evaluation.kb.cases import Outcome

#: The threshold that judges of any kind are compared at.
HALF = 0.5
#: Bins of the calibration error, of equal width.
BINS = 10
#: Columns that are always grouped by, where the rows have them.
COLUMNS = ("variety", "language_pair")

Measures = dict[str, Any]


def measure(
    outcomes: Sequence[Outcome], *, threshold: float, judge: bool, by: Sequence[str] = ()
) -> Measures:
    """
    Measure everything.

    Args:
        outcomes: all questions.
        threshold: the judge's own.
        judge: whether there was one; without, its measures are those of search.
        by: columns to group by, beside `COLUMNS`.

    Returns:
        The measures of `group` over all questions, with the judge's times and the statuses, and
        the same by value of each column under `by_NAME`.
    """

    def part(own: Sequence[Outcome]) -> Measures:
        return group(own, threshold=threshold, judge=judge)

    found = part(outcomes) | times(outcomes)
    found["statuses"] = dict(Counter(one.ruling.status.value for one in outcomes).most_common())
    for name in dict.fromkeys((*COLUMNS, *by)):
        values = _by_column(outcomes, name)
        if values:
            found[f"by_{name}"] = {value: part(own) for value, own in values}
    return found


def group(outcomes: Sequence[Outcome], *, threshold: float, judge: bool) -> Measures:
    """Measure some of the questions; a share of nothing is None."""
    named = [one for one in outcomes if one.question.gold]
    improved = sum(one.judged_first and not one.searched_first for one in named)
    worsened = sum(one.searched_first and not one.judged_first for one in named)
    found: Measures = {
        "n": len(outcomes),
        "answerable": sum(one.question.answerable for one in outcomes),
        "with_gold": len(named),
        "recall8_search": _share(one.found for one in named),
        "top1_search": _share(one.searched_first for one in named),
        "top1_judged": _share(one.judged_first for one in named),
        "improved": improved,
        "worsened": worsened,
        "mcnemar_p": mcnemar(improved, worsened),
        "auroc_search": _auroc(outcomes, lambda one: one.case.cosine),
        "auroc_judged": _auroc(outcomes, (lambda one: one.sure) if judge else _cosine),
        "judged": sum(one.sure is not None for one in outcomes),
    }
    return found | _flagged(outcomes, threshold) | {"ece": ece(outcomes)}


def times(outcomes: Iterable[Outcome]) -> Measures:
    """Time of the judge for eight candidates, milliseconds; None where no question had so many."""
    took = [
        one.took_ms
        for one in outcomes
        if one.took_ms is not None and len(one.case.candidates) >= JUDGED
    ]
    if not took:
        return {"p50_ms": None, "p95_ms": None}
    p50, p95 = np.percentile(took, (50, 95))
    return {"p50_ms": round(float(p50), 2), "p95_ms": round(float(p95), 2)}


def mcnemar(improved: int, worsened: int) -> float:
    """
    Two-sided exact McNemar test: how likely a difference so large is where there is none.

    Args:
        improved: questions that only the second does right.
        worsened: questions that only the first does right.
    """
    changed = improved + worsened
    ways = sum(math.comb(changed, k) for k in range(min(improved, worsened) + 1))
    return min(1.0, float(2 * ways / 2**changed))


def ece(outcomes: Iterable[Outcome]) -> float | None:
    """
    Expected calibration error of the highest probability of an answer.

    It is held against whether one of the judged candidates answers; what was not found by search
    is not the judge's mistake.
    """
    said = [
        (one.sure, one.question.answerable and (not one.question.gold or one.found))
        for one in outcomes
        if one.sure is not None
    ]
    if not said:
        return None
    sure = np.array([p for p, _ in said])
    true = np.array([answered for _, answered in said], np.float64)
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    apart = [
        (bins == place).sum() * abs(sure[bins == place].mean() - true[bins == place].mean())
        for place in np.unique(bins)
    ]
    return round(float(sum(apart)) / len(said), 4)


def flagged(outcome: Outcome, threshold: float) -> bool:
    """Tell whether a question is called unanswerable: all judged, and nothing reaches it."""
    return outcome.whole and outcome.sure is not None and outcome.sure < threshold


def _flagged(outcomes: Sequence[Outcome], threshold: float) -> Measures:
    none = [one for one in outcomes if not one.question.answerable]
    some = [one for one in outcomes if one.question.answerable]
    found = [one for one in some if not one.question.gold or one.found]
    return {
        "caught_at_50": _share(flagged(one, HALF) for one in none),
        "false_at_50": _share(flagged(one, HALF) for one in some),
        # Without those whose answer search did not bring, where the judge is right to say no.
        "false_at_50_found": _share(flagged(one, HALF) for one in found),
        "caught_at_threshold": _share(flagged(one, threshold) for one in none),
        "false_at_threshold": _share(flagged(one, threshold) for one in some),
    }


def _cosine(outcome: Outcome) -> float | None:
    return outcome.case.cosine


def _auroc(outcomes: Iterable[Outcome], score: Callable[[Outcome], float | None]) -> float | None:
    scored = [
        (value, one.question.answerable) for one in outcomes if (value := score(one)) is not None
    ]
    area = auc([value for value, _ in scored], [int(label) for _, label in scored])
    return None if area is None else round(area, 4)


def _share(found: Iterable[bool]) -> float | None:
    every = list(found)
    return round(sum(every) / len(every), 4) if every else None


def _by_column(outcomes: Iterable[Outcome], name: str) -> list[tuple[str, list[Outcome]]]:
    values: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        if name in one.question.columns:
            values[one.question.columns[name]].append(one)
    return sorted(values.items())
