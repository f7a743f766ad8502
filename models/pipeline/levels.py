"""
The answer judge's network: a question and an entry read together, to four levels.

As the match judge (`pair`) it compares the means of its two sides, and their cosine, which search
already ranks entries by, enters each level's logit from the start.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from models.manifest import LEVELS
from models.pipeline.pair import PairEncoder

if TYPE_CHECKING:
    from models.pipeline.network import BertEncoder

#: How a deviation of the cosine moves each level's logit before training.
_STEPS = (-1.5, -0.5, 0.5, 1.5)


class LevelEncoder(PairEncoder):
    """A cross-encoder with one logit for each level, 0 to 3."""

    def __init__(self, encoder: BertEncoder, dropout: float = 0.05) -> None:
        super().__init__(encoder, dropout)
        self.score = nn.Linear(encoder.config.hidden, LEVELS)
        self.slope = nn.Parameter(torch.tensor(_STEPS))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> Tensor:
        """Token ids (B, T) of `<s> question </s></s> entry </s>` to logits (B, 4) float32."""
        scored, alike = self.scored(input_ids, attention_mask, token_type_ids)
        return scored + (alike - self.offset)[:, None] * self.slope

    @torch.inference_mode()
    def settle(self, input_ids: Tensor, attention_mask: Tensor) -> None:
        """Put the cosine's offset and slopes where a sample's cosines have deviation 1."""
        _, alike = self.scored(input_ids, attention_mask)
        self.offset.copy_(alike.mean())
        self.slope.copy_(torch.tensor(_STEPS) / alike.std().clamp(min=0.01))
