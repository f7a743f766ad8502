"""The report of an evaluation as one HTML page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from models.evaluation.measure import Scored
    from models.evaluation.pairs import Decided
    from models.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the page shows."""

    decided: Decided
    cosine: Scored
    #: As `turngate eval match` prints them.
    measures: dict[str, Any]
    manifest: Manifest


def render(report: Report) -> str:
    """Write the page."""
    return f"<!doctype html><title>{report.manifest.name}</title>"
