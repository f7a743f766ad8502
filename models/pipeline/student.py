"""
Stage: a smaller encoder that gives its teacher's vectors.

    python -m models.pipeline.student --teacher blended --bundle models/bundles/encoder \
        --groups data/groups.jsonl --rows data/train.jsonl --out student

Some of the teacher's layers, evenly spread, learn to do the work of all (Sanh et al. 2019,
"DistilBERT", arXiv 1910.01108): each text's vector is drawn to the one that the teacher gives it,
and the cosines of a batch's texts to the teacher's (Reimers and Gurevych 2020, arXiv 2004.09813).
Labels have no part in it. The word table stays as it is, so it packs without loss.

The teacher's vectors come from its finished bundle, which reads a text in a fraction of the time
that torch needs; they are kept in `--out`, so a second run starts at once.

Writes an encoder as `trim` does (`encoder.pt`, `tokenizer.json`) and `student.json` into `--out`;
`export` and `quantise` take it from there. The last line of stdout is one JSON document: texts,
seconds, first and last loss, and how near the student is to its teacher on held-out families.
EXPERIMENTS.md says whether one ships.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer

from models.encoder import PREFIX, Encoder
from models.pipeline.network import BertEncoder, SentenceEncoder, load_trimmed, save_encoder
from models.pipeline.student_texts import BATCH, batches, read_lesson, spread, teach
from models.pipeline.train import digest, rates
from models.pipeline.warm import embed

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Layers of the student.
LAYERS = 6
#: What the batch's cosines count beside the vectors: their differences are a tenth as large.
_COSINES = 10.0
#: Parts of like length that a batch is read in, so that little is padding.
_PARTS = 3
#: Longest text, tokens.
_TOKENS = 64
_TINY_TEXTS = 400
#: Texts of the held-out families that are looked at.
_LOOKED_AT = 1500


def cut(teacher: BertEncoder, layers: Sequence[int]) -> BertEncoder:
    """Return an encoder of some of the teacher's layers; all else is the teacher's."""
    student = BertEncoder(replace(teacher.config, layers=len(layers)))
    state = {name: value for name, value in teacher.state_dict().items() if "layers." not in name}
    for place, layer in enumerate(layers):
        for name, value in teacher.layers[layer].state_dict().items():
            state[f"layers.{place}.{name}"] = value
    student.load_state_dict(state)
    return student.eval()


def loss_of(student: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    """
    Return how far the student is from its teacher.

    Args:
        student: (N, H) unit vectors.
        teacher: (N, H), likewise.
    """
    apart = 1 - (student * teacher).sum(dim=1).mean()
    cosines = (student @ student.T - teacher @ teacher.T).square().mean().sqrt()
    return apart + _COSINES * cosines


class Teacher:
    """The teacher's vectors of known texts, and the pieces that teacher and student read."""

    def __init__(self, texts: Sequence[str], vectors: Any, tokenizer: Tokenizer) -> None:
        self._place = {text: place for place, text in enumerate(texts)}
        self._vectors = torch.from_numpy(vectors)
        self._tokenizer = tokenizer

    def vectors(self, texts: Sequence[str]) -> torch.Tensor:
        """(N, H) float32 unit vectors of N known texts."""
        rows = self._vectors[[self._place[text] for text in texts]].float()
        return torch.nn.functional.normalize(rows, dim=-1)

    def pieces(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of each text, with the prefix."""
        encoded = self._tokenizer.encode_batch([PREFIX + text for text in texts])
        return [one.ids[:_TOKENS] for one in encoded]


def nearness(student: BertEncoder, teacher: Teacher, texts: Sequence[str]) -> dict[str, float]:
    """Return the mean cosine to the teacher, and how far pairs' cosines are apart in the mean."""
    sentences = SentenceEncoder(student.eval())
    given = teacher.vectors(texts)
    with torch.inference_mode():
        parts = [
            embed(sentences, teacher.pieces(texts[start : start + BATCH]), _PARTS)
            for start in range(0, len(texts), BATCH)
        ]
    own = torch.cat(parts)
    apart = (own @ own.T - given @ given.T).abs()
    return {
        "cosine": round(float((own * given).sum(dim=1).mean()), 4),
        "pair_error": round(float(apart.mean()), 4),
    }


def train(
    student: BertEncoder, teacher: Teacher, families: Sequence[list[str]], args: argparse.Namespace
) -> list[float]:
    """Train in place and return the mean loss of each tenth of the run."""
    rng = random.Random(args.seed)  # noqa: S311
    sentences = SentenceEncoder(student)
    student.word.weight.requires_grad_(requires_grad=False)
    student.dropout = 0.0
    optim = torch.optim.AdamW(
        [one for one in student.parameters() if one.requires_grad],
        lr=args.rate,
        weight_decay=0.01,
        fused=True,
    )
    schedule = rates(optim, -(-args.texts // (BATCH + BATCH // 8)), 0.05)
    losses: list[float] = []
    student.train()
    for texts in batches(families, args.texts, rng):
        loss = loss_of(embed(sentences, teacher.pieces(texts), _PARTS), teacher.vectors(texts))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optim.step()
        schedule.step()
        optim.zero_grad(set_to_none=True)
        losses.append(float(loss.detach()))
        if len(losses) % 50 == 0:
            said = {"batch": len(losses), "loss": round(sum(losses[-50:]) / 50, 4)}
            print(json.dumps(said), flush=True)
    tenth = max(1, len(losses) // 10)
    cuts = [losses[place : place + tenth] for place in range(0, len(losses), tenth)]
    return [round(sum(part) / len(part), 4) for part in cuts]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--teacher", type=Path, required=True, help="folder of the encoder")
    parser.add_argument("--bundle", type=Path, required=True, help="its finished bundle")
    parser.add_argument("--groups", type=Path, required=True)
    parser.add_argument("--rows", type=Path, help="training rows, for their public texts")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=LAYERS)
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    whole = load_trimmed(args.teacher)
    layers = spread(whole.config.layers, args.layers)
    student = cut(whole, layers)
    lesson = read_lesson(args.groups, args.rows)
    if args.tiny:
        args.texts = _TINY_TEXTS
        lesson = lesson._replace(taught=lesson.taught[:20], held=lesson.held[:2])
    encoder = Encoder.load(args.bundle, threads=args.threads)
    texts = list(dict.fromkeys(text for part in lesson for family in part for text in family))
    tokenizer = Tokenizer.from_file(str(args.teacher / "tokenizer.json"))
    teacher = Teacher(texts, teach(encoder, texts, args.out), tokenizer)
    held = list(dict.fromkeys(text for family in lesson.held for text in family))[:_LOOKED_AT]

    before = nearness(student, teacher, held)
    started = time.monotonic()
    losses = train(student, teacher, lesson.taught, args)
    note: dict[str, Any] = {
        "teacher": encoder.fingerprint, "layers": layers, "texts": args.texts, "rate": args.rate,
        "seed": args.seed, "losses": losses, "groups": digest(args.groups), "before": before,
        "after": nearness(student, teacher, held), "seconds": round(time.monotonic() - started),
    }  # fmt: skip
    save_encoder(args.out, student.eval(), note)
    shutil.copyfile(args.teacher / "tokenizer.json", args.out / "tokenizer.json")
    (args.out / "student.json").write_text(json.dumps(note, indent=1))
    shown = ("texts", "seconds", "before", "after")
    print(json.dumps({key: note[key] for key in shown} | {"first": losses[0], "last": losses[-1]}))


if __name__ == "__main__":
    main()
