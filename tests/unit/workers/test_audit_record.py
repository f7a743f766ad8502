"""The last audit of what was served, as metrics show it."""

import time
from typing import Any

import orjson
import pytest
from prometheus_client import REGISTRY

from workers import metrics
from workers.audit.report import Precision
from workers.audit_record import LANGUAGES, read_record, show, write_record


@pytest.fixture(autouse=True)
def _no_audit():
    yield
    metrics.AUDIT.set_source(tuple)


def shown() -> dict[tuple[str, ...], float]:
    return {
        (sample.name.removeprefix("turngate_audit_"), *sample.labels.values()): sample.value
        for family in REGISTRY.collect()
        if family.name.startswith("turngate_audit_")
        for sample in family.samples
    }


def test_there_is_no_series_without_a_record(tmp_path) -> None:
    """Nobody audited is not nothing wrong."""
    show(tmp_path / "audit.json")

    assert shown() == {}


def test_a_report_is_shown_as_soon_as_it_is_recorded(tmp_path) -> None:
    """A worker that was started before shows it too, and each later one."""
    path = tmp_path / "audit.json"
    show(path)

    write_record(path, {"en": Precision(right=19, labelled=20)})
    first = shown()
    write_record(path, {"en": Precision(right=40, labelled=40)})
    second = shown()

    assert first["served", "en", "right"] == 19
    assert first["served", "en", "wrong"] == 1
    assert first["precision_lower95", "en"] == pytest.approx(0.7513, abs=1e-4)
    assert first["timestamp_seconds", "en"] == pytest.approx(time.time(), abs=60)
    assert second["served", "en", "wrong"] == 0
    path.unlink()
    assert shown() == {}


def test_labels_are_from_a_fixed_set(tmp_path) -> None:
    """A language that is none of ours falls together with others like it."""
    path = tmp_path / "audit.json"
    show(path)

    write_record(
        path,
        {
            "ar": Precision(right=1, labelled=1),
            "unknown": Precision(right=1, labelled=3),
            "zanzibar": Precision(right=4, labelled=4),
        },
    )

    assert {labels[1] for labels in shown()} == {"ar", "other"}
    assert shown()["served", "other", "right"] == 5
    assert shown()["served", "other", "wrong"] == 2
    assert b"zanzibar" not in path.read_bytes()
    assert set(LANGUAGES) >= {"ar", "other"}


def test_a_language_at_which_nobody_looked_has_no_precision(tmp_path) -> None:
    """No label is no share, and not a share of zero."""
    path = tmp_path / "audit.json"
    show(path)

    write_record(path, {"hi": Precision(right=0, labelled=0)})

    assert ("precision_lower95", "hi") not in shown()
    assert shown()["served", "hi", "wrong"] == 0


def record(**overrides: Any) -> bytes:
    figures = {"right": 1, "wrong": 0, "low95": 0.5} | overrides
    return orjson.dumps({"by_language": {"en": figures}, "made_at_s": 1.0})


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"{", id="cut off"),
        pytest.param(b"[]", id="no object"),
        pytest.param(b"\x00\xff", id="binary"),
        pytest.param(record(wrong=-1), id="negative"),
        pytest.param(record(low95=7), id="no share"),
        pytest.param(record(right="many"), id="no number"),
    ],
)
def test_garbage_is_no_record(tmp_path, content) -> None:
    """A file that is something else shows nothing and breaks no scrape."""
    path = tmp_path / "audit.json"
    path.write_bytes(content)
    show(path)

    assert read_record(path) is None
    assert shown() == {}


def test_a_name_of_a_record_that_is_no_language_is_not_shown(tmp_path) -> None:
    """What stands in the file cannot make a label."""
    path = tmp_path / "audit.json"
    path.write_bytes(record().replace(b'"en"', b'"zanzibar"'))
    show(path)

    assert shown() == {}
