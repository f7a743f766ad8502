"""
All metrics, base units, fixed label values: never a tenant, an id or a text.

Buckets follow our budgets: a decision has 80 ms, a cache round trip 15 ms, a guard microseconds.
"""

from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from typing import NamedTuple

from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

#: Stage latencies, seconds: fine below the 80 ms budget, coarse above it.
_STAGE_BUCKETS = (
    0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008, 0.015,
    0.025, 0.04, 0.06, 0.08, 0.12, 0.25, 0.5, 1.0, 2.5,
)  # fmt: skip
#: Age of events at receipt, seconds.
_AGE_BUCKETS = (0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.4, 1.0, 5.0, 30.0, 300.0, 3600.0)
#: Calls of the remote judge, seconds: fine below the 400 ms budget of a question.
_REMOTE_BUCKETS = (0.02, 0.04, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 1.0, 2.5, 10.0)

BUILD_INFO = Gauge("turngate_build_info", "1, by the version that runs.", ["version"])
BUILD_INFO.labels(metadata.version("turngate")).set(1)
DECISIONS = Counter(
    "turngate_decisions_total",
    "Decisions by what to do, how it came about, mode and first reason.",
    ["kind", "status", "mode", "reason"],
)
STAGE_SECONDS = Histogram(
    "turngate_stage_seconds",
    "Time of one stage of a decision.",
    ["stage"],
    buckets=_STAGE_BUCKETS,
)
DECISION_SECONDS = Histogram(
    "turngate_decision_seconds",
    "Time from receipt of an utterance to its stored decision.",
    buckets=_STAGE_BUCKETS,
)
OVERHEAD_SECONDS = Histogram(
    "turngate_overhead_seconds",
    "Time from receipt of an utterance to its stored decision, less the models' own time.",
    buckets=_STAGE_BUCKETS,
)
EVENT_AGE_SECONDS = Histogram(
    "turngate_event_age_seconds",
    "Age of an utterance when it was received, by its own clock.",
    buckets=_AGE_BUCKETS,
)
CLOCK_SKEW = Counter(
    "turngate_clock_skew_total",
    "Utterances and questions whose own time lay in the future or implausibly far back.",
)
OVERRUNS = Counter(
    "turngate_deadline_overruns_total",
    "Turns that missed their budget: older than it on arrival, not decided within it, or decided "
    "in time and stored after it.",
    ["where"],
)
GUARDED = Counter(
    "turngate_guarded_predictions_total",
    "Predictions that a guard took out of a turn.",
    ["guard"],
)
REPLAYED = Counter(
    "turngate_decisions_replayed_total",
    "Turns that were delivered again and got their stored decision.",
)
CONFLICTS = Counter(
    "turngate_turn_conflicts_total",
    "Turns that came again with another text; the first decision stands.",
)
DEAD_LETTERS = Counter(
    "turngate_dead_letters_total",
    "Records that could not be used, by topic and kind of fault.",
    ["topic", "fault"],
)
DEAD_LETTERS_DROPPED = Counter(
    "turngate_dead_letters_dropped_total",
    "Refused records of compacted topics that got no dead letter: too many waited already.",
)
PREDICTIONS = Counter(
    "turngate_predictions_total",
    "Predictions received, by what became of them.",
    ["outcome"],
)
CACHE_SECONDS = Histogram(
    "turngate_cache_seconds",
    "Time of one round trip to Redis, failures too.",
    ["operation"],
    buckets=_STAGE_BUCKETS,
)
CACHE_ERRORS = Counter(
    "turngate_cache_errors_total",
    "Failed round trips to Redis by kind.",
    ["operation", "fault"],
)
BREAKER_OPEN = Gauge("turngate_breaker_open", "1 while Redis is not asked.")
CACHE_SECRET_MISSING = Gauge(
    "turngate_cache_secret_missing",
    "1 if no secret is set for keys and values in Redis, so that anybody could make them.",
)
SYSTEM_ONE_SECONDS = Histogram(
    "turngate_system_one_seconds",
    "Time of one call to the remote judge, by outcome: answered, late, cancelled or its failure.",
    ["outcome"],
    buckets=_REMOTE_BUCKETS,
)
VERDICTS = Counter(
    "turngate_verdicts_total",
    "Verdicts on questions to the knowledge base by how they came about, mode, and whether the "
    "question is answered: true, false or null.",
    ["status", "mode", "answerable"],
)
VERDICT_SECONDS = Histogram(
    "turngate_verdict_seconds",
    "Time from receipt of a question to its stored verdict.",
    buckets=_REMOTE_BUCKETS,
)
REVIEW_ITEMS = Counter(
    "turngate_review_items_total", "Questions handed to the slow path, by cause.", ["cause"]
)
VERDICTS_REPLAYED = Counter(
    "turngate_verdicts_replayed_total",
    "Questions that were delivered again and got their stored verdict.",
)
QUESTION_CONFLICTS = Counter(
    "turngate_question_conflicts_total",
    "Questions that came again with another text; the first verdict stands.",
)
KB_ENTRIES = Gauge("turngate_kb_entries", "Knowledge-base entries in memory.")
KB_WAITING = Gauge(
    "turngate_kb_waiting_entries", "Knowledge-base entries that are not searched yet."
)
DEGRADED = Gauge(
    "turngate_degraded", "1 while a component is replaced by its conservative tier.", ["component"]
)


