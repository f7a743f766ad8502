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

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.judge import Judge
from models.pipeline.pack import sha256
from models.pipeline.stages import Stage, StageFailed, log_of, record_of, run_stages

if TYPE_CHECKING:
    from collections.abc import Sequence

#: glibc gives activations back to the kernel after each step, and page faults then take most of
#: the time; so it keeps up to 8 GB, and takes 256 MB at once. Few spins, for shared cores.
TRAINING = {
    "GOMP_SPINCOUNT": "20000",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "8000000000",
    "MALLOC_TOP_PAD_": "268435456",
}
#: Largest false accept rate that the threshold is chosen for; 400 pairs cannot show 1 %.
_CEILING, _TINY_CEILING = "0.01", "0.05"
#: Version of a bundle that nobody may serve with.
_TINY_VERSION = "0.0.0-tiny"
#: What the loaded bundle is asked at the end.
_QUESTION = ("yes, call me tomorrow", "yes, please call tomorrow")

_HERE = Path(__file__).parent


def stages_of(data: Path, run: Path, *, version: str, tiny: bool) -> list[Stage]:
    """
    Return every stage of a run, in order.

    Args:
        data: folder of the public data sets.
        run: folder that takes everything.
        version: of the bundle.
        tiny: the smoke run.
    """
    full, base, made, warm = run / "base-full", run / "base", run / "data", run / "warm"
    checkpoint, tokenizer = run / "train" / "judge.pt", base / "tokenizer.json"
    pairs = {name: made / f"{name}.jsonl" for name in ("train", "validation", "scenes")}
    groups, turns = made / "groups.jsonl", made / "turns.jsonl"
    fp32, int8 = run / "judge.fp32.onnx", run / "judge.onnx"
    thresholds, proof, bundle = run / "calibration.json", run / "proof.jsonl", run / "bundle"
    traps, natural = _HERE / "data" / "traps.tsv", _HERE / "data" / "natural.tsv"
    card = _HERE / "cards" / ("judge_tiny.md" if tiny else "judge.md")
    quantised = log_of(run, "quantise")
    small = ("--tiny",) if tiny else ()
    return [
        _stage("base", "--out", full, writes=(full,)),
        _stage("trim", "--base", full, "--data", data, "--out", base, reads=(full, data),
               writes=(base,)),
        _stage("data", "--data", data, "--out", made, *small, module="data.build",
               reads=(data,), writes=(*pairs.values(), groups, turns)),
        _stage("warm", "--base", base, "--groups", groups, "--out", warm, *small,
               reads=(base, groups), writes=(warm,), environment=TRAINING),
        _stage("train", "--base", warm, "--train", pairs["train"], "--validation",
               pairs["validation"], "--out", checkpoint.parent, *small,
               reads=(warm, pairs["train"], pairs["validation"]), writes=(checkpoint,),
               environment=TRAINING),
        _stage("export", "judge", "--checkpoint", checkpoint, "--tokenizer", tokenizer, "--out",
               fp32, reads=(checkpoint, tokenizer), writes=(fp32,)),
        # training pairs come shuffled, so the first ones are a sample of them all
        _stage("quantise", "--source", fp32, "--out", int8, "--tokenizer", tokenizer, "--inputs",
               pairs["train"], reads=(fp32, tokenizer, pairs["train"]), writes=(int8, quantised)),
        _stage("calibrate", "--model", int8, "--tokenizer", tokenizer, "--pairs", pairs["scenes"],
               pairs["validation"], "--above", traps, "--max-false-accept",
               _TINY_CEILING if tiny else _CEILING, "--out", thresholds,
               reads=(int8, tokenizer, pairs["scenes"], pairs["validation"], traps),
               writes=(thresholds,)),
        _stage("proof", "--model", int8, "--tokenizer", tokenizer, "--thresholds", thresholds,
               "--out", proof, reads=(int8, tokenizer, thresholds, traps), writes=(proof,)),
        _stage("pack", "judge", "--model", int8, "--tokenizer", tokenizer, "--thresholds",
               thresholds, "--quantisation", quantised, "--proof", proof, "--training-data",
               groups, pairs["train"], "--card", card, "--version",
               _TINY_VERSION if tiny else version, "--out", bundle,
               reads=(int8, tokenizer, thresholds, quantised, proof, groups, pairs["train"], card),
               writes=(bundle,)),
        _stage("evaluate", "--bundle", bundle, "--pairs", natural, "--report",
               run / "natural.json", reads=(bundle, natural), writes=(run / "natural.json",)),
    ]  # fmt: skip


def _stage(
    name: str,
    *arguments: str | Path,
    writes: tuple[Path, ...],
    reads: tuple[Path, ...] = (),
    module: str | None = None,
    environment: dict[str, str] | None = None,
) -> Stage:
    return Stage(
        name=name,
        module=f"models.pipeline.{module or name}",
        arguments=arguments,
        reads=reads,
        writes=writes,
        environment=environment or {},
    )


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of public data sets")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument("--version", default="0.2.0", help="of the bundle")
    parser.add_argument("--tiny", action="store_true", help="the smoke run")
    parser.add_argument("--from", dest="first", metavar="STAGE", help="go on from this stage")
    args = parser.parse_args(argv)
    if not args.data.is_dir():
        parser.error(f"--data: no folder of public data sets at {args.data}")
    stages = stages_of(args.data, args.out, version=args.version, tiny=args.tiny)
    names = [stage.name for stage in stages]
    if args.first not in (None, *names):
        parser.error(f"--from: a stage is one of {', '.join(names)}")
    try:
        run_stages(stages, args.out, args.first)
    except StageFailed as failure:
        raise SystemExit(f"{failure}; what is finished stays: go on with --from") from failure
    found = summary(stages, args.out)
    asked = found["verdict"]
    print(
        f'said "{asked["utterance"]}", predicted "{asked["prediction"]}": logit '
        f"{asked['logit']:+.3f}, threshold {asked['threshold']:+.3f}, "
        f"{'served' if asked['served'] else 'not served'}"
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
