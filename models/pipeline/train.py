"""
Stage: fine-tune the warmed-up encoder as a cross-encoder.

One mix of all layers, the public sets among them (on two cores about 65 minutes)::

    python -m models.pipeline.train --base warm --train data/train.jsonl \
        --validation data/validation.jsonl --out run/judge

`--init run/judge/judge.pt` goes on from a checkpoint. Do not warm up on public pairs alone: that
forgets what the base knows of likeness (EXPERIMENTS.md). The stage `judge` sets the allocator's and
OpenMP's environment, which is worth a fifth of the time.

`--tiny` runs 1,500 pairs, about a minute on a CPU. The word table stays frozen, the rest is
trained in bfloat16 autocast on batches of like length, each pair in a random order. A
checkpoint is written at every evaluation, so that a run that is stopped leaves a judge.

Writes `judge.pt` and, last, `meta.json` (seed, configuration, hashes of the data, history) into
`--out`. The last line of stdout is one JSON document: pairs, seconds, validation AUC.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

from models.pipeline.data.overlap import auc
from models.pipeline.data.row import Row, languages, read_rows
from models.pipeline.network import load_trimmed
from models.pipeline.pair import PairEncoder, load_judge, save_judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Ids = NDArray[np.int32]

#: Padding id of the tokenizer.
PAD = 1
#: Longest pair in tokens; longer ones are left out of training.
MAX_TOKENS = 72
#: Batches that are sorted by length together.
POOL = 40
#: The head's learning rate as a multiple of the encoder's, and the decay of all weights.
HEAD_FACTOR, WEIGHT_DECAY = 4.0, 0.01
_TINY_PAIRS = 1500
#: Inputs that are tokenised together: an encoding takes a hundred times the room of its ids.
_RUN = 10_000
#: Pairs that the head's cosine is put in place by.
_SETTLED = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What decides a run, written to `meta.json`."""

    seed: int
    #: Pair-steps in all; the data is repeated or cut to fit.
    pairs: int
    batch: int
    #: Peak learning rate of the encoder; the head's is `head_factor` times it.
    rate: float
    head_factor: float = HEAD_FACTOR
    #: Share of the steps over which the rate rises.
    warmup: float = 0.06
    #: Labels are pulled this far towards 0.5; anything above 0 presses the sure pairs together
    #: just where the threshold lies.
    smoothing: float = 0.0
    weight_decay: float = WEIGHT_DECAY
    #: Dropout inside the encoder: a few epochs hardly overfit, and it costs a tenth of the time.
    dropout: float = 0.0
    #: Lowest encoder layers that are not trained.
    frozen_layers: int = 0
    #: Pairs between evaluations and checkpoints.
    every: int = 34_000
    #: Rows of the validation file that an evaluation reads.
    probe: int = 1500


@dataclass(slots=True)
class Run:
    """A judge in training with what the loop needs."""

    judge: PairEncoder
    tokenizer: Tokenizer
    config: Config
    out: Path
    history: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Example:
    """A tokenised pair in both orders; as arrays, since there are a million."""

    forward: Ids
    backward: Ids
    label: float
    weight: float


def encoded(tokenizer: Tokenizer, inputs: Sequence[str | tuple[str, str]]) -> Iterator[Ids]:
    """Yield the ids of texts or pairs, tokenised a run at a time."""
    for start in range(0, len(inputs), _RUN):
        for one in tokenizer.encode_batch(inputs[start : start + _RUN]):
            yield np.array(one.ids, np.int32)


def encode(tokenizer: Tokenizer, rows: Sequence[Row]) -> list[Example]:
    """Return the rows that fit, tokenised in both orders."""
    forward = encoded(tokenizer, [(row.a, row.b) for row in rows])
    backward = encoded(tokenizer, [(row.b, row.a) for row in rows])
    return [
        Example(one, two, float(row.label), row.weight)
        for row, one, two in zip(rows, forward, backward, strict=True)
        if len(one) <= MAX_TOKENS
    ]


def batches(examples: list[Example], config: Config, rng: random.Random) -> Iterator[list[Example]]:
    """Yield batches of like length, in random order, until `config.pairs` were yielded."""
    left = config.pairs
    order: list[int] = []
    size = config.batch * POOL
    while left > 0:
        if not order:
            order = list(range(len(examples)))
            rng.shuffle(order)
        pool = sorted((examples[i] for i in order[:size]), key=lambda one: len(one.forward))
        order = order[size:]
        cuts = list(range(0, len(pool), config.batch))
        rng.shuffle(cuts)
        for cut in cuts:
            if left > 0:
                batch = pool[cut : cut + config.batch]
                left -= len(batch)
                yield batch