def degraded() -> tuple[str, ...]:
    """Name the components that are replaced by their conservative tier now."""
    return tuple(
        sample.labels["component"]
        for metric in DEGRADED.collect()
        for sample in metric.samples
        if sample.value
    )


READY = Gauge("turngate_ready", "1 while a part of the worker is ready, by part.", ["part"])
BUNDLE_INFO = Gauge(
    "turngate_bundle_info",
    "1 for each loaded bundle, by the fingerprint of its files and the seal of its manifest, which "
    "changes with its thresholds too.",
    ["kind", "fingerprint", "seal"],
)
GATE_TIMESTAMP = Gauge(
    "turngate_gate_timestamp_seconds",
    "When the adversarial gate last ran here on this bundle, Unix time; 0 for never.",
    ["kind"],
)
GATE_PASSED = Gauge(
    "turngate_gate_passed", "1 if the bundle passed that run of the adversarial gate.", ["kind"]
)
LOOP_LAG_SECONDS = Gauge("turngate_loop_lag_seconds", "How late the event loop is.")
UNHANDLED_SECONDS = Gauge(
    "turngate_oldest_unhandled_seconds", "Age of the oldest record that is fetched and not handled."
)
UNCOMMITTED_SECONDS = Gauge(
    "turngate_oldest_uncommitted_seconds", "Age of the oldest record that waits for a commit."
)
FETCH_AGE_SECONDS = Gauge(
    "turngate_fetch_age_seconds", "Time since the broker last answered a fetch of this worker."
)
ASSIGNED = Gauge("turngate_assigned_partitions", "Partitions that this worker reads.")
QUEUE = Gauge("turngate_queue_jobs", "Jobs that wait in a bounded queue.", ["queue"])
QUEUE_CAPACITY = Gauge(
    "turngate_queue_capacity_jobs", "Jobs that may wait in a bounded queue.", ["queue"]
)
INFERENCE_SKIPPED = Counter(
    "turngate_inference_skipped_total",
    "Inferences that were late before they ran, or refused.",
    ["why"],
)
INFERENCE_GAVE_WAY = Counter(
    "turngate_inference_gave_way_total",
    "Inferences of the knowledge base that were stopped for a turn and began anew.",
)
INFERENCE_STUCK = Counter(
    "turngate_inference_stuck_total",
    "Inferences that did not stop when told to; their thread was replaced.",
)
PROFILES = Gauge("turngate_profiles", "Agent profiles in memory.")
DENIALS = Gauge("turngate_denials", "Pairs in memory that people have banned from being served.")
ROUTES = Counter(
    "turngate_routes_total",
    "Turns that the intent router was asked about, by what it made of them and its mode.",
    ["outcome", "mode"],
)
ROUTERS = Gauge(
    "turngate_routers",
    "Agents whose router is not off, by its state: routed, why it abstains, waiting or failed.",
    ["state"],
)
ROUTERS_MADE = Counter(
    "turngate_routers_made_total",
    "Routers, by where they came from: loaded, compiled, or why not.",
    ["outcome"],
)
ROUTER_COMPILE_SECONDS = Histogram(
    "turngate_router_compile_seconds",
    "Time of one compilation of a router, in its own process.",
    buckets=(0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0),
)
REVIEWED = Counter(
    "turngate_reviewed_total", "Items that the slow path has reviewed, by result.", ["result"]
)
REVIEW_SECONDS = Histogram(
    "turngate_review_seconds",
    "Time of reviewing one item of the slow path, pauses for the judge included.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0),
)
REVIEW_REPEATED = Counter(
    "turngate_review_repeated_total",
    "Items of gaps that came again and were not counted again.",
)
REVIEW_OLDEST_SECONDS = Gauge(
    "turngate_review_oldest_seconds",
    "Age of the oldest item in the slow path's queue, since it was written; 0 if there is none.",
)
REVIEW_PAUSED = Gauge(
    "turngate_review_paused", "1 while the slow path's queue is full and takes nothing."
)
GAPS = Gauge("turngate_gaps", "Gaps in the backlog, by state and reason.", ["state", "reason"])
GAP_EVENTS = Counter(
    "turngate_gap_events_total",
    "What happened to gaps: found, covered, reopened, restored over another worker's record, "
    "contested by one that goes on storing them, and actions by what became of them.",
    ["event"],
)
FOLLOW_INTERRUPTED = Counter(
    "turngate_follow_interrupted_total",
    "Times that a compacted topic could not be followed; what was known stays in force.",
)


