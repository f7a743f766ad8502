"""Numbers of a router on test rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.router.rows import OUT_OF_SCOPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.router import Routed

Numbers = dict[str, float | None]


def measure(truth: Sequence[str], routed: Sequence[Routed]) -> Numbers:
    """
    Measure decisions.

    Args:
        truth: intent of each row, `oos` where it has none of the router's.
        routed: what the router decided.

    Returns:
        `top1`: candidates that are right, of in-scope rows. `answered` and `accuracy`: of in-scope
        rows. `oos_answered`: of out-of-scope rows. `accuracy_with_oos`: right answers among all
        answers. `mcc` and `macro_f1`: over all rows, with out of scope, and with it every row that
        is handed over, as a class. None where there is nothing to divide by.
    """
    inside = [one != OUT_OF_SCOPE for one in truth]
    given = [one.intent is not None for one in routed]
    right = [one.intent == label for one, label in zip(routed, truth, strict=True)]
    candidates = [one.candidate == label for one, label in zip(routed, truth, strict=True)]
    answered = sum(map(bool.__and__, inside, given))
    predicted = [one.intent or OUT_OF_SCOPE for one in routed]
    return {
        "top1": _share(sum(map(bool.__and__, inside, candidates)), sum(inside)),
        "answered": _share(answered, sum(inside)),
        "accuracy": _share(sum(map(bool.__and__, inside, right)), answered),
        "oos_answered": _share(sum(given) - answered, len(truth) - sum(inside)),
        "accuracy_with_oos": _share(sum(map(bool.__and__, inside, right)), sum(given)),
        "mcc": matthews(truth, predicted),
        "macro_f1": macro_f1(truth, predicted),
    }


def matthews(truth: Sequence[str], predicted: Sequence[str]) -> float | None:
    """
    Matthews correlation of many classes (Gorodkin's R_K).

    Returns:
        -1 to 1; 0 where the prediction is always the same, None where the truth is.
    """
    total = len(truth)
    right = sum(map(str.__eq__, truth, predicted))
    actual, given = Counter(truth), Counter(predicted)
    both = sum(count * given[name] for name, count in actual.items())
    spread = [total**2 - sum(count**2 for count in side.values()) for side in (actual, given)]
    if not all(spread):
        return 0.0 if spread[0] else None
    # Python's integers are exact; the square root is the only rounding.
    return (right * total - both) / float(np.sqrt(float(spread[0]) * float(spread[1])))


def macro_f1(truth: Sequence[str], predicted: Sequence[str]) -> float | None:
    """Mean F1 of the classes that stand in the truth; None without rows."""
    actual, given = Counter(truth), Counter(predicted)
    hits = Counter(label for label, other in zip(truth, predicted, strict=True) if label == other)
    scores = [2 * hits[name] / (count + given[name]) for name, count in actual.items()]
    return float(np.mean(scores)) if scores else None


def mean(parts: Sequence[Numbers]) -> Numbers:
    """Average each number over the parts that have it."""
    found: Numbers = {}
    for name in parts[0]:
        values = [value for part in parts if (value := part[name]) is not None]
        found[name] = float(np.mean(values)) if values else None
    return found


def _share(count: int, total: int) -> float | None:
    return count / total if total else None
