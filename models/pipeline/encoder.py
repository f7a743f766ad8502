"""
The one command that makes the encoder: every stage in order, from the wheels to a bundle.

    python -m models.pipeline.encoder --data ../shared/data --out runs/encoder

One encoder serves the shortlist, the router, the search of the knowledge base and the grouping of
its gaps. Stages, `--from` and `--tiny` are as in `models.pipeline.judge`, and a run may share its
folder with the judge's: the stages up to `warm` are the same. The bundle is `--out`/encoder-bundle.

The last line of stdout is one JSON document: bundle, fingerprint, seconds, metrics.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from models.pipeline.first import TINY_VERSION, first_stages, run_from_arguments, stage
from models.pipeline.stages import Stage, log_of, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_CARDS = Path(__file__).parent / "cards"


def stages_of(data: Path, run: Path, *, version: str, tiny: bool) -> list[Stage]:
    """
    Return every stage of a run, in order.

    Args:
        data: folder of the public data sets.
        run: folder that takes everything.
        version: of the bundle.
        tiny: the smoke run.
    """
    base, warm, blended = run / "base", run / "warm", run / "blended"
    tokenizer = base / "tokenizer.json"
    texts, groups = run / "data" / "texts.jsonl", run / "data" / "groups.jsonl"
    fp32, int8 = run / "encoder.fp32.onnx", run / "encoder.onnx"
    thresholds, bundle = run / "conservative.json", run / "encoder-bundle"
    card, golden = _CARDS / "encoder.md", _CARDS / "encoder_golden.jsonl"
    quantised = log_of(run, "encoder-quantise")
    return [
        *first_stages(data, run, tiny=tiny),
        stage("blend", "--base", base, "--warm", warm, "--out", blended, reads=(base, warm),
              writes=(blended,)),
        stage("encoder-export", "encoder", "--checkpoint", blended, "--tokenizer", tokenizer,
              "--out", fp32, module="export", reads=(blended, tokenizer), writes=(fp32,)),
        stage("encoder-quantise", "--source", fp32, "--out", int8, "--tokenizer", tokenizer,
              "--inputs", texts, module="quantise", reads=(fp32, tokenizer, texts),
              writes=(int8, quantised)),
        stage("conservative", "--model", int8, "--tokenizer", tokenizer, "--data", data, "--out",
              thresholds, reads=(int8, tokenizer, data), writes=(thresholds,)),
        stage("encoder-pack", "encoder", "--model", int8, "--tokenizer", tokenizer,
              "--thresholds", thresholds, "--quantisation", quantised, "--proof", golden,
              "--training-data", groups, "--card", card, "--version",
              TINY_VERSION if tiny else version, "--out", bundle, module="pack",
              reads=(int8, tokenizer, thresholds, quantised, golden, groups, card),
              writes=(bundle,)),
    ]  # fmt: skip


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stages from the command line."""
    stages, run = run_from_arguments(__doc__, "0.2.0", stages_of, argv)
    records = {one.name: record_of(run, one.name) or {} for one in stages}
    results = {name: record["result"] for name, record in records.items()}
    print(
        json.dumps(
            {
                "bundle": str(run / "encoder-bundle"),
                "fingerprint": results["encoder-pack"]["fingerprint"],
                "seconds": {name: record["seconds"] for name, record in records.items()},
                "metrics": {
                    "warm": results["warm"],
                    "export": results["encoder-export"]["max_difference"],
                    "quantise": results["encoder-quantise"]["parity"],
                },
            }
        )
    )


if __name__ == "__main__":
    main()
