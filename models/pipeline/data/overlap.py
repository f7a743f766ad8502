"""
Plain word overlap: the shortcut that a judge must not learn.

Everything here is about measuring it, so that the build can balance it away and report it.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

#: Upper ends of the overlap bands that labels are balanced in.
BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class _Blanks(dict[int, str]):
    """For `str.translate`: punctuation, symbols and separators become blanks."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = " " if unicodedata.category(char)[0] in "PSZ" else char
        return self[code]


_BLANKS = _Blanks()


@lru_cache(maxsize=1 << 17)
def words(text: str) -> frozenset[str]:
    """Return the lower-cased words of a text, without punctuation."""
    return frozenset(text.lower().translate(_BLANKS).split())


def jaccard(a: str, b: str) -> float:
    """Return shared words over all words, 0 to 1; two texts without words share nothing."""
    left, right = words(a), words(b)
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def band(overlap: float) -> int:
    """Return the band of an overlap: 0 for none shared, 5 for more than four fifths."""
    return next(index for index, end in enumerate(BANDS) if overlap <= end)


def auc(scores: Sequence[float], labels: Sequence[int]) -> float | None:
    """
    Return the probability that a positive outscores a negative, ties counting half.

    Args:
        scores: N scores, higher for "same".
        labels: N labels, 1 or 0.

    Returns:
        None when one of the labels is missing.
    """
    values = np.asarray(scores, dtype=np.float64)  # (N,)
    truth = np.asarray(labels) == 1  # (N,) bool
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return None
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]  # mean rank of each tie, from 1
    above = ranks[truth].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))
