"""
Stage: temperature and threshold of an answer judge, for the exact bytes that ship.

    python -m models.pipeline.answer_calibrate --model answer.int8.onnx \
        --tokenizer base/tokenizer.json --rows data/kb_held.jsonl --out answer.json

Of the held-out knowledge bases one half, whole ones, chooses: the temperature at which the levels'
cross-entropy is least, then the threshold at which questions that an entry answers (level 2 and 3)
and others are told apart best, their two rates of error taken together. A question is answered
where any of its entries reaches the threshold, as in a verdict, so of many entries that do not
answer the surest decides. The other half is reported: rates of questions by their language, and the
calibration error of "answers at least in part" over entries, in ten bins.

Writes `thresholds`, `calibration` and `temperature`. The last line of stdout is one JSON document.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from models.kb.answer import ANSWER, probabilities
from models.kb.reading import pair_texts
from models.pipeline.bounds import upper_bound
from models.pipeline.data.kb import PART
from models.pipeline.data.kb_rows import KbRow, read_kb_rows
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.scoring import MAX_TOKENS, run_all
from models.runtime import new_session
from models.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

#: Temperatures that are tried.
TEMPERATURES = np.round(np.arange(0.5, 3.01, 0.05), 2)
#: Thresholds that are tried: a probability near 0 or 1 would be no threshold.
THRESHOLDS = np.round(np.arange(0.1, 0.91, 0.01), 2)
_BINS = 10
#: Kinds of rows whose entry is one that somebody wrote.
_AS_THEY_ARE = ("written", "passage")


def cross_entropy(logits: NDArray[np.float32], levels: NDArray[np.int64], heat: float) -> float:
    """Return the mean cross-entropy of logits (N, 4), divided by a temperature, against levels."""
    scaled = logits / heat
    top = scaled.max(axis=1, keepdims=True)
    logs = scaled - top - np.log(np.exp(scaled - top).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(len(levels)), levels].mean())


def answering(logits: NDArray[np.float32], heat: float) -> NDArray[np.float64]:
    """Return the probability (N,) of at least a part of the answer."""
    levels = np.array(probabilities(logits, heat))
    found: NDArray[np.float64] = levels[:, PART:].sum(axis=1)
    return found


def best_threshold(told: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Return the threshold with the least sum of both rates of error; of equal ones the highest."""
    errors = [
        float((told[labels] < value).mean() + (told[~labels] >= value).mean())
        for value in THRESHOLDS
    ]
    return float(THRESHOLDS[len(errors) - 1 - int(np.argmin(errors[::-1]))])


def by_question(
    rows: Sequence[KbRow], told: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[list[KbRow], NDArray[np.float64], NDArray[np.bool_]]:
    """
    Take the entries of each question together.

    Returns:
        Of Q questions: one of its rows each; (Q,) the probability of its surest entry; (Q,) whether
        any answers. Entries that stand in no knowledge base as they are have no part in it.
    """
    places: dict[tuple[tuple[str, ...], str], list[int]] = {}
    for place, row in enumerate(rows):
        if row.kind in _AS_THEY_ARE:
            places.setdefault((row.group, row.question), []).append(place)
    return (
        [rows[own[0]] for own in places.values()],
        np.array([told[own].max() for own in places.values()]),
        np.array([labels[own].any() for own in places.values()]),
    )


def calibration_error(told: NDArray[np.float64], labels: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of probabilities (N,) in bins of equal width."""
    bins = np.minimum((told * _BINS).astype(int), _BINS - 1)
    return float(
        sum(
            (bins == one).mean() * abs(told[bins == one].mean() - labels[bins == one].mean())
            for one in np.unique(bins)
        )
    )


def rates(told: NDArray[np.float64], labels: NDArray[np.bool_], value: float) -> dict[str, Any]:
    """Return the operating point of a threshold as a manifest holds it."""
    hits = int((told[~labels] >= value).sum())
    negatives = int((~labels).sum())
    return {
        "recall": round(float((told[labels] >= value).mean()), 4),
        "false_accept_rate": round(hits / negatives, 6),
        "false_accept_upper95": round(upper_bound(hits, negatives), 6),
        "n_positive": int(labels.sum()),
        "n_negative": negatives,
    }


def judged(model: Path, tokenizer: Path, rows: Sequence[KbRow]) -> NDArray[np.float32]:
    """Return the logits (N, 4) of the rows."""
    pairs = [pair_texts(row.question, row.title, row.content) for row in rows]
    return run_all(
        new_session(model.read_bytes(), threads=2),
        Tokens(tokenizer.read_bytes(), MAX_TOKENS),
        pairs,
    )


def _chooses(row: KbRow) -> bool:
    """Tell whether a row is of the half that chooses: whole knowledge bases are."""
    return zlib.crc32(row.group[0].encode()) % 2 == 0


def main(argv: Sequence[str] | None = None) -> None:
    """Run the stage from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path, required=True, help="int8 graph")
    parser.add_argument("--tokenizer", type=Path, required=True, help="trimmed tokenizer.json")
    parser.add_argument("--rows", type=Path, required=True, help="rows of held-out bases")
    parser.add_argument("--out", type=Path, required=True, help="JSON for the stage `pack`")
    args = parser.parse_args(argv)

    rows = list(read_kb_rows(args.rows))
    logits = judged(args.model, args.tokenizer, rows)
    levels = np.array([row.level for row in rows])
    labels = levels >= PART
    chosen = np.array([_chooses(row) for row in rows])
    if not all(labels[half].any() and not labels[half].all() for half in (chosen, ~chosen)):
        raise SystemExit("answer_calibrate: too few knowledge bases, half of them shows nothing")
    heat = min(TEMPERATURES, key=lambda one: cross_entropy(logits[chosen], levels[chosen], one))
    told = answering(logits, float(heat))
    asked, surest, answered = by_question(rows, told, labels)
    choosing = np.array([_chooses(row) for row in asked])
    value = best_threshold(surest[choosing], answered[choosing])
    languages = np.array([LANGUAGE_OF[row.question_language] for row in asked])
    found = {
        "value": value,
        **rates(surest[~choosing], answered[~choosing], value),
        "languages": {
            name: rates(surest[part], answered[part], value)
            for name in sorted(set(languages))
            if (part := ~choosing & (languages == name)).any()
        },
    }
    report = {
        "thresholds": {ANSWER: found},
        "calibration": {
            "method": "temperature of least cross-entropy over entries, threshold of least error "
            "in both directions over questions, on one half of the held-out knowledge bases and "
            "articles; rates are of the other half's questions",
            "data": {args.rows.name: hashlib.sha256(args.rows.read_bytes()).hexdigest()},
        },
        "temperature": float(heat),
        "calibration_error": round(calibration_error(told[~chosen], labels[~chosen]), 4),
        "levels_right": round(float((logits[~chosen].argmax(1) == levels[~chosen]).mean()), 4),
    }
    args.out.write_text(json.dumps(report, indent=1))
    print(json.dumps(report))


if __name__ == "__main__":
    main()
