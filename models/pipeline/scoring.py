"""Runs a graph over many inputs, bucketed as serving does it; needs neither torch nor onnx."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
    for batch in tokens.tokenize(inputs).batches:
        feeds = {"input_ids": batch.input_ids, "attention_mask": batch.attention_mask}
        found |= dict(zip(batch.rows.tolist(), session.run(feeds)[0], strict=True))
    return np.stack([found[index] for index in range(len(inputs))])
