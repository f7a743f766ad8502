"""
Stage: all that a judge is trained on, in one file.

    python -m models.pipeline.mix --data data --encoder models/bundles/encoder --out data/mix.jsonl

To the training rows of the data stage come two kinds that need an encoder's eyes: pairs across
scenes that lie near each other (`data.across`), and questions of one knowledge base
(`data.kb_questions`). Pairs and texts that the held-out files of the data stage hold are left out.

The last line of stdout is one JSON document: rows, same, by layer.
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
from models.pipeline.data import kb_questions
from models.pipeline.data.across import across
from models.pipeline.data.build import HELD_FILES, HELD_OUT, cleaned, suite_pairs, unique
from models.pipeline.data.kb import knowledge_bases
from models.pipeline.data.row import read_rows, write_rows
from models.pipeline.data.scenes import scenes
from models.pipeline.data.split import side_of, text_keys, without_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from models.pipeline.data.across import Encode
    from models.pipeline.data.row import Row

#: Pairs across scenes that are kept, and negatives of each question of a knowledge base.
FAR, SIBLINGS = 40_000, 3
#: Texts that are encoded together.
_TEXTS = 64
_TINY = 10


def encoded_rows(encode: Encode, rng: random.Random, most: int | None = None) -> Iterator[Row]:
    """
    Yield the rows that need an encoder.

    Args:
        encode: the encoder.
        rng: source of every choice.
        most: training scenes and knowledge bases at most; all of them where it is not given.
    """
    split = side_of(HELD_OUT["scenes"])
    staged = [scene for scene in scenes() if split(scene.key) == "train"]
    far = list(across(staged[:most], encode, rng))
    yield from rng.sample(far, min(FAR, len(far)))
    split = side_of(HELD_OUT["knowledge"])
    known = [base for base in knowledge_bases() if split(base.key) == "train"]
    yield from kb_questions.rows(known[:most], encode, SIBLINGS)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the data stage")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of an encoder's bundle")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)

    rng = random.Random(args.seed)  # noqa: S311
    encoder = Encoder.load(args.encoder, threads=args.threads)

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        runs = [encoder.encode(texts[at : at + _TEXTS]) for at in range(0, len(texts), _TEXTS)]
        return np.concatenate(runs)

    held = text_keys(row for name in HELD_FILES for row in read_rows(args.data / f"{name}.jsonl"))
    rows = list(read_rows(args.data / "train.jsonl"))
    found = encoded_rows(encode, rng, _TINY if args.tiny else None)
    rows += without_texts(unique(cleaned(found), suite_pairs()), held)
    rng.shuffle(rows)
    write_rows(args.out, rows)
    layers = Counter(row.layer for row in rows)
    print(json.dumps({"rows": len(rows), "same": sum(row.label for row in rows), "layers": layers}))


if __name__ == "__main__":
    main()
