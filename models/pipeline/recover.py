"""
Stage: a judge's bundle back to a checkpoint that training can go on from.

    python -m models.pipeline.recover --bundle models/bundles/judge --base base --out run/judge.pt

`--kind answer` does the same with an answer judge's.

A run need not begin at the base when a judge that was trained for hours lies in the repository.
The weights come back from their 8 bits, exact to half a step of each channel; the word table, which
training never changes, comes from the base whole, and so do the positions that a bundle does not
read. `--base` must have the bundle's own tokenizer, byte for byte.

The checkpoint is run against the bundle on fixed texts. The last line of stdout is one JSON
document.
"""

# mypy: disable-error-code="import-not-found, no-any-return, no-untyped-call"

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from models.pipeline.export import NETWORKS, check_inputs
from models.pipeline.network import load_trimmed
from models.pipeline.pack import sha256
from models.pipeline.pair import PairEncoder, save_judge
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

#: Largest mean difference of a logit from the bundle's: what quantising costs, and some more.
TOLERANCE = 1.0
_WORDS, _POSITIONS = "encoder.word.weight", "encoder.position.weight"


def recovered(graph: onnx.GraphProto) -> dict[str, NDArray[np.float32]]:
    """Return the weights that a quantised judge's graph holds, by the names that training gives."""
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    found = {name: value for name, value in constants.items() if value.dtype == np.float32}
    for node in graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            source, codes, _, scale, _, _, bias = node.input
            factors = constants.get(source.removesuffix(".codes") + ".factors")
            weights = constants[codes].astype(np.float32) * constants[scale]
            if factors is not None:
                weights = weights * factors[:, None]
            found[bias.removesuffix("bias") + "weight"] = weights.T
    return found


def judge_of(
    model: onnx.ModelProto, base: Path, network: type[PairEncoder] = PairEncoder
) -> PairEncoder:
    """
    Return the judge of a quantised graph, of one kind of network.

    Raises:
        ValueError: a weight is missing, or has another shape than the base's.
    """
    judge = network(load_trimmed(base))
    state = judge.state_dict()
    found = recovered(model.graph)
    for name, tensor in state.items():
        if name == _WORDS:
            continue
        if name not in found:
            raise ValueError(f"the graph has no {name}")
        value = torch.from_numpy(np.array(found[name]))
        if name == _POSITIONS:
            tensor[: len(value)] = value
        elif value.shape == tensor.shape:
            state[name] = value
        else:
            raise ValueError(f"{name} has another shape")
    judge.load_state_dict(state)
    return judge.eval()


def difference(judge: PairEncoder, model: Path, tokenizer: Path) -> float:
    """Return the mean difference of the fixed pairs' logits from the bundle's graph."""
    tokens = Tokens(tokenizer.read_bytes(), MAX_TOKENS)
    pairs = check_inputs("judge")
    expected = run_all(new_session(model.read_bytes(), threads=2), tokens, pairs)
    logits = np.zeros_like(expected)
    with torch.inference_mode():
        for place, pair in enumerate(pairs):
            (batch,) = tokens.tokenize([pair]).batches
            ids, mask = (torch.from_numpy(x) for x in (batch.input_ids, batch.attention_mask))
            logits[place] = judge(ids, mask)[0].numpy()
    return float(np.abs(logits - expected).mean())


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bundle", type=Path, required=True, help="folder of a judge's bundle")
    parser.add_argument("--base", type=Path, required=True, help="folder of the trimmed encoder")
    parser.add_argument("--kind", choices=tuple(NETWORKS), default="judge")
    parser.add_argument("--out", type=Path, required=True, help="checkpoint to write")
    args = parser.parse_args(argv)
    tokenizer = args.bundle / "tokenizer.json"
    if sha256(tokenizer) != sha256(args.base / "tokenizer.json"):
        raise SystemExit("recover: the base has another tokenizer than the bundle")
    path = args.bundle / "model.onnx"
    judge = judge_of(onnx.load(path), args.base, NETWORKS[args.kind])
    apart = difference(judge, path, tokenizer)
    if not apart <= TOLERANCE:
        raise SystemExit(f"recover: logits differ by {apart:.2f} in the mean")
    note: dict[str, Any] = {"recovered_from": sha256(path)}
    save_judge(args.out, judge, note)
    print(json.dumps(note | {"logit_difference_mean": round(apart, 4)}))


if __name__ == "__main__":
    main()
