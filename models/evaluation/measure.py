"""How well decided pairs agree with their labels: over all, and by class, file and language."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.evaluation.rows import name_of
from models.pipeline.bounds import upper_bound
from models.pipeline.data.overlap import auc, jaccard
from models.pipeline.evaluate import recall_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from models.evaluation.pairs import Decided
    from models.evaluation.rows import Pair

#: False accept rate at which recall is reported beside that of the threshold.
CEILING = 0.01

Measures = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """N pairs with one number each, and what was served by it."""

    pairs: Sequence[Pair]
    #: (N,) higher for "same"; may be infinite.
    scores: NDArray[np.float32]
    #: (N,) bool; None where the number has no threshold.
    served: NDArray[np.bool_] | None = None

    @property
    def labels(self) -> NDArray[np.int64]:
        """(N,) 1 or 0."""
        return np.array([pair.label for pair in self.pairs], np.int64)


def as_served(decided: Decided) -> Scored:
    """The pairs as the hot path decides them."""
    return Scored(pairs=decided.pairs, scores=decided.scores, served=decided.served)


def judge_only(decided: Decided) -> Scored:
    """The pairs as the bare model decides them: one order, no guard, no exact tier."""
    served = decided.logits >= decided.threshold
    return Scored(pairs=decided.pairs, scores=decided.logits, served=served)


def measure(scored: Scored) -> Measures:
    """
    Measure everything.

    Returns:
        The measures of `group` over all pairs, the same under `by_class`, `by_file` and
        `by_language`, and `wrong_hits`: the served pairs that should not be, by id or row.
    """
    everything = group(scored, range(len(scored.pairs)))
    parts: dict[str, Callable[[Pair], str | None]] = {
        "by_class": lambda pair: pair.kind,
        "by_file": lambda pair: pair.file,
        "by_language": lambda pair: pair.language,
    }
    found = everything | {
        name: {value: group(scored, places) for value, places in _places(scored.pairs, key)}
        for name, key in parts.items()
    }
    if scored.served is not None:
        found["wrong_hits"] = wrong_hits(scored)
    return found


def group(scored: Scored, places: Sequence[int]) -> Measures:
    """
    Measure some of the pairs; a share of nothing is None.

    Args:
        scored: all pairs.
        places: indices of those to measure.
    """
    at = list(places)
    labels, scores = scored.labels[at], scored.scores[at]
    overlaps = [jaccard(scored.pairs[i].utterance, scored.pairs[i].prediction) for i in at]
    found: Measures = {
        "n": len(at),
        "positives": int(labels.sum()),
        "auc": _rounded(auc(scores.tolist(), labels.tolist())),
        # The shortcut that a judge must not take; near 0.5 or below, it cannot.
        "overlap_auc": _rounded(auc(overlaps, labels.tolist())),
    }
    if scored.served is not None:
        found |= _at_threshold(scored.served[at], labels)
    return found | {"recall_at_far_1pct": _rounded(recall_at(scores, labels.tolist(), CEILING))}


def wrong_hits(scored: Scored) -> list[str | int]:
    """Name the served pairs that should not be, highest score first."""
    several = len({pair.file for pair in scored.pairs}) > 1
    return [name_of(scored.pairs[place], several=several) for place in wrong_places(scored)]


def wrong_places(scored: Scored) -> list[int]:
    """Indices of the served pairs that should not be, highest score first."""
    if scored.served is None:
        return []
    wrong = np.flatnonzero(scored.served & (scored.labels == 0))
    return [int(place) for place in wrong[np.argsort(-scored.scores[wrong], kind="stable")]]


def ends(decided: Decided) -> dict[str, dict[str, int]]:
    """Count how the pairs of each label ended, most frequent first."""
    counts: dict[str, Counter[str]] = {"positives": Counter(), "negatives": Counter()}
    for label, reason in zip(decided.labels, decided.reasons, strict=True):
        counts["positives" if label else "negatives"][str(reason)] += 1
    return {name: dict(count.most_common()) for name, count in counts.items()}


def _at_threshold(served: NDArray[np.bool_], labels: NDArray[np.int64]) -> Measures:
    truth = labels == 1
    positives, negatives = int(truth.sum()), int((~truth).sum())
    wrong = int((served & ~truth).sum())
    return {
        "recall": _rounded(float((served & truth).sum()) / positives if positives else None),
        "false_accepts": wrong,
        "false_accept_rate": _rounded(wrong / negatives if negatives else None, 5),
        "false_accept_upper95": _rounded(upper_bound(wrong, negatives) if negatives else None, 5),
    }


def _places(
    pairs: Sequence[Pair], key: Callable[[Pair], str | None]
) -> list[tuple[str, list[int]]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        value = key(pair)
        if value is not None:
            found[value].append(place)
    return sorted(found.items())


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
