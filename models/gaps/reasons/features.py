"""
What the classifier sees of a question: its vector, its length, and its words.

The vector says what it is about; words and their pieces say how it is asked ("my order", "can I"),
which the vectors of an encoder that was not trained for it blur. Words are hashed into a fixed
number of columns, so that no list of words is kept.
"""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from models.kb.words import pieces, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.encoder import Vectors

#: Columns that words are hashed into.
COLUMNS = 4096
#: Length of a centred vector, and of the words of a question together: what lets a linear model of
#: one ridge listen to both; chosen by cross-validation on the training tables.
VECTOR_SCALE, WORDS_SCALE = 10.0, 6.0
#: Words from which on a question is long.
_LONG = 15
_FEW = (1, 2, 3, 5)
#: Scalars of `lengths`.
LENGTHS = 2 + len(_FEW)

Floats = npt.NDArray[np.float32]


class Features(NamedTuple):
    """Of N questions."""

    #: (N, D + LENGTHS) float32.
    dense: Floats
    #: Columns of the words of each question, each once.
    hashed: list[npt.NDArray[np.int64]]

    def full(self) -> Floats:
        """(N, D + LENGTHS + COLUMNS) float32, for training."""
        found = np.zeros((len(self.dense), COLUMNS), np.float32)
        for row, columns in zip(found, self.hashed, strict=True):
            row[columns] = weight(len(columns))
        return np.concatenate([self.dense, found], axis=1)


def features(texts: Sequence[str], vectors: Vectors, centre: Floats) -> Features:
    """
    Give the features of questions.

    Args:
        texts: N cleaned, masked questions.
        vectors: (N, D) their vectors.
        centre: (D,) mean of the training vectors.

    """
    centred = vectors - centre
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    centred = VECTOR_SCALE * centred / np.maximum(norms, 1e-6)
    lengths = np.array([_lengths(text) for text in texts], np.float32).reshape(-1, LENGTHS)
    dense = np.concatenate([centred, lengths], axis=1).astype(np.float32)
    return Features(dense, [_columns(text) for text in texts])


def weight(count: int) -> float:
    """What each of so many columns holds, so that all together are of one length."""
    return WORDS_SCALE / math.sqrt(max(1, count))


def _lengths(text: str) -> list[float]:
    count = len(words(text))
    return [min(count, _LONG) / 10, float(count >= _LONG), *(float(count <= few) for few in _FEW)]


def _columns(text: str) -> npt.NDArray[np.int64]:
    said = words(text)
    beside = (f"{one} {other}" for one, other in zip(["^", *said], [*said, "$"], strict=True))
    named = {*pieces(text), *beside}
    return np.unique(np.array([zlib.crc32(name.encode()) % COLUMNS for name in named], np.int64))
