"""
The bundle of a classifier of reasons: `weights.npz`, `card.md`, and `manifest.json`, written last.

Small and linear, so it is no ONNX graph; but it is verified as every bundle is: every file against
its SHA-256, the manifest against its seal, and it says of which encoder's vectors it was made.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from models.bundle import CARD
from models.errors import BundleError
from models.gaps.reasons.reason import REASONS, Reason
from models.gaps.sealed import Sealed, read_sealed, write_sealed
from models.manifest import MANIFEST, Count, Language, Sha256, Share, Strict, Text

WEIGHTS = "weights.npz"
_FILES = frozenset({WEIGHTS, CARD})

Positive = Annotated[float, Meta(gt=0, le=100)]
Finite = Annotated[float, Meta(ge=-1000, le=1000)]


class Topic(Strict, frozen=True, kw_only=True):
    """How the nearness of the tenant's entries tells what is off topic: a logistic regression."""

    #: On the log odds of `off_topic` against both reasons that are on topic.
    shares: Finite
    #: On the largest cosine to a passage of the tenant's.
    nearness: Finite
    bias: Finite


class CrossValidated(Strict, frozen=True, kw_only=True):
    """How it did on training rows that were held out, each once."""

    rows: Count
    macro_f1: Share
    accuracy: Share
    #: Mean distance between confidence and how often it was right.
    calibration_error: Share
    #: F1 of each reason.
    f1: dict[Reason, Share]
    #: Macro F1 of each language.
    languages: dict[Language, Share]


class Known(Strict, frozen=True, kw_only=True):
    """A question and the share that its reason had when it was packed."""

    question: Text
    nearness: Annotated[float, Meta(ge=-1, le=1)] | None
    reason: Reason
    share: Share


class Manifest(Sealed, frozen=True, kw_only=True):
    """`manifest.json`."""

    schema: Literal[1]
    kind: Literal["reasons"]
    #: Of the encoder whose vectors it reads; another's are refused.
    encoder_fingerprint: Sha256
    #: Width of a vector.
    dimension: Count
    languages: Annotated[tuple[Language, ...], Meta(min_length=1)]
    #: In the order of the columns.
    reasons: tuple[Reason, ...]
    #: What logits are divided by, so that shares can be taken at their word.
    temperature: Positive
    #: Share below which the best reason is not believed, and the question is `unclear`.
    threshold: Share
    topic: Topic
    cross_validated: CrossValidated
    #: SHA-256 of each training input.
    training_data: dict[str, Sha256]
    golden: Annotated[tuple[Known, ...], Meta(min_length=1)]
    #: Largest difference from a known share.
    tolerance: Annotated[float, Meta(gt=0, le=1)]
    licence: Text


def read_bundle(folder: Path) -> tuple[Manifest, dict[str, bytes]]:
    """
    Read and verify a bundle.

    Raises:
        BundleError: a part is missing, wrongly typed, or differs from the manifest.
    """
    manifest, files = read_sealed(folder, Manifest, _FILES)
    if manifest.reasons != REASONS:
        raise BundleError(f"{MANIFEST}: reasons", "are others, or in another order")
    return manifest, files


def write_bundle(folder: Path, files: dict[str, bytes], fields: dict[str, Any]) -> None:
    """
    Write a bundle.

    Args:
        folder: made where it is missing.
        files: content of each file but the manifest.
        fields: of the manifest, without those that are the same in each.

    Raises:
        OSError: it cannot be written.
    """
    shared = {"schema": 1, "kind": "reasons", "reasons": [one.value for one in REASONS]}
    write_sealed(folder, files, shared | fields)
