"""
The decider: the match judge, the value reader, an entity check and the encoder, weighed together.

Rules come first: what is spelled alike is the same, and another value or another entity makes
another question whatever the models say. The rest is one logistic regression whose threshold was
chosen on training pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from models.errors import BundleError
from models.gaps.same.bundle import Manifest, read_bundle
from models.gaps.same.features import NAMES, Read, columns, other_entity, read_question
from models.values import conflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from models.encoder import Encoder, Vectors
    from models.judge import Judge


class Why(StrEnum):
    """What decided."""

    #: Spelled alike.
    EXACT = "exact"
    #: They state different values.
    VALUE = "value"
    #: They name different things.
    ENTITY = "entity"
    #: The weighing of all that is known.
    JUDGED = "judged"


@dataclass(frozen=True, slots=True)
class Asked:
    """A masked question with its vector."""

    #: Raw or cleaned. User text: never logged.
    text: str
    #: (D,) float32, of length 1.
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Sameness:
    """Whether two questions are one."""

    same: bool
    #: How likely, 0 to 1; by a rule, 0 or 1.
    chance: float
    why: Why


class SameQuestion(Protocol):
    """Says of pairs of questions whether they are one."""

    def decide(self, pairs: Sequence[tuple[Asked, Asked]]) -> list[Sameness]:
        """
        Decide N pairs; the order within a pair does not matter.

        Raises:
            InferenceError: a model failed.
        """


class JudgedSame:
    """The default decider, loaded from its bundle."""

    def __init__(self, manifest: Manifest, centres: Mapping[str, Vectors], judge: Judge) -> None:
        #: What the bundle says of itself.
        self.manifest = manifest
        self._centres = centres
        self._judge = judge
        self._weights = np.array([manifest.weights[name] for name in NAMES])

    @classmethod
    def load(cls, folder: Path, encoder: Encoder, judge: Judge) -> Self:
        """
        Load a verified bundle.

        Args:
            folder: the bundle's folder.
            encoder: whose vectors it will see.
            judge: the match judge that it asks.

        Raises:
            BundleError: the bundle does not verify, or is of another encoder or judge.
        """
        manifest, centres = read_bundle(folder)
        if manifest.encoder_fingerprint != encoder.fingerprint:
            raise BundleError("manifest.json: encoder_fingerprint", "is of another encoder")
        if manifest.judge_fingerprint != judge.fingerprint:
            raise BundleError("manifest.json: judge_fingerprint", "is of another judge")
        if any(centre.shape != (encoder.dimension,) for centre in centres.values()):
            raise BundleError("centres.npz", "has another width than the encoder")
        return cls(manifest, centres, judge)

    def decide(self, pairs: Sequence[tuple[Asked, Asked]]) -> list[Sameness]:
        """Decide N pairs, those that no rule decides in one batch of the judge."""
        read = [
            (
                read_question(one.text, one.vector, self._centres),
                read_question(other.text, other.vector, self._centres),
            )
            for one, other in pairs
        ]
        ruled = [rule(one, other) for one, other in read]
        open_pairs = [pair for pair, found in zip(read, ruled, strict=True) if found is None]
        chances = iter(self._chances(open_pairs))
        return [found or self._judged(next(chances)) for found in ruled]

    def _chances(self, pairs: Sequence[tuple[Read, Read]]) -> list[float]:
        if not pairs:
            return []
        logits = both_orders(self._judge, pairs)
        rows = np.array(
            [columns(one, other, logit) for (one, other), logit in zip(pairs, logits, strict=True)]
        )
        odds = rows @ self._weights + self.manifest.bias
        return [float(chance) for chance in 1 / (1 + np.exp(-np.clip(odds, -35, 35)))]

    def _judged(self, chance: float) -> Sameness:
        return Sameness(chance >= self.manifest.threshold, chance, Why.JUDGED)


def rule(a: Read, b: Read) -> Sameness | None:
    """Decide what needs no model; None where nothing does."""
    if a.key and a.key == b.key:
        return Sameness(same=True, chance=1.0, why=Why.EXACT)
    if conflict(a.values, b.values) is not None:
        return Sameness(same=False, chance=0.0, why=Why.VALUE)
    if other_entity(a, b):
        return Sameness(same=False, chance=0.0, why=Why.ENTITY)
    return None


def both_orders(judge: Judge, pairs: Sequence[tuple[Read, Read]]) -> list[float]:
    """The lower logit of both orders of each pair."""
    texts = [(one.text, other.text) for one, other in pairs]
    forward = judge.logits(texts)
    backward = judge.logits([(other, one) for one, other in texts])
    return [float(low) for low in np.minimum(forward, backward)]
