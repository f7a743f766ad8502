"""
The threshold of a judge, chosen on labelled pairs as the gate decides them.

The number held against the threshold is the lower logit of both orders, and what a guard takes out
is accepted at none; so each guard lets the threshold sit lower at the same false accept rate. How
the threshold follows from the numbers is the pipeline's rule.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from models.bundle import load_bundle
from models.errors import ModelError
from models.evaluation.pairs import NEVER
from models.judge import SERVE
from models.pipeline import calibrate
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.evaluate import Labelled
from models.pipeline.pack import amend
from models.screen import screen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from models.evaluation.pairs import Decided
    from models.evaluation.rows import Pair
    from models.manifest import Manifest


class CalibrationError(ModelError):
    """No threshold follows from the pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What a threshold must hold."""

    #: Largest false accept rate, 0 to 1.
    ceiling: float
    #: Hold the upper bound under it in every language too, not only over all.
    by_language_bound: bool = False

    @property
    def method(self) -> str:
        """The rule as a manifest tells it."""
        every = "and in every language"
        scope = every if self.by_language_bound else f"and is at most {self.ceiling:g} {every}"
        return (
            f"Lowest logit (the lower of both orders, guards counted as in the hot path) whose "
            f"false accept rate has an upper bound (95 %) of at most {self.ceiling:g} over all "
            f"pairs {scope}, on the exported graph with the serving session's options"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A threshold, and what it does on the pairs that it was chosen on."""

    #: In the form of a manifest: value, rates, rates by language.
    entry: dict[str, Any]
    #: By language: the threshold that its own pairs alone would give under the bound, and the
    #: recall there; None where there are too few negatives to prove the ceiling.
    own: dict[str, tuple[float, float] | None]

    @property
    def value(self) -> float:
        """The threshold, logit."""
        return float(self.entry["value"])


def choose(
    pairs: Sequence[Pair],
    scores: NDArray[np.float32],
    rule: Rule,
    *,
    parts: Sequence[int] = (),
) -> Choice:
    """
    Choose a threshold.

    Args:
        pairs: N labelled pairs; one without a language has that of its utterance.
        scores: (N,) what is held against the threshold; may be infinite.
        rule: what it must hold.
        parts: lengths, N in all, of parts that stand one after another; it must hold in each part
            by itself too, so that a hard set is not hidden behind an easy one.

    Raises:
        CalibrationError: a label is missing, or there are too few negatives to prove the ceiling,
            or no finite threshold holds it.
    """
    data = _labelled(pairs)
    if {0, 1} - set(data.labels):
        raise CalibrationError("the pairs have one label only")
    value = max([_value(data, scores, rule), *_part_values(data, scores, rule, parts)])
    groups = np.array([calibrate.language_of(language) for language in data.languages])
    labels = np.array(data.labels)
    own = {
        language: _own(scores[groups == language], labels[groups == language], rule.ceiling)
        for language in sorted(set(groups.tolist()))
    }
    return Choice(entry=calibrate.threshold_entry(data, scores, value), own=own)


def bare_scores(decided: Decided) -> NDArray[np.float32]:
    """(N,) the lower logit of both orders, whatever a guard or the exact tier says."""
    return np.minimum(decided.logits, decided.reversed_logits)


def write(folder: Path, choice: Choice, rule: Rule, data: dict[str, str]) -> Manifest:
    """
    Put the threshold into a bundle and seal it again.

    A gate result that another threshold had passed is taken out: the gate must be run again.

    Args:
        folder: the bundle.
        choice: the threshold.
        rule: how it was chosen.
        data: SHA-256 of each file of pairs.

    Raises:
        BundleError: the bundle does not verify, or does not prove itself with this threshold; it is
            then unchanged.
    """
    manifest = load_bundle(folder).manifest
    changes: dict[str, Any] = {
        "thresholds": msgspec.to_builtins(manifest.thresholds) | {SERVE: choice.entry},
        "calibration": {"method": rule.method, "data": data},
    }
    if manifest.thresholds[SERVE].value != choice.value:
        changes["gate"] = None
    return amend(folder, **changes)


def _labelled(pairs: Sequence[Pair]) -> Labelled:
    languages = [pair.language or screen(pair.utterance).language for pair in pairs]
    return Labelled(
        [(pair.utterance, pair.prediction) for pair in pairs],
        [pair.label for pair in pairs],
        [LANGUAGE_OF.get(language, language) for language in languages],
        [pair.kind or "" for pair in pairs],
    )


def _value(data: Labelled, scores: NDArray[np.float32], rule: Rule) -> float:
    try:
        value = calibrate.choose(
            data, scores, rule.ceiling, by_language_bound=rule.by_language_bound
        )
    except ValueError as error:
        raise CalibrationError(str(error)) from error
    if value == NEVER:
        raise CalibrationError("guards take out every pair of label 0, so none bounds a threshold")
    if not math.isfinite(value):
        raise CalibrationError("too many pairs of label 0 have twice the same text")
    return value


def _part_values(
    data: Labelled, scores: NDArray[np.float32], rule: Rule, parts: Sequence[int]
) -> list[float]:
    ends = np.cumsum([0, *parts]).tolist()
    return [
        _value(
            Labelled(
                data.pairs[start:end],
                data.labels[start:end],
                data.languages[start:end],
                data.classes[start:end],
            ),
            scores[start:end],
            rule,
        )
        for start, end in itertools.pairwise(ends)
    ]


def _own(
    scores: NDArray[np.float32], labels: NDArray[np.int64], ceiling: float
) -> tuple[float, float] | None:
    hits = calibrate.allowed_hits(int((labels == 0).sum()), ceiling, bound=True)
    if hits < 0 or not (labels == 1).any() or not (labels == 0).any():
        return None
    value = calibrate.lowest_threshold(scores, labels.tolist(), hits)
    return value, float((scores[labels == 1] >= value).mean())
