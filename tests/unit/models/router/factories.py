"""Synthetic phrases whose vectors are known."""

import numpy as np

from models.router import Phrases

#: Width of the synthetic vectors.
WIDTH = 16


class TableEncoder:
    """Encodes from a table; a text that it lacks is a mistake of the test."""

    def __init__(self, vectors, fingerprint="encoder-1"):
        self.vectors = vectors
        self.fingerprint = fingerprint

    def encode(self, texts):
        """Look up."""
        rows = np.array([self.vectors[text] for text in texts], np.float32)
        return rows.reshape(len(texts), WIDTH)


def unit(rows):
    """Rows at length 1."""
    rows = np.asarray(rows, np.float64)
    return (rows / np.linalg.norm(rows, axis=-1, keepdims=True)).astype(np.float32)


def around(direction, count, spread, seed):
    """Unit vectors around one axis."""
    noise = np.random.default_rng(seed).normal(0, spread, (count, WIDTH))
    return unit(np.eye(WIDTH)[direction] + noise)


class World:
    """Intents along axes of their own, and out-of-scope phrases along others."""

    def __init__(self, intents=4, *, examples=8, validation=12, outside=24, spread=0.08):
        self.vectors = {}
        self.intents = {
            f"intent {axis}": self.phrases(f"example {axis}", axis, examples, spread, axis)
            for axis in range(intents)
        }
        self.validation = {
            f"intent {axis}": self.phrases(f"said {axis}", axis, validation, spread, 100 + axis)
            for axis in range(intents)
        }
        self.out_of_scope = self.phrases("else", WIDTH - 1, outside, spread * 4, 999)

    def phrases(self, name, axis, count, spread, seed):
        """Make up phrases with their vectors."""
        texts = [f"{name} number {place}" for place in range(count)]
        self.vectors |= dict(zip(texts, around(axis, count, spread, seed), strict=True))
        return texts

    @property
    def encoder(self):
        """An encoder that knows all phrases."""
        return TableEncoder(self.vectors)

    def profile(self, **changes):
        """All phrases, with some lists replaced."""
        lists = {
            "intents": self.intents,
            "validation": self.validation,
            "out_of_scope": self.out_of_scope,
        }
        return Phrases(**lists | changes)
