"""The share of served replies that people call right, with exact intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.pipeline.bounds import upper_bound
from workers.audit.case import BANDS, Case

#: Confidence of the interval, both sides together.
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How many of some served replies were right."""

    right: int
    labelled: int
    #: Served decisions that these stand for; 0 where it is not known.
    population: int = 0

    @property
    def share(self) -> float | None:
        """The share that was right; None where nobody has looked."""
        return self.right / self.labelled if self.labelled else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Clopper-Pearson interval of the share; None where nobody has looked."""
        if not self.labelled:
            return None
        side = 1 - (1 - CONFIDENCE) / 2
        wrong = self.labelled - self.right
        low = 1 - upper_bound(wrong, self.labelled, side)
        return low, upper_bound(self.right, self.labelled, side)

    @property
    def document(self) -> dict[str, Any]:
        """As JSON shows it."""
        interval = self.interval
        return {
            "labelled": self.labelled,
            "right": self.right,
            "wrong": self.labelled - self.right,
            "precision": self.share,
            "low95": None if interval is None else interval[0],
            "high95": None if interval is None else interval[1],
            "population": self.population,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Precision by language, by band and by both."""

    by_language: dict[str, Precision]
    by_band: dict[str, Precision]
    by_stratum: dict[tuple[str, str], Precision]
    #: Share that was right of all served replies, each stratum counted by its size in the log; None
    #: where a stratum that is not empty has no label.
    weighted: float | None


def report(cases: Sequence[Case], labels: Mapping[tuple[str, str], int]) -> Report:
    """
    Bring cases and labels together.

    Args:
        cases: a sample.
        labels: 1 or 0 by decision and prediction; cases without one are not counted.

    """
    strata: dict[tuple[str, str], list[Case]] = {}
    for one in cases:
        strata.setdefault((one.language, one.band), []).append(one)
    by_stratum = {
        name: _precision(group, labels, population=group[0].population)
        for name, group in strata.items()
    }
    languages = sorted({language for language, _ in strata})
    bands = [band for band in BANDS if any(name[1] == band for name in strata)]
    return Report(
        by_language={name: _sum(by_stratum, 0, name) for name in languages},
        by_band={name: _sum(by_stratum, 1, name) for name in bands},
        by_stratum={
            (language, band): by_stratum[language, band]
            for language in languages
            for band in bands
            if (language, band) in by_stratum
        },
        weighted=_weighted(list(by_stratum.values())),
    )


def _precision(
    group: Sequence[Case], labels: Mapping[tuple[str, str], int], *, population: int
) -> Precision:
    given = [
        labels[one.decision_id, one.prediction_id]
        for one in group
        if (one.decision_id, one.prediction_id) in labels
    ]
    return Precision(right=sum(given), labelled=len(given), population=population)


def _sum(strata: Mapping[tuple[str, str], Precision], side: int, name: str) -> Precision:
    parts = [part for key, part in strata.items() if key[side] == name]
    return Precision(
        right=sum(part.right for part in parts),
        labelled=sum(part.labelled for part in parts),
        population=sum(part.population for part in parts),
    )


def _weighted(strata: Sequence[Precision]) -> float | None:
    whole = sum(part.population for part in strata)
    shares = [(part.share, part.population) for part in strata]
    if not whole or any(share is None and population for share, population in shares):
        return None
    return sum((share or 0.0) * population for share, population in shares) / whole
