"""
The judge with a head that compares the two sides.

The plain cross-encoder sees the first token and one mean over everything, so it has to learn from
nothing that two texts are alike: after 50,000 public and 20,000 call pairs it ranked natural turns
at AUC 0.64, while the means of the two sides, read from the untrained network with both texts in
it, already rank them at 0.80. Here the head sees both means, what differs between them and what
they share, and their cosine enters the logit directly::

    judge = PairEncoder(load_trimmed(Path("base")))
    logits = judge(input_ids, attention_mask)            # (B,) float32
    save_judge(Path("run/judge.pt"), judge, note={})

Export as the stage `export` does it::

    python -m models.pipeline.pair --checkpoint run/judge.pt --tokenizer base/tokenizer.json \
        --out judge.fp32.onnx
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return"

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.pipeline import export
from models.pipeline.network import BertEncoder, CrossEncoder, NetworkConfig, mean_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

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


class PairEncoder(CrossEncoder):
    """A cross-encoder whose head compares the means of its two sides."""

    def __init__(self, encoder: BertEncoder, dropout: float = 0.05) -> None:
        super().__init__(encoder, dropout)
        self.dense = nn.Linear(4 * encoder.config.hidden, encoder.config.hidden)
        self.slope = nn.Parameter(torch.tensor(_SLOPE))
        self.offset = nn.Parameter(torch.tensor(_OFFSET))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> Tensor:
        """Token ids (B, T) of `<s> a </s></s> b </s>` to logits (B,) float32."""
        states = self.encoder(input_ids, attention_mask, token_type_ids)
        first, second = (side_mean(states, one) for one in side_masks(input_ids, attention_mask))
        whole = [states[:, 0], mean_pool(states, attention_mask)]
        features = torch.cat([*whole, (first - second).abs(), first * second], dim=-1)
        hidden = torch.tanh(self.dense(self.dropout(features)))
        scored = self.score(self.dropout(hidden)).squeeze(-1).float()
        left = functional.normalize(first.float(), dim=-1)
        right = functional.normalize(second.float(), dim=-1)
        alike = (left * right).sum(dim=-1)
        return cast("Tensor", scored + self.slope * (alike - self.offset))


def load_pair(path: Path) -> PairEncoder:
    """Read a judge from the checkpoint that `save_judge` wrote, in eval mode, fp32."""
    content = torch.load(path, map_location="cpu", weights_only=True)
    judge = PairEncoder(BertEncoder(NetworkConfig(**content["config"])))
    judge.load_state_dict(content["state"])
    return judge.eval()


def main(argv: Sequence[str] | None = None) -> None:
    """Export a checkpoint, proved by parity."""
    parser = argparse.ArgumentParser(description="Export a judge that compares its sides.")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    judge = load_pair(args.checkpoint)
    judge.encoder = export._shorten(judge.encoder)  # noqa: SLF001 - the same stage, another head
    report = export._export(  # noqa: SLF001
        judge, judge.encoder, "judge", args.tokenizer, args.out
    )
    print(json.dumps(report))


if __name__ == "__main__":
    main()
