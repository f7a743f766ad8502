"""What a student is taught with: texts in families, and the teacher's vector of each."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import orjson

from models.text import clean

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import numpy.typing as npt

    from models.encoder import Encoder

#: Texts that a batch holds at least, and that one family gives it at most: a batch of one scene
#: alone would say little of how scenes lie to each other.
BATCH, _FAMILY = 96, 24
#: One family in so many is never taught, and shows what the student learnt.
_HELD_OUT = 50
#: Layers of the data's rows that are other people's texts.
_PUBLIC = "public"
#: Texts that are encoded at once: so often the stage says how far it is.
_PART = 8192

#: Texts that belong to one scene, contrast, knowledge base or pair.
Family = list[str]


class Lesson(NamedTuple):
    """Families to teach, and others to look at afterwards."""

    taught: list[Family]
    held: list[Family]


def spread(layers: int, kept: int) -> tuple[int, ...]:
    """
    Positions of the layers that a student keeps, evenly from the first to the last.

    Raises:
        ValueError: fewer than two are to be kept, or more than there are.
    """
    if not 2 <= kept <= layers:  # noqa: PLR2004
        raise ValueError(f"of {layers} layers a student keeps at least two and at most all")
    return tuple(int(place) for place in np.rint(np.linspace(0, layers - 1, kept)))


def read_lesson(groups: Path, rows: Path | None = None) -> Lesson:
    """
    Read families from what the data stage wrote.

    Args:
        groups: groups of meanings.
        rows: training rows; the texts of public pairs are taken, each pair a family.
    """
    with groups.open("rb") as file:
        found = [[text for said in orjson.loads(line) for text in said] for line in file]
    taught = [family for place, family in enumerate(found) if place % _HELD_OUT]
    if rows is not None:
        taught += _pairs(rows)
    return Lesson(taught, found[::_HELD_OUT])


def _pairs(path: Path) -> Iterator[Family]:
    with path.open("rb") as file:
        for line in file:
            row = orjson.loads(line)
            if row["layer"] == _PUBLIC:
                yield [clean(row["a"]).text, clean(row["b"]).text]


def batches(families: Sequence[Family], texts: int, rng: random.Random) -> Iterator[list[str]]:
    """Yield batches of whole families, in random order, until `texts` texts were yielded."""
    batch: list[str] = []
    yielded = 0
    while yielded < texts:
        for place in rng.sample(range(len(families)), len(families)):
            family = families[place]
            batch += rng.sample(family, min(_FAMILY, len(family)))
            if len(batch) >= BATCH:
                yielded += len(batch)
                yield batch
                batch = []
                if yielded >= texts:
                    return


def teach(encoder: Encoder, texts: Sequence[str], folder: Path) -> npt.NDArray[np.float16]:
    """
    Return the teacher's vectors (N, D), computed once and kept in a file of `folder`.

    Raises:
        InferenceError: the encoder failed.
    """
    digest = hashlib.sha256(encoder.fingerprint.encode())
    for text in texts:
        digest.update(text.encode() + b"\0")
    path = folder / f"teacher-{digest.hexdigest()[:16]}.npy"
    if path.exists():
        kept: npt.NDArray[np.float16] = np.load(path, allow_pickle=False)
        return kept
    vectors = np.empty((len(texts), encoder.dimension), np.float16)
    for start in range(0, len(texts), _PART):
        vectors[start : start + _PART] = encoder.encode(texts[start : start + _PART])
        print(f"teacher: {min(start + _PART, len(texts))} of {len(texts)} texts", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".part.npy")
    np.save(unfinished, vectors, allow_pickle=False)
    unfinished.replace(path)
    return vectors
