"""
Stage: a contrastive warm-up, each text read alone.

The base knows topics, not meanings: "I can come" and "I can't come" lie closer than two ways to say
either. Here surfaces of one meaning are drawn together and apart from the other meanings of their
group (a scene, a contrast, some clusters), which costs one reading a text instead of one a pair::

    python -m models.pipeline.warm --base base --groups data/groups.jsonl --out warm

The judge's head starts from the cosine of its two sides, so it starts from what this stage taught.
Nothing is said about texts of two groups, so none push each other away.

Writes an encoder as `trim` does (`encoder.pt`, `tokenizer.json`) and `warm.json` into `--out`. The
last line of stdout is one JSON document: texts, seconds, first and last loss.
"""

# mypy: disable-error-code="import-not-found, misc, no-any-return, untyped-decorator"

from __future__ import annotations

import argparse
import json
import random
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer

from models.pipeline.data.groups import Group, read_groups
from models.pipeline.network import BertEncoder, SentenceEncoder, load_trimmed, save_encoder
from models.pipeline.train import digest, pad, rates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Divides cosines before the softmax; small, since the base's cosines all lie within 0.7 to 1.
TEMPERATURE = 0.04
#: Surfaces of one meaning, and texts, that a batch holds at most.
_SURFACES, _BATCH = 4, 224
#: Parts of like length that a batch is read in, so that little is padding: entries are long.
_PARTS = 8
#: Longest text, tokens.
_TOKENS = 64
_TINY_TEXTS = 800

#: Texts of a batch, and for each the number of its group and of its meaning.
Batch = tuple[list[str], list[int], list[int]]


def batches(groups: Sequence[Group], texts: int, rng: random.Random) -> Iterator[Batch]:
    """Yield batches of whole groups, in random order, until `texts` texts were yielded."""
    batch: Batch = ([], [], [])
    meanings = yielded = 0
    while yielded < texts:
        for number in rng.sample(range(len(groups)), len(groups)):
            for surfaces in groups[number]:
                kept = rng.sample(surfaces, min(_SURFACES, len(surfaces)))
                batch[0].extend(kept)
                batch[1].extend([number] * len(kept))
                batch[2].extend([meanings] * len(kept))
                meanings += 1
            if len(batch[0]) >= _BATCH:
                yielded += len(batch[0])
                yield batch
                batch = ([], [], [])
                if yielded >= texts:
                    return


def loss_of(vectors: torch.Tensor, groups: Sequence[int], meanings: Sequence[int]) -> torch.Tensor:
    """
    Return the mean, over texts with a partner, of how far its meaning stands out in its group.

    Args:
        vectors: (N, H) unit vectors.
        groups: N numbers; only texts of one group are compared.
        meanings: N numbers; texts of one meaning belong together.
    """
    group, meaning = torch.tensor(groups), torch.tensor(meanings)
    alone = ~torch.eye(len(group), dtype=torch.bool)
    compared = (group[:, None] == group[None, :]) & alone
    same = (meaning[:, None] == meaning[None, :]) & alone
    scores = (vectors @ vectors.T) / TEMPERATURE
    scores = scores.masked_fill(~compared, float("-inf"))
    logs = scores - scores.logsumexp(dim=1, keepdim=True)
    partners = same.sum(dim=1)
    each = -logs.masked_fill(~same, 0.0).sum(dim=1) / partners.clamp(min=1)
    return each[partners > 0].mean()


def embed(
    sentences: SentenceEncoder, texts: Sequence[list[int]], parts: int = _PARTS
) -> torch.Tensor:
    """Return the unit vectors (N, H) of N tokenised texts, read in parts of like length."""
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    size = -(-len(order) // parts)
    vectors = []
    for start in range(0, len(order), size):
        ids, mask = pad([texts[place] for place in order[start : start + size]])
        with torch.autocast("cpu", torch.bfloat16):
            vectors.append(sentences(ids, mask).float())
    back = torch.tensor(order).argsort()
    return torch.cat(vectors)[back]


def train(
    encoder: BertEncoder, tokenizer: Tokenizer, groups: Sequence[Group], args: argparse.Namespace
) -> list[float]:
    """Train in place and return the mean loss of each tenth of the run."""
    rng = random.Random(args.seed)  # noqa: S311
    sentences = SentenceEncoder(encoder)
    encoder.word.weight.requires_grad_(requires_grad=False)
    encoder.dropout = 0.0  # less than two passes hardly overfit, and it costs a tenth of the time
    optim = torch.optim.AdamW(
        [one for one in encoder.parameters() if one.requires_grad],
        lr=args.rate,
        weight_decay=0.01,
        fused=True,
    )
    schedule = rates(optim, -(-args.texts // _BATCH), 0.1)
    losses: list[float] = []
    encoder.train()
    for texts, of_group, of_meaning in batches(groups, args.texts, rng):
        vectors = embed(sentences, [one.ids[:_TOKENS] for one in tokenizer.encode_batch(texts)])
        loss = loss_of(vectors, of_group, of_meaning)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
        optim.step()
        schedule.step()
        optim.zero_grad(set_to_none=True)
        losses.append(float(loss.detach()))
        if len(losses) % 50 == 0:
            print(
                json.dumps({"batch": len(losses), "loss": round(sum(losses[-50:]) / 50, 4)}),
                flush=True,
            )
    tenth = max(1, len(losses) // 10)
    cuts = [losses[place : place + tenth] for place in range(0, len(losses), tenth)]
    return [round(sum(cut) / len(cut), 4) for cut in cuts]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description="Warm the encoder up on groups of meanings.")
    parser.add_argument("--base", type=Path, required=True, help="folder of the trimmed encoder")
    parser.add_argument("--groups", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=120_000)
    parser.add_argument("--rate", type=float, default=7e-5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    args = parser.parse_args(argv)
    args.texts = _TINY_TEXTS if args.tiny else args.texts

    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    started = time.monotonic()
    encoder = load_trimmed(args.base)
    tokenizer = Tokenizer.from_file(str(args.base / "tokenizer.json"))
    losses = train(encoder, tokenizer, list(read_groups(args.groups)), args)
    note: dict[str, Any] = {
        "texts": args.texts, "rate": args.rate, "seed": args.seed, "losses": losses,
        "groups": digest(args.groups), "seconds": round(time.monotonic() - started),
    }  # fmt: skip
    save_encoder(args.out, encoder.eval(), note)
    shutil.copyfile(args.base / "tokenizer.json", args.out / "tokenizer.json")
    (args.out / "warm.json").write_text(json.dumps(note, indent=1))
    print(
        json.dumps(
            {key: note[key] for key in ("texts", "seconds")}
            | {"first": losses[0], "last": losses[-1]}
        )
    )


if __name__ == "__main__":
    main()
