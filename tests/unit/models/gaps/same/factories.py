"""A decider over fakes: vectors by text, logits by pair, and a bundle of any weights."""

import numpy as np

from models.gaps.same import Asked
from models.gaps.same.bundle import write_bundle
from models.gaps.same.features import LANGUAGES, NAMES

ENCODER, JUDGE = "a" * 64, "b" * 64
DIMENSION = 8


class FakeEncoder:
    """Only what a decider asks of an encoder."""

    fingerprint = ENCODER
    dimension = DIMENSION


class FakeJudge:
    """Gives pairs the logits that it was told, and remembers what it was asked."""

    fingerprint = JUDGE

    def __init__(self, logits=()):
        self.known = dict(logits)
        self.asked = []

    def logits(self, pairs):
        self.asked += pairs
        return np.array([self.known.get(pair, 0.0) for pair in pairs], np.float32)


def asked(text, place=0):
    """A question whose vector is one axis."""
    return Asked(text, np.eye(DIMENSION, dtype=np.float32)[place])


def write(folder, **changed):
    """Write a bundle: by default only the centred cosine and the judge speak."""
    fields = {
        "name": "tiny",
        "version": "1",
        "encoder_fingerprint": ENCODER,
        "judge_fingerprint": JUDGE,
        "weights": dict.fromkeys(NAMES, 0.0) | {"centred": 4.0, "judge": 4.0},
        "bias": -3.0,
        "threshold": 0.5,
        "cross_validated": {"pairs": 4, "accuracy": 0.5, "auc": 0.5, "cosine_accuracy": 0.5},
        "training_data": {},
        "licence": "none",
    }
    centres = {name: np.zeros(DIMENSION, np.float32) for name in LANGUAGES}
    write_bundle(folder, centres, "tiny", fields | changed)
