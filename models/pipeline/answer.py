"""
Stage: fine-tune the warmed-up encoder as the answer judge.

    python -m models.pipeline.answer --base warm --rows data/kb.jsonl \
        --validation data/kb_held.jsonl --out run/answer

Rows are those of `models.pipeline.data.kb_rows`: a question, an entry, the entry's level. Question
and entry are read as serving reads them (`models.kb.reading`), the question first. The word table
and the lowest layers stay as they are. `--init run/answer.pt` goes on from a checkpoint.

Writes `answer.pt` at every evaluation and, last, `meta.json` into `--out`. The last line of stdout
is one JSON document: rows, seconds, and of the validation rows the loss, the share of right levels
and the AUC of "answers at least in part".
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

import argparse
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer
from torch.nn import functional

from models.kb.reading import pair_texts
from models.pipeline.data.kb import PART
from models.pipeline.data.kb_rows import KbRow, language_pair, read_kb_rows
from models.pipeline.data.overlap import auc
from models.pipeline.levels import LevelEncoder
from models.pipeline.network import load_trimmed
from models.pipeline.pair import load_judge, save_judge
from models.pipeline.train import digest, encoded, optimiser, pad, rates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from models.pipeline.pair import PairEncoder
    from models.pipeline.train import Ids

#: Longest question with its entry, tokens; what is longer is cut, as serving cuts it.
MAX_TOKENS = 128
#: Rows of a step, and batches that are sorted by length together.
_BATCH, _POOL = 32, 40
_SETTLED = 256
_TINY = 400


@dataclass(frozen=True, slots=True)
class Example:
    """A tokenised question with an entry."""

    ids: Ids
    level: int


def encode(tokenizer: Tokenizer, rows: Sequence[KbRow]) -> list[Example]:
    """Return the rows tokenised, in their order."""
    pairs = [pair_texts(row.question, row.title, row.content) for row in rows]
    return [
        Example(ids[:MAX_TOKENS], row.level)
        for ids, row in zip(encoded(tokenizer, pairs), rows, strict=True)
    ]


def batches(examples: Sequence[Example], rows: int, rng: random.Random) -> Iterator[list[Example]]:
    """Yield batches of like length, in random order, until `rows` examples were yielded."""
    left = rows
    while left > 0:
        order = rng.sample(examples, len(examples))
        for start in range(0, len(order), _BATCH * _POOL):
            pool = sorted(order[start : start + _BATCH * _POOL], key=lambda one: len(one.ids))
            cuts = list(range(0, len(pool), _BATCH))
            rng.shuffle(cuts)
            for cut in cuts:
                if left <= 0:
                    return
                left -= len(pool[cut : cut + _BATCH])
                yield pool[cut : cut + _BATCH]


@torch.inference_mode()
def evaluate(
    judge: PairEncoder, examples: Sequence[Example], rows: Sequence[KbRow]
) -> dict[str, Any]:
    """Return loss, right levels, and the AUC of at least a part, whole and by language pair."""
    judge.eval()
    order = sorted(range(len(examples)), key=lambda place: len(examples[place].ids))
    logits = torch.zeros(len(examples), 4)
    for start in range(0, len(order), _BATCH):
        places = order[start : start + _BATCH]
        with torch.autocast("cpu", torch.bfloat16):
            logits[places] = judge(*pad([examples[place].ids for place in places])).float()
    levels = torch.tensor([one.level for one in examples])
    told = logits.softmax(-1)[:, PART:].sum(-1).tolist()
    labels = [int(row.level >= PART) for row in rows]
    pairs = sorted({language_pair(row) for row in rows})
    areas = {"all": auc(told, labels)}
    for name in pairs:
        places = [place for place, row in enumerate(rows) if language_pair(row) == name]
        areas[name] = auc([told[place] for place in places], [labels[place] for place in places])
    return {
        "loss": round(float(functional.cross_entropy(logits, levels)), 4),
        "right": round(float((logits.argmax(-1) == levels).float().mean()), 4),
        "auc": {name: None if area is None else round(area, 4) for name, area in areas.items()},
    }


def train(
    judge: PairEncoder,
    examples: Sequence[Example],
    check: Callable[[], dict[str, Any]],
    args: argparse.Namespace,
) -> list[dict[str, Any]]:
    """Train in place, saving and checking every `args.every` rows; returns what was seen."""
    rng = random.Random(args.seed)  # noqa: S311
    optim = optimiser(judge, args.rate, frozen_layers=args.frozen_layers)
    schedule = rates(optim, -(-args.count // _BATCH), 0.06)
    started, seen, due = time.monotonic(), 0, args.every
    history: list[dict[str, Any]] = []
    judge.train()
    for batch in batches(examples, args.count, rng):
        with torch.autocast("cpu", torch.bfloat16):
            logits = judge(*pad([one.ids for one in batch]))
        loss = functional.cross_entropy(logits, torch.tensor([one.level for one in batch]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
        optim.step()
        schedule.step()
        optim.zero_grad(set_to_none=True)
        seen += len(batch)
        if seen >= due or seen >= args.count:
            seconds = round(time.monotonic() - started)
            history.append({"rows": seen, "seconds": seconds, **check()})
            print(json.dumps(history[-1]), flush=True)
            save_judge(args.out / "answer.pt", judge, {"rows": seen, "seed": args.seed})
            judge.train()
            due = seen + args.every
    return history


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True, help="folder of the warmed-up encoder")
    parser.add_argument("--init", type=Path, help="answer judge to start from")
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--validation", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=120_000, help="rows in all")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--frozen-layers", type=int, default=3)
    parser.add_argument("--every", type=int, default=8_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)
    args.count = _TINY if args.tiny else args.count

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = random.Random(args.seed)  # noqa: S311
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    judge = (
        load_judge(args.init, LevelEncoder) if args.init else LevelEncoder(load_trimmed(args.base))
    )
    judge.encoder.dropout = 0.0
    examples = encode(tokenizer, list(read_kb_rows(args.rows)))
    held = list(read_kb_rows(args.validation))
    held = rng.sample(held, min(len(held), 100 if args.tiny else 1200))
    checked = encode(tokenizer, held)
    if not args.init:
        judge.settle(*pad([one.ids for one in rng.sample(examples, _SETTLED)]))
    started = time.monotonic()
    history = train(judge, examples, lambda: evaluate(judge, checked, held), args)
    meta = {
        "rows": args.count, "rate": args.rate, "seed": args.seed,
        "init": digest(args.init) if args.init else None, "frozen_layers": args.frozen_layers,
        "data": {path.name: digest(path) for path in (args.rows, args.validation)},
        "seconds": round(time.monotonic() - started), "torch": torch.__version__,
        "history": history,
    }  # fmt: skip
    (args.out / "meta.json").write_text(json.dumps(meta, indent=1))
    print(json.dumps({key: meta[key] for key in ("rows", "seconds")} | history[-1]))


if __name__ == "__main__":
    main()
