"""BM25 over the tokens of one tenant's entries: the edge to `bm25s`."""

import logging
from collections.abc import Sequence

import bm25s
import numpy as np
import numpy.typing as npt

#: Saturation of repeated words and weight of length: the usual values, entries are short.
_K1, _B = 1.2, 0.75

Scores = npt.NDArray[np.float32]

# The library tells of every index, and sets its own logger to do so.
logging.getLogger("bm25s").setLevel(logging.WARNING)


class Bm25:
    """
    An index that never changes; any number of threads may ask it.

    Args:
        documents: tokens of each of N documents, none of them empty strings.
    """

    def __init__(self, documents: Sequence[list[str]]) -> None:
        self._count = len(documents)
        self._index = bm25s.BM25(k1=_K1, b=_B, method="lucene")
        self._empty = not any(documents)
        if not self._empty:  # the library indexes no documents without tokens
            self._index.index(documents, create_empty_token=False, show_progress=False)

    def scores(self, tokens: list[str]) -> Scores:
        """(N,) float32: above 0 for documents that share a token, else 0."""
        known = [] if self._empty else self._index.get_tokens_ids(tokens)
        if not known:
            return np.zeros(self._count, np.float32)
        found: Scores = self._index.get_scores_from_ids(known)
        return found
