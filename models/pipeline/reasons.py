"""
Stage of the slow path: the classifier that says why a question stayed unanswered.

    python -m models.pipeline.reasons --encoder models/bundles/encoder --out models/bundles/reasons
    python -m models.pipeline.reasons ... --tiny        a few rows, to see that it runs

One command makes the whole bundle; run it again whenever the encoder is another. It

1. reads `data/unanswered/*.tsv`, masks each text as the slow path does, and encodes it;
2. learns a linear model (softmax regression with a ridge) in `FOLDS` folds: rows of one name, and
   rows of one text, are never on both sides;
3. chooses, from what each fold said of the rows that it had not seen, the temperature that makes
   shares honest and the share below which a question is called `unclear`;
4. learns from knowledge bases (`data/kb`) how the nearness of a tenant's entries tells what is off
   topic: their unanswered questions beside their own entries, off-topic ones beside anybody's;
5. learns again from all rows, writes the bundle, loads it and lets it prove itself.

`models/suites/unanswered.jsonl` is not read: it measures (`turngate eval classify`). The last line
of stdout is one JSON document, what cross-validation found.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.bundle import CARD
from models.encoder import Encoder
from models.gaps.reasons.bundle import WEIGHTS, write_bundle
from models.gaps.reasons.classifier import Classifier, Weights, weights_of
from models.gaps.reasons.features import Floats
from models.gaps.reasons.reason import REASONS, Reason
from models.pipeline.reasons_fit import (
    calibration_error,
    choose_temperature,
    choose_threshold,
    decide,
    f1,
    fit,
    held_out,
    macro_f1,
)
from models.pipeline.reasons_rows import TABLES, Rows, read_rows
from models.pipeline.reasons_topic import TOPIC_ROWS, Learned, topic_regression
from models.router.head import softmax

#: Rows of each kind in a run that only shows that it runs.
_TINY = 40
#: Questions that a bundle proves itself by, with the nearness of a tenant's entries.
_KNOWN: tuple[tuple[str, float | None], ...] = (
    ("tell me a joke about elephants", None),
    ("where is my order right now", None),
    ("the the um", None),
    ("what documents do I need to open an account", None),
    ("मेरा ऑर्डर अभी कहाँ है", None),
    ("هو الجو عامل ايه بكرة", 0.7),
)
_CARD = """\
# turngate-reasons

Says why a question stayed unanswered: `off_topic`, `needs_live_data`, `unclear` or
`missing_knowledge`, with how likely each is. A linear model over the encoder's vector of the
question, its length, and its words hashed into 4096 columns; the manifest says what held-out
training rows gave.

## Origin

Learned from `models/pipeline/data/unanswered` (written for this project by a language model, not
reviewed by native speakers; Apache-2.0) by `python -m models.pipeline.reasons`. It belongs to one
encoder, whose fingerprint it holds.

## Limits

* It reads the question alone. How near the tenant's entries are, where that is given, moves it
  between on topic and off topic; what the business does, and what was said before, it does not
  know.
* Arabic and Hinglish are its weakest languages.
* Household, health and beauty advice counts as off topic, though for some businesses it is not.
* A reason below the threshold is called `unclear`. A backlog must let a person change a reason.
"""


def _summary(rows: Rows, shares: Floats, threshold: float) -> dict[str, Any]:
    """What held-out rows say of the model, as the manifest keeps it."""
    said = decide(shares, threshold)
    languages = np.array(rows.languages)
    return {
        "rows": len(rows.texts),
        "macro_f1": macro_f1(rows.labels, said),
        "accuracy": float((said == rows.labels).mean()),
        "calibration_error": calibration_error(shares, rows.labels),
        "f1": {one.value: share for one, share in zip(REASONS, f1(rows.labels, said), strict=True)},
        "languages": {
            name: macro_f1(rows.labels[languages == name], said[languages == name])
            for name in sorted(set(rows.languages))
        },
    }


def _write(folder: Path, weights: Weights, fields: dict[str, Any], encoder: Encoder) -> None:
    """Write the bundle twice: what it says of the known questions is part of it."""
    files = {WEIGHTS: weights_of(weights), CARD: _CARD.encode()}
    golden = [
        {"question": text, "nearness": near, "reason": Reason.UNCLEAR, "share": 0.0}
        for text, near in _KNOWN
    ]
    write_bundle(folder, files, {**fields, "golden": golden})
    classifier = Classifier.load(folder, encoder.fingerprint)
    vectors = encoder.encode([text for text, _ in _KNOWN])
    said = classifier.classify([text for text, _ in _KNOWN], vectors, [near for _, near in _KNOWN])
    for known, one in zip(golden, said, strict=True):
        best = max(range(len(REASONS)), key=one.shares.__getitem__)
        known |= {"reason": REASONS[best], "share": round(one.shares[best], 6)}
    write_bundle(folder, files, {**fields, "golden": golden})
    Classifier.load(folder, encoder.fingerprint).prove(encoder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the bundle."""
    parser = argparse.ArgumentParser(description="Make the classifier of unanswered questions.")
    parser.add_argument("--encoder", type=Path, default=Path("models/bundles/encoder"))
    parser.add_argument("--out", type=Path, default=Path("models/bundles/reasons"))
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args(arguments)
    encoder = Encoder.load(options.encoder, threads=options.threads)
    rows = read_rows(limit=_TINY if options.tiny else None)
    print(f"{len(rows.texts)} rows; encoding")
    vectors = encoder.encode(rows.texts)
    print("cross-validating")
    logits = held_out(rows, vectors)
    temperature = choose_temperature(logits, rows.labels)
    shares = softmax(logits / np.float32(temperature))
    threshold = choose_threshold(shares, rows.labels)
    print(f"temperature {temperature}, threshold {threshold}; learning from all rows")
    weights = fit(rows.texts, vectors, rows.labels)
    print("learning what nearness says")
    learned = Learned(weights, vectors, logits / np.float32(temperature), temperature)
    topic = topic_regression(rows, learned, encoder, _TINY if options.tiny else TOPIC_ROWS)
    found = _summary(rows, shares, threshold)
    fields: dict[str, Any] = {
        "name": "turngate-reasons",
        "version": options.version,
        "encoder_fingerprint": encoder.fingerprint,
        "dimension": encoder.dimension,
        "languages": sorted(set(rows.languages)),
        "temperature": temperature,
        "threshold": threshold,
        "topic": {
            "shares": float(topic.weights[0]),
            "nearness": float(topic.weights[1]),
            "bias": topic.bias,
        },
        "cross_validated": found,
        "training_data": {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(TABLES.glob("*.tsv"))
        },
        "tolerance": 0.05,
        "licence": "Apache-2.0",
    }
    _write(options.out, weights, fields, encoder)
    print(json.dumps(found | {"threshold": threshold, "temperature": temperature}))


if __name__ == "__main__":
    main()
