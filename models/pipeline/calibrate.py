"""
Stage: the threshold, chosen on validation for the exact bytes that ship.

    python -m models.pipeline.calibrate --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --pairs data/scenes.jsonl data/validation.jsonl --max-false-accept 0.01 \
        --out calibration.json

The threshold is the lowest logit at which the upper bound (Clopper-Pearson, one-sided, 95 %) of the
false accept rate is at most the ceiling over all pairs, and at which the rate itself is at most the
ceiling in every language; so one hard language raises it for all. With several files of pairs it
must hold in each, so that a hard one is not hidden behind an easy one. With `--by-language-bound`
the upper bound must hold in every language too, which needs several hundred negatives in each.

With `--above traps.tsv` it also lies above every negative of that suite by a margin; what that cost
is in the rates. The pairs are read in the order that they are served in, utterance first: the
second opinion, which reads them turned round, can only refuse more.

The logits come from the artifact given, run with the serving session's options. Writes
`thresholds` and `calibration` as a manifest holds them. The last line of stdout is one JSON
document.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.pipeline.bounds import upper_bound
from models.pipeline.evaluate import (
    Labelled,
    Logits,
    Scorer,
    add_scorer_arguments,
    load_scorer,
    rates,
    read_pairs,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Languages of a manifest; crossed pairs are "mixed".
LANGUAGES = ("en", "hi", "hinglish", "ar")
#: Logits between the highest negative of a suite and the threshold: other machines add otherwise.
MARGIN = 0.1
#: Step above a negative's logit, so that the negative itself is not accepted.
_EPSILON = 1e-3


def language_of(languages: str) -> str:
    """Return a manifest's language: crossed pairs are "mixed"."""
    return languages if languages in LANGUAGES else "mixed"


def allowed_hits(negatives: int, ceiling: float, *, bound: bool) -> int:
    """
    Return how many of some negatives may be accepted.

    Args:
        negatives: how many there are.
        ceiling: largest false accept rate, 0 to 1.
        bound: hold the upper bound of the rate under the ceiling, not just the rate.

    Returns:
        -1 when even no false accept at all is too weak a proof.
    """
    hits = int(ceiling * negatives)
    if bound:
        while hits >= 0 and upper_bound(hits, negatives) > ceiling:
            hits -= 1
    return hits


def lowest_threshold(logits: Logits, labels: Sequence[int], hits: int) -> float:
    """
    Return the lowest logit that accepts at most `hits` negatives.

    Raises:
        ValueError: `hits` is negative: there are too few negatives for the ceiling.
    """
    if hits < 0:
        message = "too few negatives to prove the ceiling"
        raise ValueError(message)
    wrong = np.sort(logits[np.asarray(labels) == 0])[::-1]
    return float(wrong[hits]) + _EPSILON if hits < wrong.size else float(wrong[-1])


def choose(
    data: Labelled, logits: Logits, ceiling: float, *, by_language_bound: bool = False
) -> float:
    """
    Return the threshold.

    Raises:
        ValueError: there are too few negatives to prove the ceiling.
    """
    labels = np.asarray(data.labels)
    groups = np.asarray([language_of(name) for name in data.languages])
    hits = allowed_hits(int((labels == 0).sum()), ceiling, bound=True)
    candidates = [lowest_threshold(logits, data.labels, hits)]
    for language in LANGUAGES:
        own = groups == language
        negatives = int((labels[own] == 0).sum())
        if negatives:
            hits = allowed_hits(negatives, ceiling, bound=by_language_bound)
            candidates.append(lowest_threshold(logits[own], labels[own].tolist(), hits))
    return round(max(candidates), 4)


def joined(parts: Sequence[Labelled]) -> Labelled:
    """Return the pairs of several files as one."""
    return Labelled(
        [pair for part in parts for pair in part.pairs],
        [label for part in parts for label in part.labels],
        [language for part in parts for language in part.languages],
        [kind for part in parts for kind in part.classes],
    )


def floor_of(suite: Labelled, score: Scorer) -> float:
    """Return the lowest threshold at which no negative of a suite is a hit, plus the margin."""
    negatives = [pair for pair, label in zip(suite.pairs, suite.labels, strict=True) if not label]
    return round(float(score(negatives).max()) + MARGIN, 4)


def threshold_entry(data: Labelled, logits: Logits, threshold: float) -> dict[str, Any]:
    """Return a manifest's threshold: value, rates, and rates by language."""
    labels = np.asarray(data.labels)
    groups = np.asarray([language_of(name) for name in data.languages])
    by_language = {}
    for language in (*LANGUAGES, "mixed"):
        own = groups == language
        if {0, 1} <= set(labels[own].tolist()):
            by_language[language] = rates(logits[own], labels[own].tolist(), threshold)
    return {"value": threshold, **rates(logits, data.labels, threshold), "languages": by_language}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description="Choose the threshold of a judge.")
    add_scorer_arguments(parser)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    parser.add_argument("--max-false-accept", type=float, default=0.01)
    parser.add_argument("--by-language-bound", action="store_true")
    parser.add_argument("--above", type=Path, help="suite whose negatives must all be refused")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    score, _ = load_scorer(args)
    parts = [read_pairs(path) for path in args.pairs]
    scored = [score(part.pairs) for part in parts]
    ceiling = args.max_false_accept
    chosen = threshold = max(
        choose(part, logits, ceiling, by_language_bound=args.by_language_bound)
        for part, logits in zip(parts, scored, strict=True)
    )
    if args.above:
        threshold = max(threshold, floor_of(read_pairs(args.above), score))
    entry = threshold_entry(joined(parts), np.concatenate(scored), threshold)
    raised = threshold > chosen
    scope = "over all pairs and in every language" if args.by_language_bound else "over all pairs"
    content = {
        "thresholds": {"serve": entry},
        "calibration": {
            "method": (
                f"Lowest logit whose false accept rate has an upper bound (95 %) of at most "
                f"{ceiling:g} {scope} and is at most {ceiling:g} in every language, on each file "
                f"of validation pairs, with the exported graph and the serving session's options"
                + (f"; raised from {chosen:g} above every negative of a suite" if raised else "")
            ),
            "data": {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in args.pairs
            },
        },
    }
    args.out.write_text(json.dumps(content, indent=1))
    print(json.dumps(entry))


if __name__ == "__main__":
    main()
