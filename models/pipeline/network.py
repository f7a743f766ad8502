"""
The network that every bundle comes from: a BERT encoder. `pair` puts the judge's head on it.

Plain torch, so that training needs no model library. Attention is spelled out in single
operations: the ONNX optimiser fuses them itself, and the way back through torch's fused attention
takes two thirds of a training step on a CPU (43 pairs a second on one core, 96 spelled out).

Loading the trimmed base weights (made by `models.pipeline.trim`)::

    encoder = load_trimmed(Path("base"))                 # BertEncoder, fp32, eval mode
    states = encoder(input_ids, attention_mask)          # (B, T, H)

torch is imported at the top: only stages import this module, never the serving code.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return"

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

if TYPE_CHECKING:
    from pathlib import Path

#: File of a trimmed or base checkpoint inside its folder.
CHECKPOINT = "encoder.pt"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkConfig:
    """Shape of an encoder."""

    #: Rows of the word table.
    vocabulary: int
    #: Width of a hidden state.
    hidden: int = 384
    layers: int = 12
    heads: int = 12
    #: Width inside the feed-forward block.
    ffn: int = 1536
    #: Rows of the position table.
    positions: int = 512
    #: Rows of the segment table.
    types: int = 2
    eps: float = 1e-12
    #: Row of the first token: 0 for BERT-style weights, 2 for XLM-R-style ones.
    position_offset: int = 0


class Attention(nn.Module):
    """Multi-head self-attention with its output projection, residual and norm."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.query = nn.Linear(config.hidden, config.hidden)
        self.key = nn.Linear(config.hidden, config.hidden)
        self.value = nn.Linear(config.hidden, config.hidden)
        self.output = nn.Linear(config.hidden, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.eps)

    def forward(self, states: Tensor, bias: Tensor, dropout: float) -> Tensor:
        """States (B, T, H) to states (B, T, H); bias (B, 1, 1, T) is added to the scores."""
        batch, tokens, hidden = states.shape
        shape = (batch, tokens, self.heads, hidden // self.heads)
        query = self.query(states).view(shape).transpose(1, 2)  # (B, heads, T, head)
        key = self.key(states).view(shape).transpose(1, 2)
        value = self.value(states).view(shape).transpose(1, 2)
        scores = query @ key.transpose(-1, -2) / math.sqrt(hidden // self.heads) + bias
        shares = functional.dropout(scores.softmax(dim=-1), dropout, self.training)
        mixed = shares @ value
        mixed = mixed.transpose(1, 2).reshape(batch, tokens, hidden)
        mixed = functional.dropout(self.output(mixed), dropout, self.training)
        return cast("Tensor", self.norm(mixed + states))


class Layer(nn.Module):
    """One transformer layer: attention, then the feed-forward block, norms after residuals."""

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.expand = nn.Linear(config.hidden, config.ffn)
        self.reduce = nn.Linear(config.ffn, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.eps)

    def forward(self, states: Tensor, bias: Tensor, dropout: float) -> Tensor:
        """States (B, T, H) to states (B, T, H)."""
        states = self.attention(states, bias, dropout)
        inner = self.reduce(functional.gelu(self.expand(states)))
        inner = functional.dropout(inner, dropout, self.training)
        return cast("Tensor", self.norm(inner + states))


class BertEncoder(nn.Module):
    """Token ids to hidden states."""

    def __init__(self, config: NetworkConfig, dropout: float = 0.1) -> None:
        super().__init__()
        self.config = config
        #: Rate used after each projection while training; 0 in eval mode.
        self.dropout = dropout
        self.word = nn.Embedding(config.vocabulary, config.hidden)
        self.position = nn.Embedding(config.positions, config.hidden)
        self.segment = nn.Embedding(config.types, config.hidden)
        self.norm = nn.LayerNorm(config.hidden, eps=config.eps)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> Tensor:
        """
        Encode a padded batch.

        Args:
            input_ids: (B, T) int64.
            attention_mask: (B, T) int64, 1 for tokens and 0 for padding at the end.
            token_type_ids: (B, T) int64; all 0 when not given.

        Returns:
            Hidden states (B, T, H); rows of padding hold no meaning.
        """
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        states = self.word(input_ids) + self.position(places + self.config.position_offset)
        states = self.norm(states + self.segment(token_type_ids))
        states = functional.dropout(states, self.dropout, self.training)
        bias = (1.0 - attention_mask[:, None, None, :].to(states.dtype)) * -10000.0
        for layer in self.layers:
            states = layer(states, bias, self.dropout)
        return states


def mean_pool(states: Tensor, attention_mask: Tensor) -> Tensor:
    """Mean of the hidden states (B, T, H) over the tokens that the mask keeps: (B, H)."""
    weights = attention_mask[:, :, None].to(states.dtype)
    return (states * weights).sum(dim=1) / weights.sum(dim=1)


class SentenceEncoder(nn.Module):
    """The encoder bundle's graph: mean over tokens, then unit length."""

    def __init__(self, encoder: BertEncoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Token ids (B, T) to unit vectors (B, H)."""
        pooled = mean_pool(self.encoder(input_ids, attention_mask), attention_mask)
        return functional.normalize(pooled, dim=-1)


def save_encoder(folder: Path, encoder: BertEncoder, note: dict[str, Any]) -> None:
    """Write an encoder's checkpoint into a folder; the note says where it came from."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"config": asdict(encoder.config), "state": encoder.state_dict(), "note": note}
    torch.save(content, folder / CHECKPOINT)


def load_trimmed(folder: Path) -> BertEncoder:
    """Read an encoder from its folder, in eval mode, fp32."""
    content = torch.load(folder / CHECKPOINT, map_location="cpu", weights_only=True)
    encoder = BertEncoder(NetworkConfig(**content["config"]))
    encoder.load_state_dict(content["state"])
    return encoder.eval()
