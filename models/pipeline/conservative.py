"""
Stage of the encoder: the cosine that may serve while the judge is out of order.

    python -m models.pipeline.conservative --model encoder.int8.onnx \
        --tokenizer base/tokenizer.json --data data --out conservative.json

Cosine cannot tell yes from no, nor "A calls B" from "B calls A", so this threshold is very high and
accepts next to nothing: without its judge the gate serves little but exact matches. Labelled public
pairs within one language (paraphrases, negations, other values, other acts) are halved by their
texts: on one half the lowest cosine without a false accept is found, plus a margin; the other half
is reported. Pairs that the exact tier would serve are left out, and so are pairs with different
numbers, which the value guard refuses before any model is asked.

The last line of stdout is one JSON document, as `pack` wants it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.encoder import CONSERVATIVE, PREFIX
from models.pipeline.bounds import upper_bound
from models.pipeline.data import public
from models.pipeline.data.row import LANGUAGE_OF, Row
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import new_session
from models.text import clean, match_key
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

#: Pairs of one language and label that are scored.
PAIRS = 2500
#: Cosine added to the lowest threshold without a false accept on the chosen half. Pairs with two
#: words exchanged reach 0.9995, so there is no room for more.
MARGIN = 0.0002
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Scored:
    """Pairs with their cosines."""

    rows: Sequence[Row]
    #: (N,) float32.
    cosines: NDArray[np.float32]
    #: (N,) bool: label 1.
    same: NDArray[np.bool_]


def sample(rows: Iterable[Row], rng: random.Random) -> list[Row]:
    """Draw pairs within one language that neither the exact tier nor the value guard decides."""
    groups: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        language = LANGUAGE_OF[row.language_a]
        if language == LANGUAGE_OF[row.language_b] and _undecided(row.a, row.b):
            groups[language, row.label].append(row)
    drawn = []
    for _, members in sorted(groups.items()):
        drawn += rng.sample(members, min(PAIRS, len(members)))
    return drawn


def _undecided(a: str, b: str) -> bool:
    first, second = clean(a).text, clean(b).text
    numbers = _DIGITS.findall(first), _DIGITS.findall(second)
    return match_key(first) != match_key(second) and sorted(numbers[0]) == sorted(numbers[1])


def score(rows: Sequence[Row], model: Path, tokenizer: Path) -> Scored:
    """Cosine of each pair, by the graph that ships."""
    session = new_session(model.read_bytes(), threads=2)
    tokens = Tokens(tokenizer.read_bytes(), MAX_TOKENS)
    left = run_all(session, tokens, [(PREFIX + clean(row.a).text,) for row in rows])
    right = run_all(session, tokens, [(PREFIX + clean(row.b).text,) for row in rows])
    same = np.array([row.label == 1 for row in rows])
    return Scored(rows, (left * right).sum(axis=1), same)


def choose(scored: Scored) -> dict[str, Any]:
    """The threshold, chosen on one half and reported on the other."""
    chosen = np.array([_half(row) for row in scored.rows])
    value = float(scored.cosines[chosen & ~scored.same].max()) + MARGIN
    value = min(round(value, 4), 0.9999)
    reported = ~chosen
    languages = np.array([LANGUAGE_OF[row.language_a] for row in scored.rows])
    by_language = {
        str(language): rates(scored, value, reported & (languages == language))
        for language in sorted(set(languages))
    }
    return {"value": value, **rates(scored, value, reported), "languages": by_language}


def rates(scored: Scored, value: float, among: NDArray[np.bool_]) -> dict[str, float | int]:
    """Recall and false accepts at a threshold, among some of the pairs."""
    accepted = scored.cosines >= value
    positives, negatives = among & scored.same, among & ~scored.same
    wrong, n_negative = int((accepted & negatives).sum()), int(negatives.sum())
    return {
        "recall": round(float(accepted[positives].mean()), 4),
        "false_accept_rate": round(wrong / n_negative, 6),
        "false_accept_upper95": round(upper_bound(wrong, n_negative), 6),
        "n_positive": int(positives.sum()),
        "n_negative": n_negative,
    }


def _half(row: Row) -> bool:
    """Which half a pair is in; pairs that share their first text stay together."""
    return zlib.crc32(min(row.a, row.b).encode()) % 2 == 0


def main(argv: list[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="int8 encoder graph")
    parser.add_argument("--tokenizer", type=Path, required=True, help="trimmed tokenizer.json")
    parser.add_argument("--data", type=Path, required=True, help="folder of public data sets")
    parser.add_argument("--out", type=Path, required=True, help="JSON for the stage `pack`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=0, help="print so many negatives on top")
    args = parser.parse_args(argv)
    rng = random.Random(args.seed)  # noqa: S311
    rows = sample(public.rows(args.data, rng), rng)
    scored = score(rows, args.model, args.tokenizer)
    for index in np.argsort(-np.where(scored.same, -2, scored.cosines))[: args.worst]:
        row = rows[index]
        print(f"{scored.cosines[index]:.4f} {row.kind} | {row.a} | {row.b}")
    lines = "".join(f"{row.a}\t{row.b}\t{row.label}\n" for row in rows)
    method = (
        "lowest cosine without a false accept on one half of the pairs, plus "
        f"{MARGIN}; rates are of the other half"
    )
    report = {
        "thresholds": {CONSERVATIVE: choose(scored)},
        "calibration": {
            "method": method,
            "data": {"public-pairs": hashlib.sha256(lines.encode()).hexdigest()},
        },
    }
    args.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
