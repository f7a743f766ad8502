"""
Stage: the rows that a judge still finds hard, for a second round of training.

    python -m models.pipeline.mine --judge judge.onnx --tokenizer base/tokenizer.json \
        --encoder models/bundles/encoder --rows data/train.jsonl --banned data --keep 200000 \
        --out data/hard.jsonl

After one pass a judge is sure of most pairs and learns nothing from them. So the training rows,
and pairs across scenes that lie near each other in the encoder's eyes (`data.across`), are judged
by the int8 graph, which costs a tenth of a training step, and drawn in proportion to their loss.
No loss counts more than `CAP`, since the very largest are wrong labels as often as hard pairs, and
none less than `FLOOR`, so that what is known stays known.

`--banned` is the folder of the data stage: pairs and texts that its validation files hold are left
out. The last line of stdout is one JSON document: rows, kept, mean loss before and after, by layer.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from models.encoder import Encoder
from models.pipeline.data.across import across
from models.pipeline.data.build import HELD_OUT, suite_pairs
from models.pipeline.data.row import Row, read_rows, write_rows
from models.pipeline.data.scenes import scenes
from models.pipeline.data.split import pair_key, side_of, text_key, without_texts
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.runtime import Session

#: Largest loss that a row is drawn for, and least.
CAP, FLOOR = 3.0, 0.04
#: Pairs that are judged together, and texts that are encoded together.
_RUN, _TEXTS = 512, 64


def losses(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the cross-entropy (N,) of logits (N,) against labels (N,) of 0 and 1."""
    found: NDArray[np.float32] = np.logaddexp(0, np.where(labels == 1, -logits, logits))
    return found


def drawn(loss: NDArray[np.float32], keep: int, seed: int) -> NDArray[np.intp]:
    """Return the positions of `keep` rows without repetition, the likelier the larger the loss."""
    weights = np.clip(loss, FLOOR, CAP)
    rolls = np.random.default_rng(seed).random(len(loss))
    # the largest of u**(1/w) are a weighted draw without replacement (Efraimidis and Spirakis)
    order = np.argsort(np.log(rolls) / weights)[::-1]
    return np.sort(order[:keep])


def judged(session: Session, tokens: Tokens, rows: Sequence[Row]) -> NDArray[np.float32]:
    """Return the logit (N,) of each row in its own order."""
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].a) + len(rows[place].b))
    logits = np.zeros(len(rows), np.float32)
    for start in range(0, len(order), _RUN):
        places = order[start : start + _RUN]
        logits[places] = run_all(session, tokens, [(rows[i].a, rows[i].b) for i in places])
    return logits


def far_pairs(encoder: Encoder, held: frozenset[str], rng: random.Random) -> list[Row]:
    """Return the pairs across training scenes, without texts that are held out."""

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        runs = [encoder.encode(texts[at : at + _TEXTS]) for at in range(0, len(texts), _TEXTS)]
        return np.concatenate(runs)

    split = side_of(HELD_OUT["scenes"])
    found = [scene for scene in scenes() if split(scene.key) == "train"]
    banned = suite_pairs()
    rows = (row for row in across(found, encode, rng) if pair_key(row.a, row.b) not in banned)
    return without_texts(rows, held)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--judge", type=Path, required=True, help="int8 graph")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True, help="folder of an encoder's bundle")
    parser.add_argument("--rows", type=Path, required=True, nargs="+", help="training rows")
    parser.add_argument("--banned", type=Path, required=True, help="folder of the data stage")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", type=int, default=200_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)

    held = frozenset(
        text_key(side)
        for name in ("validation", "scenes")
        for row in read_rows(args.banned / f"{name}.jsonl")
        for side in (row.a, row.b)
    )
    rows = [row for path in args.rows for row in read_rows(path)]
    encoder = Encoder.load(args.encoder, threads=args.threads)
    rows += far_pairs(encoder, held, random.Random(args.seed))  # noqa: S311
    session = new_session(args.judge.read_bytes(), args.threads)
    logits = judged(session, Tokens(args.tokenizer.read_bytes(), MAX_TOKENS), rows)
    loss = losses(logits, np.array([row.label for row in rows]))
    places = drawn(loss, args.keep, args.seed)
    kept = [rows[place] for place in places]
    random.Random(args.seed).shuffle(kept)  # noqa: S311
    write_rows(args.out, kept)
    print(
        json.dumps(
            {
                "rows": len(rows),
                "kept": len(kept),
                "same": sum(row.label for row in kept),
                "loss": [round(float(loss.mean()), 4), round(float(loss[places].mean()), 4)],
                "layers": Counter(row.layer for row in kept),
            }
        )
    )


if __name__ == "__main__":
    main()
