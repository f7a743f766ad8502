"""Labelled pairs by the cosine of the encoder alone: what the judge has to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.measure import Scored
from models.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.encoder import Encoder
    from models.evaluation.rows import Pair


def by_cosine(pairs: Sequence[Pair], encoder: Encoder) -> Scored:
    """
    Score each pair by cosine; nothing is served by it.

    Raises:
        InferenceError: the encoder failed.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in _texts(pair)))
    place = {text: index for index, text in enumerate(texts)}
    vectors = encoder.encode(texts)  # (T, D) float32
    left, right = ([place[_texts(pair)[side]] for pair in pairs] for side in (0, 1))
    cosines = (vectors[left] * vectors[right]).sum(axis=1)  # (N,)
    return Scored(pairs=pairs, scores=cosines.astype(np.float32))


def _texts(pair: Pair) -> tuple[str, str]:
    return clean(pair.utterance).text, clean(pair.prediction).text
