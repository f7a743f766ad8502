"""
Stage: how well a judge tells "interchangeable" from "not", on labelled pairs.

A bundle, an exported graph or a checkpoint, with what it would be served at::

    python -m models.pipeline.evaluate --bundle models/bundles/judge --pairs data/validation.jsonl
    python -m models.pipeline.evaluate --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --pairs data/validation.jsonl --threshold 3.2 --report report.json
    python -m models.pipeline.evaluate --checkpoint run/judge.pt --tokenizer base/tokenizer.json \
        --pairs models/pipeline/data/traps.tsv

Pairs are the rows that the data stage writes, or `traps.tsv` or `natural.tsv` beside it. For
everything, each language and each class: counts, AUC, the AUC of plain word overlap beside it,
recall at 1 % false accepts, and recall and false accepts at the threshold. The report also lists
wrong hits and the worst misses by row number. The last line of stdout is one JSON document.
"""

# mypy: disable-error-code="import-not-found"

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from models.form import weighed
from models.judge import Judge
from models.manifest import Form
from models.pipeline.bounds import upper_bound
from models.pipeline.data.overlap import auc, jaccard
from models.pipeline.data.row import Row, languages, read_rows
from models.pipeline.data.traps import load
from models.runtime import new_session
from models.tokens import Tokens

#: Longest pair of a judge, in tokens, where no bundle says it.
MAX_TOKENS = 128
#: False accepts at which recall is reported.
CEILING = 0.01
#: Listed wrong hits and misses.
_LISTED = 60

Logits = npt.NDArray[np.float32]
Scorer = Callable[[Sequence[tuple[str, str]]], Logits]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Pairs with what is known of them."""

    pairs: list[tuple[str, str]]
    #: (N,) 1 or 0.
    labels: list[int]
    #: (N,) "en", "hi", "hinglish", "ar", or two of them for a crossed pair.
    languages: list[str]
    #: (N,) layer and class.
    classes: list[str]


def read_pairs(path: Path) -> Labelled:
    """Return the pairs of a JSONL of the data stage, or of a table written by hand."""
    if path.suffix == ".tsv":
        traps = load(path)
        return Labelled(
            [(trap.utterance, trap.prediction) for trap in traps],
            [trap.label for trap in traps],
            [trap.language for trap in traps],
            [f"trap/{trap.kind}" for trap in traps],
        )
    rows: list[Row] = list(read_rows(path))
    return Labelled(
        [(row.a, row.b) for row in rows],
        [row.label for row in rows],
        [languages(row) for row in rows],
        [f"{row.layer}/{row.kind.partition(':')[0]}" for row in rows],
    )


def read_form(path: Path | None) -> Form | None:
    """Read what the stage `form` wrote; None where there is no file."""
    return None if path is None else msgspec.json.decode(path.read_bytes(), type=Form)


def graph_scorer(model: Path, tokenizer: Path, threads: int, form: Form | None = None) -> Scorer:
    """Return the scorer of an exported graph, run with the serving session's options."""
    session = new_session(model.read_bytes(), threads)
    tokens = Tokens(tokenizer.read_bytes(), MAX_TOKENS)

    def score(pairs: Sequence[tuple[str, str]]) -> Logits:
        logits = np.empty(len(pairs), np.float32)
        for batch in tokens.tokenize(pairs).batches:
            feeds = {"input_ids": batch.input_ids, "attention_mask": batch.attention_mask}
            logits[batch.rows] = session.run(feeds)[0]
        return weighed(form, pairs, logits)

    return score


def checkpoint_scorer(checkpoint: Path, tokenizer: Path, threads: int) -> Scorer:
    """Return the scorer of a training checkpoint, fp32; needs torch."""
    import torch  # noqa: PLC0415 - only this function needs it

    from models.pipeline.pair import load_judge  # noqa: PLC0415

    torch.set_num_threads(threads)
    judge = load_judge(checkpoint)
    tokens = Tokens(tokenizer.read_bytes(), MAX_TOKENS)

    def score(pairs: Sequence[tuple[str, str]]) -> Logits:
        logits = np.empty(len(pairs), np.float32)
        with torch.inference_mode():
            for batch in tokens.tokenize(pairs).batches:
                ids, mask = (
                    torch.from_numpy(batch.input_ids),
                    torch.from_numpy(batch.attention_mask),
                )
                logits[batch.rows] = judge(ids, mask).numpy()
        return logits

    return score


def recall_at(logits: Logits, labels: Sequence[int], ceiling: float) -> float | None:
    """Return the recall at the lowest threshold whose false accepts stay under the ceiling."""
    truth = np.asarray(labels) == 1
    wrong = np.sort(logits[~truth])[::-1]
    if not wrong.size or not truth.any():
        return None
    allowed = int(ceiling * wrong.size)
    # a threshold just above the first false accept that is one too many
    limit = wrong[allowed] if allowed < wrong.size else -np.inf
    return float((logits[truth] > limit).mean())


