"""One prototype an intent: the mean of its examples' vectors, at length 1."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


class TopTwo(NamedTuple):
    """The best and the second of some scores, row by row."""

    #: (N,) position of the best; of equals the first.
    best: Places
    #: (N,) position of the second; that of the best where there is only one score.
    second: Places
    #: (N,) best minus second; where there is only one score, the score itself.
    margin: Vectors


def prototypes(vectors: Vectors, labels: Places, count: int) -> Vectors:
    """
    Average the vectors of each intent.

    Args:
        vectors: (N, D) unit rows.
        labels: (N,) intent of each row; every intent has at least one.
        count: intents, C.

    Returns:
        (C, D) unit rows; a zero row where the vectors of an intent cancel out.
    """
    means = np.zeros((count, vectors.shape[1]), np.float64)
    np.add.at(means, labels, vectors)
    return unit(means)


def unit(rows: npt.NDArray[np.floating]) -> Vectors:
    """Bring rows to length 1, float32; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def top_two(scores: Vectors) -> TopTwo:
    """Find the best and the second of each row, (N, C) with C at least one."""
    rows = np.arange(len(scores))
    best = scores.argmax(axis=1)
    if scores.shape[1] == 1:
        return TopTwo(best, best, scores[:, 0])
    others = scores.copy()
    others[rows, best] = -np.inf
    second = others.argmax(axis=1)
    return TopTwo(best, second, scores[rows, best] - scores[rows, second])
