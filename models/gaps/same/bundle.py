"""
The bundle of the decider: `centres.npz`, `card.md`, and `manifest.json`, written last.

A dozen weights and four mean vectors; of one encoder and one judge.
"""

import io
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from models.bundle import CARD
from models.errors import BundleError
from models.gaps.same.features import LANGUAGES, NAMES
from models.gaps.sealed import Sealed, read_sealed, write_sealed
from models.manifest import MANIFEST, Count, Sha256, Share, Strict, Text

CENTRES = "centres.npz"
_FILES = frozenset({CENTRES, CARD})

Finite = Annotated[float, Meta(ge=-1000, le=1000)]
Centres = dict[str, npt.NDArray[np.float32]]


class CrossValidated(Strict, frozen=True, kw_only=True):
    """How it did on training pairs that were held out, each once."""

    pairs: Count
    accuracy: Share
    auc: Share
    #: Accuracy of the best threshold on the encoder's cosine alone.
    cosine_accuracy: Share


class Manifest(Sealed, frozen=True, kw_only=True):
    """`manifest.json`."""

    schema: Literal[1]
    kind: Literal["same"]
    #: Of the encoder and the judge that it weighs; others are refused.
    encoder_fingerprint: Sha256
    judge_fingerprint: Sha256
    #: Of each column of `models.gaps.same.features`.
    weights: dict[str, Finite]
    bias: Finite
    #: Chance from which on two questions are one.
    threshold: Share
    cross_validated: CrossValidated
    #: SHA-256 of each training input.
    training_data: dict[str, Sha256]
    licence: Text


def read_bundle(folder: Path) -> tuple[Manifest, Centres]:
    """
    Read and verify a bundle.

    Raises:
        BundleError: a part is missing, wrongly typed, or differs from the manifest.
    """
    manifest, files = read_sealed(folder, Manifest, _FILES)
    if set(manifest.weights) != set(NAMES):
        raise BundleError(f"{MANIFEST}: weights", "are of other columns")
    return manifest, _centres(files[CENTRES])


def write_bundle(folder: Path, centres: Centres, card: str, fields: dict[str, Any]) -> None:
    """
    Write a bundle.

    Args:
        folder: made where it is missing.
        centres: mean vector of each language.
        card: what a reader should know of it.
        fields: of the manifest, without those that are the same in each.

    Raises:
        OSError: it cannot be written.
    """
    target = io.BytesIO()
    np.savez(target, allow_pickle=False, **centres)
    files = {CENTRES: target.getvalue(), CARD: card.encode()}
    write_sealed(folder, files, {"schema": 1, "kind": "same"} | fields)


def _centres(content: bytes) -> Centres:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as entries:
            found = {name: entries[name] for name in entries.files}
    except (OSError, ValueError, EOFError) as error:
        raise BundleError(CENTRES, "is no archive of its arrays") from error
    if set(found) != set(LANGUAGES):
        raise BundleError(CENTRES, "has other languages")
    for name, centre in found.items():
        if centre.ndim != 1 or centre.dtype != np.float32 or not np.isfinite(centre).all():
            raise BundleError(CENTRES, f"{name} is no vector of finite float32")
    return found