class Behind(NamedTuple):
    """How far this worker is behind on one partition."""

    topic: str
    partition: str
    #: Records that are not handled yet.
    records: int
    #: Age of the oldest of them that was fetched, by its own time, seconds; 0 if there is none.
    oldest_s: float


class _ConsumerLag(Collector):
    """Asks for the lag at each scrape, so that partitions which moved away leave no series."""

    def __init__(self) -> None:
        self._source: Callable[[], Iterable[Behind]] = tuple

    def set_source(self, source: Callable[[], Iterable[Behind]]) -> None:
        """Name who knows the lag."""
        self._source = source

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Give one sample a partition."""
        records = GaugeMetricFamily(
            "turngate_consumer_lag_records",
            "Records of an assigned partition that are not handled yet.",
            labels=["topic", "partition"],
        )
        oldest = GaugeMetricFamily(
            "turngate_consumer_lag_seconds",
            "Age of an assigned partition's oldest record that is fetched and not handled.",
            labels=["topic", "partition"],
        )
        for each in self._source():
            records.add_metric([each.topic, each.partition], each.records)
            oldest.add_metric([each.topic, each.partition], each.oldest_s)
        yield records
        yield oldest


CONSUMER_LAG = _ConsumerLag()
REGISTRY.register(CONSUMER_LAG)


class Audited(NamedTuple):
    """What people said of served replies in one language."""

    #: From a fixed set; see `workers.audit_record`.
    language: str
    right: int
    wrong: int
    #: Lower end of the interval of the share that was right; None where nobody looked.
    low95: float | None
    #: When that report was made, Unix time.
    made_at_s: float


class _Audit(Collector):
    """Asks for the last audit at each scrape, so that there is no series where there is none."""

    def __init__(self) -> None:
        self._source: Callable[[], Iterable[Audited]] = tuple

    def set_source(self, source: Callable[[], Iterable[Audited]]) -> None:
        """Name who knows it."""
        self._source = source

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Give the samples of each language that was audited."""
        served = GaugeMetricFamily(
            "turngate_audit_served",
            "Served replies of the last audit's sample that people called right and wrong.",
            labels=["language", "verdict"],
        )
        lower = GaugeMetricFamily(
            "turngate_audit_precision_lower95",
            "Lower end of the 95 % interval of the share that was right in the last audit.",
            labels=["language"],
        )
        made = GaugeMetricFamily(
            "turngate_audit_timestamp_seconds",
            "When the last audit's report was made, Unix time.",
            labels=["language"],
        )
        for each in self._source():
            served.add_metric([each.language, "right"], each.right)
            served.add_metric([each.language, "wrong"], each.wrong)
            made.add_metric([each.language], each.made_at_s)
            if each.low95 is not None:
                lower.add_metric([each.language], each.low95)
        yield served
        yield lower
        yield made


AUDIT = _Audit()
REGISTRY.register(AUDIT)

#: The fixed label values of each metric that has few, so that each series is there from the start:
#: a rate needs a zero to rise from.
LABELS = (
    (OVERRUNS, ("arrival", "decision", "publish")),
    (GUARDED, ("script", "value", "contrast", "denied")),
    (DEGRADED, ("judge", "redis")),
    (INFERENCE_SKIPPED, ("full", "late")),
    (QUEUE, ("inference",)),
)
for _metric, _values in LABELS:
    for _value in _values:
        _metric.labels(_value)