def rates(logits: Logits, labels: Sequence[int], threshold: float) -> dict[str, float | int]:
    """Return recall and false accepts at a threshold, named as in a manifest."""
    truth = np.asarray(labels) == 1
    accepted = logits >= threshold
    wrong, negatives = int((accepted & ~truth).sum()), int((~truth).sum())
    positives = int(truth.sum())
    return {
        "recall": round(float((accepted & truth).sum()) / positives, 4) if positives else 0.0,
        "false_accept_rate": round(wrong / negatives, 5) if negatives else 0.0,
        "false_accept_upper95": round(upper_bound(wrong, negatives), 5) if negatives else 1.0,
        "n_positive": positives,
        "n_negative": negatives,
    }


def summary(
    logits: Logits, labels: Sequence[int], overlaps: Sequence[float], threshold: float | None
) -> dict[str, Any]:
    """Return every measure of one group of pairs."""
    area, plain = auc(logits.tolist(), labels), auc(overlaps, labels)
    at_ceiling = recall_at(logits, labels, CEILING)
    found: dict[str, Any] = {
        "n": len(labels),
        "positives": int(sum(labels)),
        "auc": None if area is None else round(area, 4),
        "overlap_auc": None if plain is None else round(plain, 4),
        "recall_at_far_1pct": None if at_ceiling is None else round(at_ceiling, 4),
    }
    if threshold is not None:
        found |= rates(logits, labels, threshold)
    return found


def evaluate(data: Labelled, logits: Logits, threshold: float | None) -> dict[str, Any]:
    """Return the measures of everything, each language and each class."""
    overlaps = [jaccard(a, b) for a, b in data.pairs]
    groups: dict[str, list[int]] = defaultdict(list)
    for place, (language, kind) in enumerate(zip(data.languages, data.classes, strict=True)):
        groups["all"].append(place)
        groups[f"language/{language}"].append(place)
        groups[f"class/{kind}"].append(place)
    return {
        name: summary(
            logits[places],
            [data.labels[place] for place in places],
            [overlaps[place] for place in places],
            threshold,
        )
        for name, places in sorted(groups.items())
    }


def wrong_rows(data: Labelled, logits: Logits, threshold: float) -> dict[str, list[dict[str, Any]]]:
    """Return the wrong hits, highest first, and the misses, lowest first, by row number."""
    order = np.argsort(logits)
    hits = [i for i in order[::-1] if logits[i] >= threshold and not data.labels[i]]
    misses = [i for i in order if logits[i] < threshold and data.labels[i]]
    return {
        name: [
            {
                "row": int(place),
                "language": data.languages[place],
                "class": data.classes[place],
                "logit": round(float(logits[place]), 3),
            }
            for place in places[:_LISTED]
        ]
        for name, places in (("wrong_hits", hits), ("misses", misses))
    }


def load_scorer(args: argparse.Namespace) -> tuple[Scorer, float | None]:
    """Return the scorer that the arguments name, and its threshold where it has one."""
    if args.bundle:
        judge = Judge.load(args.bundle, args.threads)
        return judge.logits, judge.threshold if args.threshold is None else args.threshold
    if args.model:
        form = read_form(args.form)
        return graph_scorer(args.model, args.tokenizer, args.threads, form), args.threshold
    return checkpoint_scorer(args.checkpoint, args.tokenizer, args.threads), args.threshold


def add_scorer_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that `load_scorer` reads."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--bundle", type=Path)
    source.add_argument("--model", type=Path, help="exported graph; needs --tokenizer")
    source.add_argument("--checkpoint", type=Path, help="from training; needs --tokenizer")
    parser.add_argument("--tokenizer", type=Path)
    parser.add_argument("--form", type=Path, help="what the stage `form` wrote, beside --model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--threshold", type=float)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description="Measure a judge on labelled pairs.")
    add_scorer_arguments(parser)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--report", type=Path, help="write groups and worst rows here as JSON")
    args = parser.parse_args(argv)
    score, threshold = load_scorer(args)
    data = read_pairs(args.pairs)
    logits = score(data.pairs)
    measured = evaluate(data, logits, threshold)
    if args.report:
        worst = wrong_rows(data, logits, threshold) if threshold is not None else {}
        args.report.write_text(json.dumps({"groups": measured, **worst}, indent=1))
    for name, group in measured.items():
        print(name, json.dumps(group))
    print(json.dumps(measured["all"]))


if __name__ == "__main__":
    main()
