"""What every metric of ours keeps to."""

from prometheus_client import REGISTRY, Metric

from workers import metrics
from workers.inference import Inference

#: Endings that are no base unit.
OTHER_UNITS = ("_ms", "_milliseconds", "_minutes", "_hours", "_kb", "_mb", "_percent", "_count")
#: Labels that any metric may have: each has few values, known beforehand.
LABELS = {
    *("kind", "status", "mode", "reason", "stage", "where", "guard", "topic", "partition"),
    *("fault", "outcome", "operation", "component", "part", "fingerprint", "why", "queue"),
    *("version", "state", "answerable", "cause", "result", "event", "seal"),
}


def ours() -> list[Metric]:
    return [metric for metric in REGISTRY.collect() if metric.name.startswith("turngate_")]


def test_names_carry_their_base_unit() -> None:
    """Seconds and not milliseconds, a share and not a per cent; what is timed says so."""
    for metric in ours():
        assert not metric.name.endswith(OTHER_UNITS), metric.name
        if metric.type == "histogram":
            assert metric.name.endswith(("_seconds", "_bytes")), metric.name


def test_every_metric_explains_itself() -> None:
    """A person who has only the page knows what a number means."""
    assert [metric.name for metric in ours() if len(metric.documentation) < 15] == []


def test_labels_are_from_a_fixed_set() -> None:
    """No tenant, call, agent or text can become a label."""
    found = {
        label
        for collector in vars(metrics).values()
        for label in getattr(collector, "_labelnames", ())
    }

    assert found
    assert found <= LABELS


def test_small_label_sets_are_there_from_the_start() -> None:
    """A rate rises from a zero that was seen, so an alert misses no first failure."""
    for metric, values in metrics.LABELS:
        shown = {
            value
            for family in metric.collect()
            for sample in family.samples
            for value in sample.labels.values()
        }
        assert set(values) <= shown


async def test_a_queue_shows_its_bound() -> None:
    """Depth and bound stand side by side, so that a full queue can be told from a long one."""
    async with Inference(capacity=5):
        bound = REGISTRY.get_sample_value("turngate_queue_capacity_jobs", {"queue": "inference"})

    assert bound == 5


def test_degraded_components_are_named() -> None:
    """Those whose gauge is up, and no others."""
    metrics.DEGRADED.labels("judge").set(1)
    try:
        during = metrics.degraded()
    finally:
        metrics.DEGRADED.labels("judge").set(0)

    assert "judge" in during
    assert "judge" not in metrics.degraded()
