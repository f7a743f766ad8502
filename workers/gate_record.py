"""
The last run of the adversarial gate on this machine: written by `turngate gate`, read by a worker.

The weights are int8, and CPUs differ in how they multiply them, so a result holds for the kind of
machine that it was made on and for the bytes that it names.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from models.manifest import Manifest
from workers import metrics
from workers.record_file import read_record_file, replace_record


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRecord:
    """What one run said."""

    #: Names the judge's weights, for people.
    fingerprint: str
    #: Seal of its manifest: names weights, thresholds and all else that the gate hangs on.
    seal: str
    passed: bool
    #: Pairs that must not be served and were.
    wrong_hits: int
    #: When it ended, Unix epoch, seconds.
    ran_at_s: float


def write_record(path: Path, manifest: Manifest, *, passed: bool, wrong_hits: int) -> None:
    """
    Put a run's result where a worker's TURNGATE_GATE_RECORD finds it.

    Raises:
        OSError: it cannot be written.

    """
    record = GateRecord(
        fingerprint=manifest.fingerprint,
        seal=manifest.seal,
        passed=passed,
        wrong_hits=wrong_hits,
        ran_at_s=time.time(),
    )
    replace_record(path, record)


def read_record(path: Path) -> GateRecord | None:
    """Read a record; None where there is none, or nothing that one could use."""
    return read_record_file(path, GateRecord)


def show(path: Path, seal: str) -> None:
    """
    Let the metrics tell of the record, read anew at each scrape.

    Args:
        path: where `turngate gate --record` writes.
        seal: of the manifest of the judge in use; a record of another one counts as none.

    """

    def current() -> GateRecord | None:
        record = read_record(path)
        return record if record is not None and record.seal == seal else None

    def ran_at_s() -> float:
        record = current()
        return 0.0 if record is None else record.ran_at_s

    def passed() -> float:
        record = current()
        return float(record is not None and record.passed)

    metrics.GATE_TIMESTAMP.labels("judge").set_function(ran_at_s)
    metrics.GATE_PASSED.labels("judge").set_function(passed)
