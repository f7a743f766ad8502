"""
The one command that makes the judge: every stage in order, from the wheels to a bundle.

    python -m models.pipeline.judge --data ../shared/data --out runs/judge

Needs the extra `train`, no network and no GPU. Each stage is a process of its own that writes into
`--out`; the bundle is `--out`/bundle, and putting it into `models/bundles` is left to people, after
`turngate gate BUNDLE`. What a run was made of and how long it took stays in `--out`/stages.

`--from STAGE` goes on: that stage and all after it run; of those before it, only the ones that are
not finished, or whose arguments or files have changed since, and that may be `train`. A change of
code is not seen, nor of the tables beside it that data is built from: name the stage.

`--tiny` is the smoke run (`make train-smoke`), some minutes on two cores. It proves that the stages
fit together: each reads what the one before it wrote, the exported graph has torch's numbers, the
int8 graph runs, and the bundle loads, verifies and repeats its own scores. It proves nothing about
judging. Its few pairs cannot show one false accept in a hundred, so it is content with five, and
its threshold lies where all traps are refused, wherever that may be; its version and card say so.

The last line of stdout is one JSON document: bundle, sizes, SHA-256, seconds, metrics.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.judge import Judge
from models.pipeline.data.build import HELD_FILES
from models.pipeline.first import TINY_VERSION, TRAINING, first_stages, run_from_arguments, stage
from models.pipeline.pack import sha256
from models.pipeline.stages import Stage, log_of, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Largest false accept rates that the threshold is chosen for, the second where all negatives are
#: near misses; 400 pairs cannot show 1 %.
_CEILINGS, _TINY_CEILINGS = ("0.01", "0.02"), ("0.05", "0.05")
#: What the loaded bundle is asked at the end.
_QUESTION = ("yes, call me tomorrow", "yes, please call tomorrow")

_HERE = Path(__file__).parent
#: Whose eyes find pairs that lie near each other.
_ENCODER = _HERE.parent / "bundles" / "encoder"


def stages_of(data: Path, run: Path, *, version: str, tiny: bool) -> list[Stage]:
    """
    Return every stage of a run, in order.

    Args:
        data: folder of the public data sets.
        run: folder that takes everything.
        version: of the bundle.
        tiny: the smoke run.
    """
    base, made, warm = run / "base", run / "data", run / "warm"
    checkpoint, tokenizer = run / "train" / "judge.pt", base / "tokenizer.json"
    pairs = {name: made / f"{name}.jsonl" for name in ("train", *HELD_FILES)}
    groups, mix = made / "groups.jsonl", run / "mix.jsonl"
    fp32, int8, form = run / "judge.fp32.onnx", run / "judge.onnx", run / "form.json"
    thresholds, proof, bundle = run / "calibration.json", run / "proof.jsonl", run / "bundle"
    traps, natural, adversarial = (
        _HERE / "data" / f"{name}.tsv" for name in ("traps", "natural", "adversarial")
    )
    hard = (pairs["scenes"], pairs["validation"], adversarial)
    card = _HERE / "cards" / ("judge_tiny.md" if tiny else "judge.md")
    quantised = log_of(run, "quantise")
    small = ("--tiny",) if tiny else ()
    most, most_hard = _TINY_CEILINGS if tiny else _CEILINGS
    ceilings = ("--max-false-accept", most, "--max-false-accept-hard", most_hard)
    return [
        *first_stages(data, run, tiny=tiny),
        stage("mix", "--data", made, "--encoder", _ENCODER, "--out", mix, *small,
               reads=(*pairs.values(), _ENCODER), writes=(mix,)),
        stage("train", "--base", warm, "--train", mix, "--validation",
               pairs["validation"], "--out", checkpoint.parent, *small,
               reads=(warm, mix, pairs["validation"]), writes=(checkpoint,),
               environment=TRAINING),
        stage("export", "judge", "--checkpoint", checkpoint, "--tokenizer", tokenizer, "--out",
               fp32, reads=(checkpoint, tokenizer), writes=(fp32,)),
        # training pairs come shuffled, so the first ones are a sample of them all
        stage("quantise", "--source", fp32, "--out", int8, "--tokenizer", tokenizer, "--inputs",
               mix, reads=(fp32, tokenizer, mix), writes=(int8, quantised)),
        stage("form", "--model", int8, "--tokenizer", tokenizer, "--pairs", natural, *hard,
               "--out", form, reads=(int8, tokenizer, natural, *hard), writes=(form,)),
        stage("calibrate", "--model", int8, "--tokenizer", tokenizer, "--form", form, "--pairs",
               natural, "--hard", *hard, "--language-slack", "2", *ceilings, "--above", traps,
               "--out", thresholds, reads=(int8, tokenizer, form, natural, *hard, traps),
               writes=(thresholds,)),
        stage("proof", "--model", int8, "--tokenizer", tokenizer, "--form", form, "--thresholds",
               thresholds, "--out", proof, reads=(int8, tokenizer, form, thresholds, traps),
               writes=(proof,)),
        stage("pack", "judge", "--model", int8, "--tokenizer", tokenizer, "--form", form,
               "--thresholds", thresholds, "--quantisation", quantised, "--proof", proof,
               "--training-data", groups, mix, "--card", card, "--version",
               TINY_VERSION if tiny else version, "--out", bundle,
               reads=(int8, tokenizer, form, thresholds, quantised, proof, groups, mix, card),
               writes=(bundle,)),
        stage("evaluate", "--bundle", bundle, "--pairs", natural, "--report",
               run / "natural.json", reads=(bundle, natural), writes=(run / "natural.json",)),
    ]  # fmt: skip


def verdict(bundle: Path) -> dict[str, Any]:
    """Load the bundle as the worker does, let it prove itself, and ask it one pair."""
    judge = Judge.load(bundle)
    judge.prove()
    logit = float(judge.logits([_QUESTION])[0])
    return {
        "utterance": _QUESTION[0],
        "prediction": _QUESTION[1],
        "logit": round(logit, 3),
        "threshold": judge.threshold,
        "served": logit >= judge.threshold,
    }


def summary(stages: Sequence[Stage], run: Path) -> dict[str, Any]:
    """What a finished run made, from the records of its stages and its bundle."""
    records = {stage.name: record_of(run, stage.name) or {} for stage in stages}
    results = {name: record["result"] for name, record in records.items()}
    seconds = {name: record["seconds"] for name, record in records.items()}
    bundle = run / "bundle"
    files = sorted(bundle.iterdir())
    return {
        "bundle": str(bundle),
        "fingerprint": results["pack"]["fingerprint"],
        "bytes": {path.name: path.stat().st_size for path in files},
        "sha256": {path.name: sha256(path) for path in files},
        "seconds": seconds | {"all": round(sum(seconds.values()), 1)},
        "metrics": {
            "train": results["train"]["last"],
            "export": {"max_difference": results["export"]["max_difference"]},
            "quantise": results["quantise"]["parity"],
            "serve": results["calibrate"],
            "proof": results["proof"],
            "natural": results["evaluate"],
        },
        "verdict": verdict(bundle),
    }


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stages from the command line."""
    stages, run = run_from_arguments(__doc__, "0.3.0", stages_of, argv)
    found = summary(stages, run)
    asked = found["verdict"]
    print(
        f'said "{asked["utterance"]}", predicted "{asked["prediction"]}": logit '
        f"{asked['logit']:+.3f}, threshold {asked['threshold']:+.3f}, "
        f"{'served' if asked['served'] else 'not served'}"
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
