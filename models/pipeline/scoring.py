"""Runs a graph over many inputs, bucketed as serving does it; needs neither torch nor onnx."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from models.graph import run_batches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.runtime import Session
    from models.tokens import Tokens

#: Longest input of a bundle, tokens.
MAX_TOKENS = 128


def run_all(
    session: Session, tokens: Tokens, inputs: Sequence[tuple[str, ...]]
) -> NDArray[np.float32]:
    """A graph's output for each input, bucketed as serving does it."""
    found: dict[int, NDArray[np.float32]] = {}
    for rows, output in run_batches(session, tokens.tokenize(inputs)):
        found |= dict(zip(rows.tolist(), output, strict=True))
    return np.stack([found[index] for index in range(len(inputs))])
