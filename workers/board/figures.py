"""The operations page's figures, out of the workers' samples; the same shares as the alerts'."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from topics.decision import Kind
from workers.board.scrape import Samples, Series, Watched

#: Histograms that are shown: name, what it is, and the budget, seconds.
_TIMES = (
    ("turngate_decision_seconds", "Decision of a turn, stored", 0.08),
    ("turngate_overhead_seconds", "of that, without the models", None),
    ("turngate_cache_seconds", "Round trip to Redis", 0.015),
    ("turngate_verdict_seconds", "Verdict on a question, stored", 0.4),
    ("turngate_review_seconds", "Review of a question", None),
)
_QUANTILES = (0.5, 0.95, 0.99)
#: Turns that no share of ours could help.
_NOT_OURS = frozenset({"off", "unknown_agent"})
_SERVED = frozenset({Kind.SERVE.value, Kind.ROUTE.value})
#: Most reasons that are listed.
_REASONS = 12


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a whole."""

    name: str
    count: float
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How turns and questions ended."""

    turns: float
    #: Of live turns that were eligible, those for which a reply was played; None without any.
    hit_rate: float | None
    #: Of turns of agents that are on, those that were not eligible.
    bypass: float | None
    kinds: Sequence[Part]
    statuses: Sequence[Part]
    reasons: Sequence[Part]
    questions: float
    verdicts: Sequence[Part]
    answerable: Sequence[Part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """How long something took."""

    name: str
    budget_s: float | None
    count: float
    #: At 50, 95 and 99 %; infinite where it is beyond the last bucket.
    quantiles: Sequence[float]
    #: The last bucket's bound, seconds.
    longest_s: float


@dataclass(frozen=True, slots=True)
class Lag:
    """How far the workers are behind on one topic, by what they say themselves."""

    topic: str
    records: float
    oldest_s: float


@dataclass(frozen=True, slots=True)
class Queue:
    """A bounded queue of a worker."""

    name: str
    jobs: float
    #: None where it is not known.
    capacity: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """How one worker stands."""

    address: str
    silent: str | None
    version: str
    not_ready: Sequence[str]
    degraded: Sequence[str]
    queues: Sequence[Queue]
    lag_records: float
    breaker_open: bool
    review_paused: bool


def added(samples: Iterable[Samples]) -> Samples:
    """Add up what several workers say."""
    whole: defaultdict[Series, float] = defaultdict(float)
    for one in samples:
        for series, value in one.items():
            whole[series] += value
    return whole


def shares(samples: Samples) -> Shares:
    """Say how turns and questions ended."""
    turns = list(_labelled(samples, "turngate_decisions_total"))
    verdicts = list(_labelled(samples, "turngate_verdicts_total"))
    live = [
        (labels["kind"], count)
        for labels, count in turns
        if labels["mode"] == "live" and labels["kind"] != Kind.BYPASS.value
    ]
    ours = [(labels["kind"], count) for labels, count in turns if labels["reason"] not in _NOT_OURS]
    return Shares(
        turns=sum(count for _, count in turns),
        hit_rate=_share(live, _SERVED),
        bypass=_share(ours, {Kind.BYPASS.value}),
        kinds=_parts(turns, "kind"),
        statuses=_parts(turns, "status"),
        reasons=_parts(turns, "reason")[:_REASONS],
        questions=sum(count for _, count in verdicts),
        verdicts=_parts(verdicts, "status"),
        answerable=_parts(verdicts, "answerable"),
    )


def times(samples: Samples) -> list[Times]:
    """Say how long things took; what did not happen is left out."""
    found = []
    for name, words, budget_s in _TIMES:
        buckets: defaultdict[float, float] = defaultdict(float)
        for labels, value in _labelled(samples, f"{name}_bucket"):
            buckets[float(labels["le"])] += value
        count = buckets.get(math.inf, 0.0)
        if not count:
            continue
        finite = [bound for bound in buckets if bound != math.inf]
        found.append(
            Times(
                name=words,
                budget_s=budget_s,
                count=count,
                quantiles=[quantile(buckets, share) for share in _QUANTILES],
                longest_s=max(finite, default=math.inf),
            )
        )
    return found


def quantile(buckets: Mapping[float, float], share: float) -> float:
    """
    Estimate a quantile as Prometheus does: even within a bucket.

    Args:
        buckets: counts up to each bound, infinity's among them.
        share: 0.5 for the median.

    Returns:
        The estimate; infinite where it lies beyond the last bound.

    """
    bounds = sorted(buckets)
    wanted = share * buckets[math.inf]
    low, below = 0.0, 0.0
    for bound in bounds:
        if buckets[bound] >= wanted:
            if bound == math.inf:
                return math.inf
            inside = buckets[bound] - below
            return low + (bound - low) * ((wanted - below) / inside if inside else 0.0)
        low, below = bound, buckets[bound]
    return math.inf


def lags(workers: Iterable[Watched]) -> list[Lag]:
    """Say how far behind the workers are, topic by topic."""
    records: defaultdict[str, float] = defaultdict(float)
    oldest: dict[str, float] = {}
    for worker in workers:
        for labels, value in _labelled(worker.latest, "turngate_consumer_lag_records"):
            records[labels["topic"]] += value
        for labels, value in _labelled(worker.latest, "turngate_consumer_lag_seconds"):
            oldest[labels["topic"]] = max(value, oldest.get(labels["topic"], 0.0))
    return [Lag(topic, records[topic], oldest.get(topic, 0.0)) for topic in sorted(records)]


def worker(watched: Watched) -> Worker:
    """Say how one worker stands."""
    latest = watched.latest
    capacities = {
        labels["queue"]: value
        for labels, value in _labelled(latest, "turngate_queue_capacity_jobs")
    }
    return Worker(
        address=watched.address,
        silent=watched.silent,
        version=next(
            (labels["version"] for labels, _ in _labelled(latest, "turngate_build_info")), ""
        ),
        not_ready=[
            labels["part"] for labels, value in _labelled(latest, "turngate_ready") if not value
        ],
        degraded=[
            labels["component"] for labels, value in _labelled(latest, "turngate_degraded") if value
        ],
        queues=[
            Queue(labels["queue"], value, capacities.get(labels["queue"]))
            for labels, value in _labelled(latest, "turngate_queue_jobs")
        ],
        lag_records=sum(value for _, value in _labelled(latest, "turngate_consumer_lag_records")),
        breaker_open=_gauge(latest, "turngate_breaker_open") > 0,
        review_paused=_gauge(latest, "turngate_review_paused") > 0,
    )


def _labelled(samples: Samples, name: str) -> Iterable[tuple[dict[str, str], float]]:
    for (sample, labels), value in samples.items():
        if sample == name:
            yield dict(labels), value


def _gauge(samples: Samples, name: str) -> float:
    return samples.get((name, ()), 0.0)


def _share(counted: Sequence[tuple[str, float]], wanted: Iterable[str]) -> float | None:
    whole = sum(count for _, count in counted)
    part = sum(count for name, count in counted if name in wanted)
    return part / whole if whole else None


def _parts(counted: Iterable[tuple[dict[str, str], float]], label: str) -> list[Part]:
    sums: defaultdict[str, float] = defaultdict(float)
    for labels, count in counted:
        sums[labels[label]] += count
    whole = sum(sums.values())
    ranked = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    return [Part(name, count, count / whole) for name, count in ranked if count]
