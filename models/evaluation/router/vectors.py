"""Vectors of texts, each encoded once, kept in a file between runs where one is named."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from models.errors import ModelError
from models.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy.typing as npt

    from models.router.compile import Encodes
    from models.router.prototypes import Vectors

#: Texts that are encoded before the file is written again: what a stopped run loses at most.
_BATCH = 2048
#: Of both arrays in the file: a row a text.
_DIMENSIONS = 2


class KeptError(ModelError):
    """A file of kept vectors is damaged; without it they are made again."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path}: these are no vectors that were kept; take the file away")


class KeptVectors:
    """
    An encoder that remembers. The file has hashes of texts, not the texts.

    Args:
        encoder: what it asks.
        folder: where it keeps vectors, in a file a fingerprint; None keeps them in memory.

    Raises:
        KeptError: the file there is damaged.
    """

    def __init__(self, encoder: Encodes, folder: Path | None = None) -> None:
        self._encoder = encoder
        self._path = folder and folder / f"vectors-{encoder.fingerprint[:16]}.npz"
        self._known: dict[bytes, Vectors] = {}
        if self._path is not None and self._path.exists():
            self._known = _read(self._path)

    @property
    def fingerprint(self) -> str:
        """Name the weights."""
        return self._encoder.fingerprint

    def encode(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit rows for N cleaned texts."""
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        news = list(missing.items())
        for start in range(0, len(news), _BATCH):
            part = news[start : start + _BATCH]
            vectors = self._encoder.encode([text for _, text in part])
            self._known |= {key: row for (key, _), row in zip(part, vectors, strict=True)}
            self._keep()
        if not keys:
            return self._encoder.encode([])
        return np.stack([self._known[key] for key in keys])

    def _keep(self) -> None:
        if self._path is None:
            return
        keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(len(self._known), -1)
        content: dict[str, npt.NDArray[Any]] = {
            "keys": keys,
            "vectors": np.stack(list(self._known.values())),
        }
        unfinished = self._path.with_suffix(".part.npz")
        np.savez(unfinished, allow_pickle=False, **content)
        unfinished.replace(self._path)


def _read(path: Path) -> dict[bytes, Vectors]:
    try:
        # A file that we opened is closed whatever is in it.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            keys, vectors = kept["keys"], kept["vectors"]
    # Whatever a zip or an array in it can be damaged by; a single array has no `with`.
    except (OSError, EOFError, KeyError, TypeError, ValueError, BadZipFile, zlib.error) as error:
        raise KeptError(path) from error
    if not keys.ndim == vectors.ndim == _DIMENSIONS or len(keys) != len(vectors):
        raise KeptError(path)
    return {key.tobytes(): row for key, row in zip(keys, vectors, strict=True)}


def cleaned(texts: Sequence[str]) -> list[str]:
    """Clean texts as the hot path does before it encodes them."""
    return [clean(text).text for text in texts]
