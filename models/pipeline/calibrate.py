"""
Stage: the threshold, chosen on validation for the exact bytes that ship.

    python -m models.pipeline.calibrate --model judge.int8.onnx --tokenizer base/tokenizer.json \
        --form form.json --pairs data/natural.tsv --max-false-accept 0.01 \
        --hard data/scenes.jsonl data/validation.jsonl data/adversarial.tsv \
        --max-false-accept-hard 0.02 --out calibration.json

The threshold is the lowest logit at which the upper bound (Clopper-Pearson, one-sided, 95 %) of the
false accept rate is at most the ceiling over all pairs, and at which the rate itself is at most
`--language-slack` times the ceiling in every language; so one hard language raises it for all. With
several files of pairs it must hold in each, so that a hard one is not hidden behind an easy one.
Files of `--hard` have a ceiling of their own: their negatives are near misses, which share as many
words as their positives or more, so that counting words fails in them. Pairs that a guard
takes out are no hits, as they are never served.

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
from models.pipeline.form import is_judged
from models.text import clean

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
    data: Labelled,
    logits: Logits,
    ceiling: float,
    *,
    slack: float = 1.0,
    by_language_bound: bool = False,
) -> float:
    """
    Return the threshold.

    Args:
        data: the pairs.
        logits: (N,) float32, theirs.
        ceiling: largest false accept rate over all, with its upper bound.
        slack: how many times the ceiling the rate in one language may be.
        by_language_bound: hold the upper bound under it in every language too.

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
            hits = allowed_hits(negatives, slack * ceiling, bound=by_language_bound)
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
    negative = np.asarray(suite.labels) == 0
    return round(float(guarded(suite, score(suite.pairs))[negative].max()) + MARGIN, 4)


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


def guarded(data: Labelled, logits: Logits) -> Logits:
    """Return the logits with those of guarded pairs where no threshold reaches them."""
    asked = [is_judged(clean(a).text, clean(b).text) for a, b in data.pairs]
    return np.where(asked, logits, np.float32(-np.inf))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage."""
    parser = argparse.ArgumentParser(description="Choose the threshold of a judge.")
    add_scorer_arguments(parser)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    parser.add_argument("--max-false-accept", type=float, default=0.01)
    parser.add_argument("--hard", type=Path, nargs="*", default=[], help="near misses only")
    parser.add_argument("--max-false-accept-hard", type=float, default=0.02)
    parser.add_argument("--language-slack", type=float, default=1.0)
    parser.add_argument("--above", type=Path, help="suite whose negatives must all be refused")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(argv)
    score, _ = load_scorer(args)
    ceilings = dict.fromkeys(args.pairs, args.max_false_accept)
    ceilings |= dict.fromkeys(args.hard, args.max_false_accept_hard)
    parts = [read_pairs(path) for path in ceilings]
    scored = [guarded(part, score(part.pairs)) for part in parts]
    chosen = threshold = max(
        choose(part, logits, ceiling, slack=args.language_slack)
        for part, logits, ceiling in zip(parts, scored, ceilings.values(), strict=True)
    )
    if args.above:
        threshold = max(threshold, floor_of(read_pairs(args.above), score))
    entry = threshold_entry(joined(parts), np.concatenate(scored), threshold)
    content = {
        "thresholds": {"serve": entry},
        "calibration": {
            "method": _method(args, chosen, raised=threshold > chosen),
            "data": {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in ceilings},
        },
    }
    args.out.write_text(json.dumps(content, indent=1))
    rates_by_file = {
        path.stem: rates(logits, part.labels, threshold)
        for path, part, logits in zip(ceilings, parts, scored, strict=True)
    }
    print(json.dumps(entry | {"files": rates_by_file}))


def _method(args: argparse.Namespace, chosen: float, *, raised: bool) -> str:
    hard = f" ({args.max_false_accept_hard:g} on near misses)" if args.hard else ""
    return (
        f"Lowest logit whose false accept rate has an upper bound (95 %) of at most "
        f"{args.max_false_accept:g}{hard} over all pairs of each file and is at most "
        f"{args.language_slack:g} times that in every language, with the exported graph, the "
        f"serving session's options and the pair guards"
        + (f"; raised from {chosen:g} above every negative of a suite" if raised else "")
    )


if __name__ == "__main__":
    main()
