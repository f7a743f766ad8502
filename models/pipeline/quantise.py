"""
Stage: fp32 graph to the int8 graph that ships.

    python -m models.pipeline.quantise --source judge.fp32.onnx --out judge.int8.onnx \
        --tokenizer base/tokenizer.json --inputs calibration.jsonl

`--inputs` has one JSON object a line, `{"text"}` for an encoder, `{"utterance", "prediction"}` or
a labelled row's `{"a", "b"}` for a judge, and `{"question", "title", "content"}` for an answer
judge; the even lines set the ranges, the odd ones measure the distance from the fp32 graph.

Weights of each matrix product become signed 8-bit integers, one scale for each output channel.
Their fast kernels are exact where the CPU has VNNI; elsewhere the serving session asks for slower
exact ones, so no bit has to be given up (`--reduce-range` shows what that would cost).

Activations are 8-bit with one fixed range for each product (`--dynamic` takes the range of each
batch instead). A fixed range makes a row's numbers independent of the rows beside it, so a
redelivered event scores the same in any company. A few channels are ten times as large as all
others and would eat the range; they are divided by a constant before, and the weights multiplied
by it. The word table goes into blocks of 4 bits, without loss where it was left untrained.

The last line of stdout is one JSON document.
"""

# mypy: disable-error-code="import-not-found, no-untyped-call"

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import TensorProto, helper

from models.encoder import PREFIX
from models.kb.reading import pair_texts
from models.manifest import LEVELS
from models.pipeline.bare import strip
from models.pipeline.embedding import BLOCK
from models.pipeline.rewrite import Options, Range, products, rewrite
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence


#: Inputs that ranges are taken from, and as many that parity is measured on.
INPUTS = 600


def quantise(
    source: Path,
    out: Path,
    *,
    tokenizer: Path,
    inputs: Sequence[tuple[str, ...]],
    per_channel: bool = True,
    dynamic: bool = False,
    reduce_range: bool = False,
) -> dict[str, Any]:
    """
    Quantise an exported graph.

    Args:
        source: fp32 graph that the stage `export` wrote.
        out: graph to write, one file.
        tokenizer: the trimmed tokenizer.json.
        inputs: texts (with their prefix) or pairs; the even ones set ranges, the odd ones
            measure parity.
        per_channel: one scale for each output channel; else one for each matrix.
        dynamic: ranges of each batch instead of fixed ones.
        reduce_range: weights of 7 bits.

    Returns:
        What was done and what it cost, for the manifest.
    """
    options = Options(per_channel=per_channel, dynamic=dynamic, reduce_range=reduce_range)
    model = onnx.load(source)
    tokens = Tokens(tokenizer.read_bytes(), MAX_TOKENS)
    ranges = {} if dynamic else observe(model, tokens, inputs[0::2][:INPUTS])
    if dynamic:
        ranges = {node.input[0]: None for node in products(model.graph)}
    table = rewrite(model, ranges, options)
    strip(model)
    out.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, out)
    bits = 7 if reduce_range else 8
    return {
        "weights": f"{bits}-bit, {'per channel' if per_channel else 'per tensor'}, signed",
        "activations": "8-bit, range of each batch" if dynamic else "8-bit, fixed ranges",
        "embedding": f"{table.bits}-bit blocks of {BLOCK}, largest error {table.error:.1e}",
        "reduced_range": reduce_range,
        "parity": parity(source, out, tokens, inputs[1::2][:INPUTS]),
        "bytes": out.stat().st_size,
    }


def observe(
    model: onnx.ModelProto, tokens: Tokens, inputs: Sequence[tuple[str, ...]]
) -> dict[str, Range | None]:
    """Run inputs one by one, unpadded, and note the range of what enters each product."""
    probe = onnx.ModelProto()
    probe.CopyFrom(model)
    names = list(dict.fromkeys(node.input[0] for node in products(probe.graph)))
    for name in names:
        probe.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    session = new_session(probe.SerializeToString(), threads=2)
    seen: dict[str, Range] = {}
    for batch in tokens.tokenize(inputs).batches:
        for row, length in zip(batch.input_ids, batch.attention_mask.sum(axis=1), strict=True):
            ids = row[None, :length]
            outputs = session.run({"input_ids": ids, "attention_mask": np.ones_like(ids)})
            for name, value in zip(names, outputs[-len(names) :], strict=True):
                flat = value.reshape(-1, value.shape[-1])
                here = Range(flat.min(axis=0), flat.max(axis=0))
                seen[name] = seen[name].with_(here) if name in seen else here
    return dict(seen)


def parity(
    source: Path, out: Path, tokens: Tokens, inputs: Sequence[tuple[str, ...]]
) -> dict[str, float]:
    """How far the quantised graph is from the fp32 one: cosines, or differences of logits."""
    before = run_all(new_session(source.read_bytes(), threads=2), tokens, inputs)
    after = run_all(new_session(out.read_bytes(), threads=2), tokens, inputs)
    if before.ndim == 1 or before.shape[1] == LEVELS:
        apart = np.abs(before - after)
        return {
            "inputs": len(inputs),
            "logit_spread": round(float(before.std()), 4),
            "logit_error_mean": round(float(apart.mean()), 5),
            "logit_error_p99": round(float(np.quantile(apart, 0.99)), 5),
            "logit_error_max": round(float(apart.max()), 5),
        }
    same = (before * after).sum(axis=1)
    pairs = np.abs(before @ before.T - after @ after.T)
    return {
        "inputs": len(inputs),
        "cosine_mean": round(float(same.mean()), 6),
        "cosine_min": round(float(same.min()), 6),
        "pair_error_mean": round(float(pairs.mean()), 6),
        "pair_error_p99": round(float(np.quantile(pairs, 0.99)), 6),
    }


def read_inputs(path: Path) -> list[tuple[str, ...]]:
    """Texts (prefixed) or pairs from a file of JSON lines."""
    return [_input(json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def _input(row: dict[str, str]) -> tuple[str, ...]:
    if "text" in row:
        return (PREFIX + row["text"],)
    if "question" in row:
        return pair_texts(row["question"], row["title"], row["content"])
    if "a" in row:
        return (row["a"], row["b"])
    return (row["utterance"], row["prediction"])


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", type=Path, required=True, help="fp32 graph")
    parser.add_argument("--out", type=Path, required=True, help="graph to write")
    parser.add_argument("--tokenizer", type=Path, required=True, help="trimmed tokenizer.json")
    parser.add_argument("--inputs", type=Path, required=True, help="JSON lines; see above")
    parser.add_argument("--per-tensor", action="store_true", help="one scale for each matrix")
    parser.add_argument("--dynamic", action="store_true", help="ranges of each batch")
    parser.add_argument("--reduce-range", action="store_true", help="weights of 7 bits")
    args = parser.parse_args(argv)
    report = quantise(
        args.source,
        args.out,
        tokenizer=args.tokenizer,
        inputs=read_inputs(args.inputs),
        per_channel=not args.per_tensor,
        dynamic=args.dynamic,
        reduce_range=args.reduce_range,
    )
    print(json.dumps(report))


if __name__ == "__main__":
    main()
