"""
The judge: one logit for a pair read together, with a head that compares the two sides.

A head that sees the first token and one mean over everything has to learn from nothing that two
texts are alike: after 50,000 public and 20,000 call pairs it ranked natural turns at AUC 0.64,
while the means of the two sides, read from the untrained network with both texts in it, already
rank them at 0.80. So the head sees both means, what differs between them and what they share, and
their cosine enters the logit directly::

    judge = PairEncoder(load_trimmed(Path("base")))
    judge.freeze_embeddings()
    logits = judge(input_ids, attention_mask)            # (B,) float32
    save_judge(Path("run/judge.pt"), judge, note={"seed": 1})
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.pipeline.network import BertEncoder, NetworkConfig, mean_pool

if TYPE_CHECKING:
    from pathlib import Path

#: Ids of the tokens that begin and end a side; neither says anything of it.
BEGIN, END = 0, 2
#: Where the cosine of two sides stands before training, and how steeply it enters the logit.
_OFFSET, _SLOPE = 0.95, 10.0


def side_masks(input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
    """
    Tell the two sides of `<s> a </s></s> b </s>` apart.

    Args:
        input_ids: (B, T) int64.
        attention_mask: (B, T) int64.

    Returns:
        Two masks (B, T) int64 of the tokens of each side, without the special ones.
    """
    ends = (input_ids == END).to(torch.int64)
    seen = ends.cumsum(dim=1)  # 0 within the first side, 2 within the second
    said = attention_mask * (1 - ends) * (input_ids != BEGIN).to(torch.int64)
    return said * (seen == 0).to(torch.int64), said * (seen > 0).to(torch.int64)


def side_mean(states: Tensor, mask: Tensor) -> Tensor:
    """Mean of the states (B, T, H) over a mask, zeros where it keeps nothing: (B, H)."""
    weights = mask[:, :, None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1.0)


def cosine(first: Tensor, second: Tensor) -> Tensor:
    """Cosines (B,) float32 of two sets of vectors (B, H)."""
    left = functional.normalize(first.float(), dim=-1)
    right = functional.normalize(second.float(), dim=-1)
    return (left * right).sum(dim=-1)


class PairEncoder(nn.Module):
    """A cross-encoder whose head compares the means of its two sides."""

    def __init__(self, encoder: BertEncoder, dropout: float = 0.05) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(dropout)
        self.dense = nn.Linear(4 * encoder.config.hidden, encoder.config.hidden)
        self.score = nn.Linear(encoder.config.hidden, 1)
        self.slope = nn.Parameter(torch.tensor(_SLOPE))
        self.offset = nn.Parameter(torch.tensor(_OFFSET))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> Tensor:
        """Token ids (B, T) of `<s> a </s></s> b </s>` to logits (B,) float32."""
        scored, alike = self.scored(input_ids, attention_mask, token_type_ids)
        return scored.squeeze(-1) + self.slope * (alike - self.offset)

    def scored(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return what the head says without the cosine, (B, scores), and the cosines, (B,)."""
        states = self.encoder(input_ids, attention_mask, token_type_ids)
        first, second = (side_mean(states, one) for one in side_masks(input_ids, attention_mask))
        whole = [states[:, 0], mean_pool(states, attention_mask)]
        features = torch.cat([*whole, (first - second).abs(), first * second], dim=-1)
        hidden = torch.tanh(self.dense(self.dropout(features)))
        return self.score(self.dropout(hidden)).float(), cosine(first, second)

    @torch.inference_mode()
    def settle(self, input_ids: Tensor, attention_mask: Tensor) -> None:
        """
        Put the cosine's offset and slope where a sample's cosines have mean 0 and deviation 1.

        Bases differ by far in how alike all their texts are; training moves these two slowly.
        """
        _, alike = self.scored(input_ids, attention_mask)
        self.offset.copy_(alike.mean())
        self.slope.copy_(1.0 / alike.std().clamp(min=0.01))

    def freeze_embeddings(self) -> None:
        """
        Stop training the word table.

        Frozen rows stay on the 4-bit grid that they came from, so a bundle stores them losslessly.
        """
        self.encoder.word.weight.requires_grad_(requires_grad=False)


def save_judge(path: Path, judge: PairEncoder, note: dict[str, Any]) -> None:
    """Write a judge's checkpoint: shape, weights and a note (seed, data hashes, metrics)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    config = asdict(judge.encoder.config)
    torch.save({"config": config, "state": judge.state_dict(), "note": note}, path)


def load_judge(path: Path, network: type[PairEncoder] = PairEncoder) -> PairEncoder:
    """Read a judge of one kind of network from its checkpoint, in eval mode, fp32."""
    content = torch.load(path, map_location="cpu", weights_only=True)
    judge = network(BertEncoder(NetworkConfig(**content["config"])))
    judge.load_state_dict(content["state"])
    return judge.eval()
