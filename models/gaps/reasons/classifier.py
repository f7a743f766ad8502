"""The classifier: a linear model over a question's vector and words, loaded from its bundle."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from models.errors import BundleError
from models.gaps.reasons.bundle import WEIGHTS, Manifest, read_bundle
from models.gaps.reasons.features import COLUMNS, LENGTHS, Features, Floats, features, weight
from models.gaps.reasons.reason import REASONS, Classified, Reason
from models.router.head import softmax
from models.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from models.encoder import Encoder, Vectors

_OFF = REASONS.index(Reason.OFF_TOPIC)
_ON = [REASONS.index(one) for one in (Reason.NEEDS_LIVE_DATA, Reason.MISSING_KNOWLEDGE)]
_UNCLEAR = REASONS.index(Reason.UNCLEAR)
#: Least share that is taken the logarithm of.
_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Weights:
    """The numbers of a bundle."""

    #: (D,) float32, mean of the training vectors.
    centre: Floats
    #: (D + LENGTHS, 4) float32.
    dense: Floats
    #: (COLUMNS, 4) float32.
    hashed: Floats
    #: (4,) float32.
    bias: Floats

    def logits(self, found: Features) -> Floats:
        """(N, 4) float32."""
        words = [
            weight(len(columns)) * self.hashed[columns].sum(axis=0) for columns in found.hashed
        ]
        summed: Floats = found.dense @ self.dense + np.array(words).reshape(-1, 4) + self.bias
        return summed.astype(np.float32)


class Classifier:
    """A loaded bundle; says why a question stayed unanswered."""

    def __init__(self, manifest: Manifest, weights: Weights) -> None:
        #: What the bundle says of itself.
        self.manifest = manifest
        self._weights = weights

    @classmethod
    def load(cls, folder: Path, encoder_fingerprint: str) -> Self:
        """
        Load a verified bundle.

        Args:
            folder: the bundle's folder.
            encoder_fingerprint: of the encoder whose vectors it will see.

        Raises:
            BundleError: the bundle does not verify, or is of another encoder.
        """
        manifest, files = read_bundle(folder)
        if manifest.encoder_fingerprint != encoder_fingerprint:
            raise BundleError("manifest.json: encoder_fingerprint", "is of another encoder")
        return cls(manifest, _weights(files[WEIGHTS], manifest.dimension))

    def classify(
        self,
        questions: Sequence[str],
        vectors: Vectors,
        nearness: Sequence[float | None] | None = None,
    ) -> list[Classified]:
        """
        Say why questions stayed unanswered.

        Args:
            questions: N masked questions, raw or cleaned. User text: never logged.
            vectors: (N, D) their vectors, of the bundle's encoder.
            nearness: of each, the largest cosine to a passage of its tenant's entries; None where
                that is not known, as for a tenant without entries.

        """
        cleaned = [clean(question).text for question in questions]
        found = features(cleaned, vectors, self._weights.centre)
        shares = softmax(self._weights.logits(found) / np.float32(self.manifest.temperature))
        near = nearness if nearness is not None else [None] * len(questions)
        return [
            self._classified(cleaned[at], self._beside(row, near[at]))
            for at, row in enumerate(shares.astype(float))
        ]

    def prove(self, encoder: Encoder) -> None:
        """
        Check the known questions on this machine.

        Raises:
            BundleError: one of them is classified otherwise, or its share is off.
            InferenceError: the encoder failed.
        """
        golden = self.manifest.golden
        vectors = encoder.encode([one.question for one in golden])
        said = self.classify(
            [one.question for one in golden], vectors, [one.nearness for one in golden]
        )
        for index, (one, found) in enumerate(zip(golden, said, strict=True)):
            if not abs(found.shares[REASONS.index(one.reason)] - one.share) <= (
                self.manifest.tolerance
            ):
                raise BundleError(f"manifest.json: golden[{index}]", "its share is another")

    def _beside(self, shares: Floats, nearness: float | None) -> Floats:
        """Let the tenant's entries speak: how near they are tells what is off topic."""
        if nearness is None:
            return shares
        topic = self.manifest.topic
        off, on = shares[_OFF], shares[_ON].sum()
        evidence = np.log(max(off, _LEAST)) - np.log(max(on, _LEAST))
        chance = 1 / (
            1 + np.exp(-(topic.shares * evidence + topic.nearness * nearness + topic.bias))
        )
        moved = shares.copy()
        moved[_OFF] = chance * (off + on)
        moved[_ON] = (1 - chance) * (off + on) * shares[_ON] / max(on, _LEAST)
        moved /= moved.sum()
        return moved

    def _classified(self, question: str, shares: Floats) -> Classified:
        best = int(shares.argmax())
        said = tuple(float(share) for share in shares)
        if not any(letter.isalnum() for letter in question):
            return Classified(Reason.UNCLEAR, 1.0, said, unsure=False)
        unsure = best != _UNCLEAR and shares[best] < self.manifest.threshold
        reason = Reason.UNCLEAR if unsure else REASONS[best]
        return Classified(reason, float(shares[best]), said, unsure=bool(unsure))


def weights_of(content: Weights) -> bytes:
    """Write weights down: numpy's `npz` without pickles."""
    target = io.BytesIO()
    np.savez(
        target,
        allow_pickle=False,
        centre=content.centre,
        dense=content.dense,
        hashed=content.hashed,
        bias=content.bias,
    )
    return target.getvalue()


def _weights(content: bytes, dimension: int) -> Weights:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as entries:
            found = Weights(**{name: entries[name] for name in Weights.__slots__})
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise BundleError(WEIGHTS, "is no archive of its arrays") from error
    count = len(REASONS)
    shapes = {
        "centre": (dimension,),
        "dense": (dimension + LENGTHS, count),
        "hashed": (COLUMNS, count),
        "bias": (count,),
    }
    for name, shape in shapes.items():
        array = getattr(found, name)
        if array.shape != shape or array.dtype != np.float32 or not np.isfinite(array).all():
            raise BundleError(WEIGHTS, f"{name} is not {shape} finite float32")
    return found
