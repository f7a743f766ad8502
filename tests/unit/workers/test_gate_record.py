"""The last run of the gate, as metrics show it."""

import time

import pytest
from prometheus_client import REGISTRY

from workers.gate_record import read_record, show, write_record


def shown() -> tuple[float | None, float | None]:
    labels = {"kind": "judge"}
    return (
        REGISTRY.get_sample_value("turngate_gate_timestamp_seconds", labels),
        REGISTRY.get_sample_value("turngate_gate_passed", labels),
    )


def test_a_run_is_shown_as_soon_as_it_is_recorded(tmp_path) -> None:
    """A worker that was started before the gate ran shows its result too."""
    path = tmp_path / "gate.json"
    show(path, "f1")
    assert shown() == (0.0, 0.0)

    write_record(path, fingerprint="f1", passed=True, wrong_hits=0)
    ran_at_s, passed = shown()

    assert passed == 1.0
    assert ran_at_s is not None
    assert ran_at_s == pytest.approx(time.time(), abs=60)


def test_a_failed_run_is_no_missing_one(tmp_path) -> None:
    """The age and the result are told apart."""
    path = tmp_path / "gate.json"
    show(path, "f1")

    write_record(path, fingerprint="f1", passed=False, wrong_hits=3)

    assert (shown()[0] or 0) > 0
    assert shown()[1] == 0.0


def test_another_bundle_s_run_does_not_count(tmp_path) -> None:
    """A result holds for the bytes that it names."""
    path = tmp_path / "gate.json"
    show(path, "f2")

    write_record(path, fingerprint="f1", passed=True, wrong_hits=0)

    assert shown() == (0.0, 0.0)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"fingerprint":1}'], ids=repr)
def test_garbage_is_no_record(tmp_path, content) -> None:
    """A file that is something else reads as none."""
    path = tmp_path / "gate.json"
    path.write_bytes(content)

    assert read_record(path) is None
