"""
Learning the classifier of unanswered questions, and what cross-validation says of it.

Softmax regression with a ridge; temperature and threshold are chosen from what each fold said of
the rows that it had not seen.
"""

import numpy as np

from models.encoder import Vectors
from models.gaps.reasons.classifier import Weights
from models.gaps.reasons.features import COLUMNS, Floats, features
from models.gaps.reasons.reason import REASONS, Reason
from models.pipeline.reasons_rows import FOLDS, Places, Rows
from models.router.head import softmax

#: Ridge and steps; cross-validated macro F1 of 0.003 was best of 0.0003 to 0.03.
_RIDGE, _STEPS = 3e-3, 150
#: Steps that find the largest curvature.
_POWER_STEPS = 15
_SEED = 7
#: Temperatures and thresholds that are tried.
_TEMPERATURES = np.round(np.arange(0.4, 2.01, 0.05), 2)
_THRESHOLDS = np.round(np.arange(0.25, 0.71, 0.01), 2)
_BINS = 10


def fit(texts: list[str], vectors: Vectors, labels: Places) -> Weights:
    """Learn from N questions, their vectors (N, D) and reasons (N,)."""
    centre = vectors.mean(axis=0)
    rows = features(texts, vectors, centre).full()
    found = _softmax_regression(rows, labels)
    dense = rows.shape[1] - COLUMNS
    return Weights(
        centre=centre.astype(np.float32),
        dense=found[:dense],
        hashed=found[dense:-1],
        bias=found[-1],
    )


def _softmax_regression(rows: Floats, labels: Places) -> Floats:
    """Accelerated gradient descent from zero; (F + 1, 4), the bias last."""
    rows = np.concatenate([rows, np.ones((len(rows), 1), np.float32)], axis=1)
    truth = np.eye(len(REASONS), dtype=np.float32)[labels]
    ridge = np.full((rows.shape[1], 1), _RIDGE, np.float32)
    ridge[-1] = 0  # the bias is free
    steepness = 0.5 * _largest(rows) / len(rows) * 1.05 + _RIDGE
    weights: Floats = np.zeros((rows.shape[1], len(REASONS)), np.float32)
    before = weights
    for step in range(_STEPS):
        ahead = weights + (step / (step + 3)) * (weights - before)
        slope = rows.T @ (softmax(rows @ ahead) - truth) / len(rows) + ridge * ahead
        before, weights = weights, np.asarray(ahead - slope / steepness, np.float32)
    return weights


def _largest(rows: Floats) -> float:
    """Largest eigenvalue of `rows.T @ rows`, by power iteration."""
    vector = np.random.default_rng(_SEED).normal(size=(rows.shape[1],)).astype(np.float32)
    norm = 1.0
    for _ in range(_POWER_STEPS):
        vector = rows.T @ (rows @ vector)
        norm = float(np.linalg.norm(vector))
        vector /= norm
    return norm


def held_out(rows: Rows, vectors: Vectors) -> Floats:
    """(N, 4) logits of each row, by a model that had not seen it."""
    logits = np.zeros((len(rows.texts), len(REASONS)), np.float32)
    for fold in range(FOLDS):
        test = rows.folds == fold
        train = np.flatnonzero(~test)
        weights = fit([rows.texts[at] for at in train], vectors[train], rows.labels[train])
        unseen = [rows.texts[at] for at in np.flatnonzero(test)]
        logits[test] = weights.logits(features(unseen, vectors[test], weights.centre))
    return logits


def choose_temperature(logits: Floats, labels: Places) -> float:
    """Give the temperature at which held-out rows are likeliest."""

    def loss(temperature: float) -> float:
        shares = softmax(logits / np.float32(temperature))
        return float(-np.log(shares[np.arange(len(labels)), labels] + 1e-9).mean())

    return float(min(_TEMPERATURES, key=loss))


def choose_threshold(shares: Floats, labels: Places) -> float:
    """Give the share below which calling a question unclear makes the best macro F1."""
    return float(max(_THRESHOLDS, key=lambda least: macro_f1(labels, decide(shares, least))))


def decide(shares: Floats, threshold: float) -> Places:
    """(N, 4) shares to (N,) reasons."""
    unclear = REASONS.index(Reason.UNCLEAR)
    return np.where(shares.max(axis=1) < threshold, unclear, shares.argmax(axis=1))


def f1(labels: Places, said: Places) -> list[float]:
    """F1 of each reason."""
    found = []
    for at in range(len(REASONS)):
        right = ((said == at) & (labels == at)).sum()
        found.append(float(2 * right / max(1, (said == at).sum() + (labels == at).sum())))
    return found


def macro_f1(labels: Places, said: Places) -> float:
    """Mean of the F1 of all reasons."""
    return float(np.mean(f1(labels, said)))


def calibration_error(shares: Floats, labels: Places) -> float:
    """Mean distance, in ten bins, between the largest share and how often it was right."""
    best, right = shares.max(axis=1), shares.argmax(axis=1) == labels
    bins = np.minimum((best * _BINS).astype(int), _BINS - 1)
    return float(
        sum(
            abs(best[own].mean() - right[own].mean()) * own.mean()
            for own in (bins == at for at in range(_BINS))
            if own.any()
        )
    )
