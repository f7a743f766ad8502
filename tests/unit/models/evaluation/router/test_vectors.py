"""Vectors that are kept."""

import numpy as np
import pytest

from models.evaluation.router.vectors import KeptError, KeptVectors, cleaned
from tests.fakes.models import FakeEncoder


def test_each_text_is_encoded_once(tmp_path):
    """
    A text is encoded once, also by a later run with the same folder; the rows keep their order.
    """
    table = {"a": (1, 0, 0, 0), "b": (0, 1, 0, 0)}
    first, second = FakeEncoder(table), FakeEncoder(table)

    once = KeptVectors(first, tmp_path).encode(["b", "a", "b"])
    again = KeptVectors(second, tmp_path).encode(["a", "c"])

    assert once.tolist() == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert again.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]
    assert (first.asked, second.asked) == (["b", "a"], ["c"])


def test_encoders_do_not_share_vectors(tmp_path):
    """
    Another encoder's vectors are not taken.
    """
    other = FakeEncoder({"a": (0, 0, 1, 0)})
    other.fingerprint = "encoder-2"
    KeptVectors(FakeEncoder({"a": (1, 0, 0, 0)}), tmp_path).encode(["a"])

    assert KeptVectors(other, tmp_path).encode(["a"]).tolist() == [[0, 0, 1, 0]]


def test_texts_are_not_kept(tmp_path):
    """
    The file has no text in it.
    """
    KeptVectors(FakeEncoder(), tmp_path).encode(["secret words"])

    (file,) = tmp_path.iterdir()
    assert b"secret" not in file.read_bytes()


def test_nothing_to_encode():
    """
    No texts are no rows of the encoder's width.
    """
    vectors = KeptVectors(FakeEncoder()).encode([])

    assert vectors.shape == (0, 4)
    assert vectors.dtype == np.float32


def test_cleaned():
    """
    Texts are cleaned as in the hot path.
    """
    assert cleaned(["  a\u200b  b "]) == ["a b"]


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "array", "other", "shape", "flipped"])
def test_a_damaged_file(tmp_path, damage):
    """
    What is there and holds no vectors is named; nothing is made of it.
    """
    KeptVectors(FakeEncoder({"a": (1, 0, 0, 0)}), tmp_path).encode(["a"])
    (file,) = tmp_path.iterdir()
    raw = file.read_bytes()
    match damage:
        case "cut" | "empty" | "text":
            file.write_bytes({"cut": raw[: len(raw) // 2], "text": b"not a zip"}.get(damage, b""))
        case "flipped":
            place = raw.index(b"NUMPY")
            file.write_bytes(raw[:place] + b"XXXXX" + raw[place + 5 :])
        case "array":
            with file.open("wb") as out:
                np.save(out, np.zeros(3))
        case "other":
            np.savez(file, keys=np.zeros((1, 32)))
        case "shape":
            np.savez(file, keys=np.zeros(3), vectors=np.zeros((3, 4)))

    with pytest.raises(KeptError, match="no vectors that were kept"):
        KeptVectors(FakeEncoder(), tmp_path)
