"""
Stage: the pairs that a bundle proves itself with at every start.

    python -m models.pipeline.proof --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --form form.json --thresholds calibration.json --out proof.jsonl

Of `data/traps.tsv`: every pair that must not be served, whatever the judge says of it (`pack` stops
at a wrong one), and the true paraphrases that it accepts so surely that another machine's rounding
cannot refuse them. A paraphrase that it misses costs time and proves nothing. The last line of
stdout is one JSON document.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.judge import SERVE
from models.pipeline.data.traps import TRAPS, load
from models.pipeline.evaluate import graph_scorer, read_form
from models.pipeline.pack import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.pipeline.data.traps import Trap


def proof(traps: Sequence[Trap], logits: Sequence[float], threshold: float) -> list[dict[str, Any]]:
    """The traps that prove a judge, given their logits, as `pack` reads them."""
    sure = threshold + TOLERANCE["judge"]
    return [
        {"utterance": trap.utterance, "prediction": trap.prediction, "match": bool(trap.label)}
        for trap, logit in zip(traps, logits, strict=True)
        if not trap.label or logit >= sure
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="int8 graph")
    parser.add_argument("--tokenizer", type=Path, required=True, help="trimmed tokenizer.json")
    parser.add_argument("--form", type=Path, help="what the stage `form` wrote")
    parser.add_argument("--thresholds", type=Path, required=True, help="what `calibrate` wrote")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    threshold = json.loads(args.thresholds.read_text("utf-8"))["thresholds"][SERVE]["value"]
    traps = load(TRAPS)
    score = graph_scorer(args.model, args.tokenizer, threads=1, form=read_form(args.form))
    logits = score([(trap.utterance, trap.prediction) for trap in traps])
    rows = proof(traps, logits.tolist(), threshold)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    args.out.write_text(lines, "utf-8")
    matches = sum(row["match"] for row in rows)
    found = {"traps": len(traps), "must_not_match": len(rows) - matches, "must_match": matches}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
