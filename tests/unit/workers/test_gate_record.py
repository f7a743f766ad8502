"""The last run of the gate, as metrics show it."""

import time
from pathlib import Path

import msgspec
import pytest
from prometheus_client import REGISTRY

from models.manifest import MANIFEST, read_manifest
from workers.gate_record import read_record, show, write_record

_FOLDER = Path(__file__).parents[1] / "models" / "fixtures" / "judge"
JUDGE = read_manifest((_FOLDER / MANIFEST).read_bytes())


def shown() -> tuple[float | None, float | None]:
    labels = {"kind": "judge"}
    return (
        REGISTRY.get_sample_value("turngate_gate_timestamp_seconds", labels),
        REGISTRY.get_sample_value("turngate_gate_passed", labels),
    )


def test_a_run_is_shown_as_soon_as_it_is_recorded(tmp_path) -> None:
    """A worker that was started before the gate ran shows its result too."""
    path = tmp_path / "gate.json"
    show(path, JUDGE.seal)
    assert shown() == (0.0, 0.0)

    write_record(path, JUDGE, passed=True, wrong_hits=0)
    ran_at_s, passed = shown()

    assert passed == 1.0
    assert ran_at_s is not None
    assert ran_at_s == pytest.approx(time.time(), abs=60)


def test_a_failed_run_is_no_missing_one(tmp_path) -> None:
    """The age and the result are told apart."""
    path = tmp_path / "gate.json"
    show(path, JUDGE.seal)

    write_record(path, JUDGE, passed=False, wrong_hits=3)

    assert (shown()[0] or 0) > 0
    assert shown()[1] == 0.0


@pytest.mark.parametrize("field", ["fingerprint", "thresholds"])
def test_another_bundle_s_run_does_not_count(tmp_path, field) -> None:
    """A result holds for the weights and the thresholds that it was made with."""
    path = tmp_path / "gate.json"
    show(path, JUDGE.seal)
    other = msgspec.structs.replace(JUDGE, seal="0" * 64)
    if field == "fingerprint":
        other = msgspec.structs.replace(other, fingerprint="0" * 64)

    write_record(path, other, passed=True, wrong_hits=0)

    assert shown() == (0.0, 0.0)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"fingerprint":1}'], ids=repr)
def test_garbage_is_no_record(tmp_path, content) -> None:
    """A file that is something else reads as none."""
    path = tmp_path / "gate.json"
    path.write_bytes(content)

    assert read_record(path) is None
