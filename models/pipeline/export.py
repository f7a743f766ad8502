"""
Stage: torch checkpoint to an fp32 ONNX graph, proved by parity.

An encoder from its folder, a judge or an answer judge from its checkpoint::

    python -m models.pipeline.export encoder --checkpoint base --tokenizer base/tokenizer.json \
        --out encoder.fp32.onnx
    python -m models.pipeline.export judge --checkpoint run/judge.pt \
        --tokenizer base/tokenizer.json --out judge.fp32.onnx
    python -m models.pipeline.export answer --checkpoint run/answer.pt \
        --tokenizer base/tokenizer.json --out answer.fp32.onnx

Inputs `input_ids` and `attention_mask` (B, T) int64, both free. The encoder's output `vector`
(B, 384) has mean pooling and unit length inside; the judge's output `logit` (B,) and the answer
judge's output `levels` (B, 4) are float32 logits. The position table is cut to the 128 tokens that
a bundle reads.

The graph must give torch's numbers on the fixed texts: within 1e-5 for cosines and 1e-3 for logits.
The last line of stdout is one JSON document.
"""

# mypy: disable-error-code="import-not-found, no-any-return"

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch

from models.pipeline.bare import strip
from models.pipeline.base import CHECK_TEXTS
from models.pipeline.levels import LevelEncoder
from models.pipeline.network import BertEncoder, SentenceEncoder, load_trimmed
from models.pipeline.pair import PairEncoder, load_judge
from models.pipeline.scoring import MAX_TOKENS
from models.runtime import new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from torch import nn

#: ONNX operator set: the newest whose operators this runtime runs and the exporter writes.
OPSET = 23
#: Most inputs of one run that the graph is exported for.
MAX_ROWS = 1024
#: Name of each graph's output.
_OUTPUTS = {"encoder": "vector", "judge": "logit", "answer": "levels"}
#: Network of each kind of judge.
NETWORKS = {"judge": PairEncoder, "answer": LevelEncoder}
#: Largest difference from torch: of a vector's elements, of a logit.
VECTOR_TOLERANCE, LOGIT_TOLERANCE = 1e-5, 1e-3


def check_inputs(kind: str) -> list[tuple[str, ...]]:
    """The fixed inputs that parity is checked on: texts, or each text with the next one."""
    if kind == "encoder":
        return [("query: " + text,) for text in CHECK_TEXTS]
    return list(zip(CHECK_TEXTS, CHECK_TEXTS[1:] + CHECK_TEXTS[:1], strict=True))


def export_encoder(folder: Path, tokenizer: Path, out: Path) -> dict[str, Any]:
    """Export a trimmed encoder's folder; returns the parity report, or raises ValueError."""
    encoder = _shorten(load_trimmed(folder))
    return _export(SentenceEncoder(encoder), encoder, "encoder", tokenizer, out)


def export_judge(
    checkpoint: Path, tokenizer: Path, out: Path, kind: str = "judge"
) -> dict[str, Any]:
    """
    Export the checkpoint of a judge or an "answer" judge.

    Returns:
        The parity report; raises ValueError where the graph gives other numbers than torch.
    """
    judge = load_judge(checkpoint, NETWORKS[kind])
    judge.encoder = _shorten(judge.encoder)
    return _export(judge, judge.encoder, kind, tokenizer, out)


def _shorten(encoder: BertEncoder) -> BertEncoder:
    """The same encoder with only the positions that a bundle reads."""
    config = encoder.config
    places = min(config.positions, MAX_TOKENS + config.position_offset)
    shorter = BertEncoder(replace(config, positions=places))
    state = encoder.state_dict()
    state["position.weight"] = state["position.weight"][:places]
    shorter.load_state_dict(state)
    return shorter.eval()


def _export(
    network: nn.Module, encoder: BertEncoder, kind: str, tokenizer: Path, out: Path
) -> dict[str, Any]:
    network.eval()
    ids = torch.randint(4, encoder.config.vocabulary, (3, 11))
    mask = torch.ones_like(ids)
    mask[1, 7:] = 0
    free = {0: torch.export.Dim("B", max=MAX_ROWS), 1: torch.export.Dim("T", max=MAX_TOKENS)}
    program = torch.onnx.export(
        network,
        (ids, mask),
        dynamo=True,
        dynamic_shapes=(free, free),
        input_names=["input_ids", "attention_mask"],
        output_names=[_OUTPUTS[kind]],
        opset_version=OPSET,
        optimize=True,
        external_data=False,
        verbose=False,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    program.save(str(out))
    model = onnx.load(out)
    strip(model)
    onnx.save(model, out)
    return _parity(network, kind, tokenizer, out)


def _parity(network: nn.Module, kind: str, tokenizer: Path, out: Path) -> dict[str, Any]:
    """Compare the written graph with torch on the fixed inputs, padded as serving pads them."""
    session = new_session(out.read_bytes(), threads=2)
    worst = 0.0
    for batch in Tokens(tokenizer.read_bytes(), MAX_TOKENS).tokenize(check_inputs(kind)).batches:
        ids, mask = torch.from_numpy(batch.input_ids), torch.from_numpy(batch.attention_mask)
        with torch.inference_mode():
            expected = network(ids, mask).numpy()
        feeds = {"input_ids": batch.input_ids, "attention_mask": batch.attention_mask}
        worst = max(worst, float(np.abs(session.run(feeds)[0] - expected).max()))
    tolerance = VECTOR_TOLERANCE if kind == "encoder" else LOGIT_TOLERANCE
    if not worst <= tolerance:
        raise ValueError(f"the graph differs from torch by {worst:.2e}, more than {tolerance}")
    return {"kind": kind, "opset": OPSET, "max_difference": worst, "bytes": out.stat().st_size}


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=tuple(_OUTPUTS))
    parser.add_argument("--checkpoint", type=Path, required=True, help="folder, or judge.pt")
    parser.add_argument("--tokenizer", type=Path, required=True, help="trimmed tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="fp32 graph to write")
    args = parser.parse_args(argv)
    if args.kind == "encoder":
        report = export_encoder(args.checkpoint, args.tokenizer, args.out)
    else:
        report = export_judge(args.checkpoint, args.tokenizer, args.out, args.kind)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