def pad(sides: Sequence[Sequence[int] | Ids]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids and mask (B, T) int64, T the longest side."""
    width = max(map(len, sides))
    ids = torch.full((len(sides), width), PAD)
    mask = torch.zeros((len(sides), width), dtype=torch.int64)
    for place, side in enumerate(sides):
        ids[place, : len(side)] = torch.as_tensor(side)
        mask[place, : len(side)] = 1
    return ids, mask


def loss_of(judge: PairEncoder, batch: list[Example], config: Config, rng: random.Random) -> Any:
    """Return the weighted loss of one batch, each pair in a random order."""
    sides = [one.forward if rng.random() < 0.5 else one.backward for one in batch]  # noqa: PLR2004
    ids, mask = pad(sides)
    labels = torch.tensor([one.label for one in batch])
    weights = torch.tensor([one.weight for one in batch])
    targets = labels * (1 - 2 * config.smoothing) + config.smoothing
    with torch.autocast("cpu", torch.bfloat16):
        logits = judge(ids, mask)
    each = functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    return (each * weights).sum() / weights.sum()


@torch.inference_mode()
def score(judge: PairEncoder, tokenizer: Tokenizer, rows: Sequence[Row]) -> list[float]:
    """Return one logit a row, in order, in the order (a, b)."""
    judge.eval()
    pairs = list(encoded(tokenizer, [(row.a, row.b) for row in rows]))
    order = sorted(range(len(rows)), key=lambda place: len(pairs[place]))
    logits = [0.0] * len(rows)
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        ids, mask = pad([pairs[place][:128] for place in places])
        with torch.autocast("cpu", torch.bfloat16):
            values = judge(ids, mask).tolist()
        for place, value in zip(places, values, strict=True):
            logits[place] = value
    return logits


def evaluate(run: Run, rows: Sequence[Row]) -> dict[str, float | None]:
    """Return the AUC of the judge, whole and by language pair."""
    logits = score(run.judge, run.tokenizer, rows)
    names = sorted({languages(row) for row in rows})
    areas = {"all": auc(logits, [row.label for row in rows])}
    for name in names:
        places = [place for place, row in enumerate(rows) if languages(row) == name]
        areas[name] = auc([logits[i] for i in places], [rows[i].label for i in places])
    return {name: None if area is None else round(area, 4) for name, area in areas.items()}


def optimiser(
    judge: PairEncoder,
    rate: float,
    *,
    head_factor: float = HEAD_FACTOR,
    weight_decay: float = WEIGHT_DECAY,
    frozen_layers: int = 0,
) -> torch.optim.AdamW:
    """Freeze what is not trained and return the optimiser of the rest."""
    judge.freeze_embeddings()
    for layer in judge.encoder.layers[:frozen_layers]:
        layer.requires_grad_(requires_grad=False)
    head = [*judge.dense.parameters(), *judge.score.parameters(), judge.slope, judge.offset]
    body = [p for p in judge.encoder.parameters() if p.requires_grad]
    groups = [{"params": body, "lr": rate}, {"params": head, "lr": rate * head_factor}]
    return torch.optim.AdamW(groups, weight_decay=weight_decay, fused=True)


def rates(
    optim: torch.optim.Optimizer, steps: int, warmup: float
) -> torch.optim.lr_scheduler.LambdaLR:
    """Return the schedule: up over the share `warmup` of the steps, then down to 2 %."""
    rise = max(1, int(steps * warmup))
    return torch.optim.lr_scheduler.LambdaLR(
        optim, lambda step: min((step + 1) / rise, max(0.02, (steps - step) / (steps - rise + 1)))
    )


def train(run: Run, examples: list[Example], validation: Sequence[Row]) -> float:
    """Train, evaluating and saving as configured, and return the seconds that it took."""
    config, rng = run.config, random.Random(run.config.seed)  # noqa: S311
    steps = -(-config.pairs // config.batch)
    optim = optimiser(
        run.judge,
        config.rate,
        head_factor=config.head_factor,
        weight_decay=config.weight_decay,
        frozen_layers=config.frozen_layers,
    )
    schedule = rates(optim, steps, config.warmup)
    started, seen, due, total, count = time.monotonic(), 0, config.every, 0.0, 0
    run.judge.train()
    for batch in batches(examples, config, rng):
        loss = loss_of(run.judge, batch, config, rng)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(run.judge.parameters(), 1.0)
        optim.step()
        schedule.step()
        optim.zero_grad(set_to_none=True)
        seen, total, count = seen + len(batch), total + float(loss.detach()), count + 1
        if seen >= due or seen >= config.pairs:
            areas = evaluate(run, validation)
            entry = {
                "pairs": seen,
                "loss": round(total / count, 4),
                "seconds": round(time.monotonic() - started),
                "validation_auc": areas,
            }
            run.history.append(entry)
            print(json.dumps(entry), flush=True)
            save_judge(run.out / "judge.pt", run.judge, note={"pairs": seen, **asdict(config)})
            run.judge.train()
            due, total, count = seen + config.every, 0.0, 0
    return time.monotonic() - started


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1] if __doc__ else None)
    parser.add_argument("--base", type=Path, required=True, help="folder of the trimmed encoder")
    parser.add_argument("--init", type=Path, help="judge to start from instead of the base")
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--validation", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=340_000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--frozen-layers", type=int, default=0)
    parser.add_argument("--every", type=int, default=34_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)  # noqa: S311
    config = Config(
        seed=args.seed,
        pairs=_TINY_PAIRS if args.tiny else args.pairs,
        batch=args.batch,
        rate=args.rate,
        frozen_layers=args.frozen_layers,
        every=args.every,
        probe=200 if args.tiny else 1500,
    )
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    judge = load_judge(args.init) if args.init else PairEncoder(load_trimmed(args.base))
    judge.encoder.dropout = config.dropout
    rows = list(read_rows(args.train))
    validation = list(read_rows(args.validation))
    rng.shuffle(validation)
    args.out.mkdir(parents=True, exist_ok=True)
    run = Run(judge, tokenizer, config, args.out)
    examples = encode(tokenizer, rows)
    if not args.init:
        judge.settle(*pad([one.forward for one in examples[:_SETTLED]]))
    seconds = train(run, examples, validation[: config.probe])
    meta = {
        "config": asdict(config),
        "init": digest(args.init) if args.init else None,
        "data": {
            args.train.name: digest(args.train),
            args.validation.name: digest(args.validation),
        },
        "rows": len(examples),
        "too_long": len(rows) - len(examples),
        "seconds": round(seconds),
        "torch": torch.__version__,
        "history": run.history,
    }
    (args.out / "meta.json").write_text(json.dumps(meta, indent=1))
    print(json.dumps({"pairs": config.pairs, "seconds": round(seconds), "last": run.history[-1]}))


if __name__ == "__main__":
    main()
