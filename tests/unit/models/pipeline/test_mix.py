"""What is mixed into the training rows with an encoder's help."""

import zlib

import numpy as np

from models.pipeline.data.build import HELD_OUT
from models.pipeline.data.split import split_of_key
from models.pipeline.mix import encoded_rows
from tests.unit.models.pipeline.data.factory import make_rng


def encode(texts):
    """Unit vectors that only depend on the text."""
    found = [np.random.default_rng(zlib.crc32(text.encode())).normal(size=16) for text in texts]
    return np.array([one / np.linalg.norm(one) for one in found], np.float32)


def test_rows():
    """Pairs across scenes are never one; those of a knowledge base may be; nothing is held out."""
    rows = list(encoded_rows(encode, make_rng(), most=12))

    across = [row for row in rows if row.layer == "across"]
    asked = [row for row in rows if row.layer == "knowledge"]
    assert across
    assert {row.label for row in across} == {0}
    assert all(len(set(row.group)) == 2 for row in across)
    assert {row.label for row in asked} == {0, 1}
    assert len(across) + len(asked) == len(rows)
    assert {split_of_key(key, HELD_OUT["scenes"]) for row in across for key in row.group} == {
        "train"
    }
    assert {split_of_key(key, HELD_OUT["knowledge"]) for row in asked for key in row.group} == {
        "train"
    }
