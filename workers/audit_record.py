"""
The last audit of what was served: written by `turngate audit report`, shown by a worker.

Counts alone are kept, by the languages that the guard tells apart: no tenant, no text, and nothing
of a sample's file but what is one of these names.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from workers import metrics
from workers.audit.report import Precision
from workers.record_file import read_record_file, replace_record

#: Languages of `models.language`, and what is none of them.
LANGUAGES = ("en", "hi", "hinglish", "ar", "mixed", "other")
_OTHER = "other"

_Count = Annotated[int, Meta(ge=0)]
_Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What people said of the served replies of one language."""

    right: _Count
    #: Those on which labels do not agree are among them.
    wrong: _Count
    #: Lower end of the 95 % interval of the share that was right; None where nobody looked.
    low95: _Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """What one report said."""

    #: By members of `LANGUAGES`.
    by_language: dict[str, Figures]
    #: When it was made, Unix epoch, seconds.
    made_at_s: Annotated[float, Meta(ge=0)]


def write_record(path: Path, by_language: Mapping[str, Precision]) -> None:
    """
    Put a report where a worker's TURNGATE_AUDIT_RECORD finds it.

    Raises:
        OSError: it cannot be written.

    """
    merged: dict[str, Precision] = {}
    for language, part in by_language.items():
        name = language if language in LANGUAGES else _OTHER
        so_far = merged.get(name, Precision(right=0, labelled=0))
        merged[name] = Precision(
            right=so_far.right + part.right, labelled=so_far.labelled + part.labelled
        )
    figures = {name: _figures(merged[name]) for name in LANGUAGES if name in merged}
    replace_record(path, AuditRecord(by_language=figures, made_at_s=time.time()))


def read_record(path: Path) -> AuditRecord | None:
    """Read a record; None where there is none, or nothing that one could use."""
    return read_record_file(path, AuditRecord)


def show(path: Path) -> None:
    """Let the metrics tell of the record, read anew at each scrape; absent where there is none."""

    def current() -> Iterable[metrics.Audited]:
        record = read_record(path)
        if record is None:
            return
        for name in LANGUAGES:
            found = record.by_language.get(name)
            if found is not None:
                yield metrics.Audited(name, found.right, found.wrong, found.low95, record.made_at_s)

    metrics.AUDIT.set_source(current)


def _figures(part: Precision) -> Figures:
    interval = part.interval
    return Figures(
        right=part.right,
        wrong=part.labelled - part.right,
        low95=None if interval is None else interval[0],
    )
