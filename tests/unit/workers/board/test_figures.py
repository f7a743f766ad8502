"""The operations page's figures."""

import math

import pytest
from prometheus_client import CollectorRegistry, Histogram, generate_latest

from workers.board import figures
from workers.board.scrape import Reading, Watched, parse

PAGE = """
# TYPE turngate_decisions_total counter
turngate_decisions_total{kind="serve",status="ok",mode="live",reason="exact"} 6
turngate_decisions_total{kind="route",status="ok",mode="live",reason="intent"} 2
turngate_decisions_total{kind="miss",status="timeout",mode="live",reason="deadline"} 2
turngate_decisions_total{kind="bypass",status="ok",mode="live",reason="language"} 2
turngate_decisions_total{kind="bypass",status="disabled",mode="off",reason="off"} 8
turngate_decisions_total{kind="miss",status="shadow",mode="shadow",reason="shadow"} 0
# TYPE turngate_verdicts_total counter
turngate_verdicts_total{status="applied",mode="live",answerable="true"} 3
turngate_verdicts_total{status="timeout",mode="live",answerable="null"} 1
# TYPE turngate_consumer_lag_records gauge
turngate_consumer_lag_records{topic="turn.utterances",partition="0"} 5
turngate_consumer_lag_records{topic="turn.utterances",partition="1"} 2
turngate_consumer_lag_records{topic="kb.questions",partition="0"} 0
# TYPE turngate_consumer_lag_seconds gauge
turngate_consumer_lag_seconds{topic="turn.utterances",partition="0"} 1.5
turngate_consumer_lag_seconds{topic="turn.utterances",partition="1"} 4.5
# TYPE turngate_degraded gauge
turngate_degraded{component="judge"} 1
turngate_degraded{component="redis"} 0
# TYPE turngate_ready gauge
turngate_ready{part="models"} 1
turngate_ready{part="records_flow"} 0
# TYPE turngate_queue_jobs gauge
turngate_queue_jobs{queue="inference"} 3
# TYPE turngate_queue_capacity_jobs gauge
turngate_queue_capacity_jobs{queue="inference"} 64
# TYPE turngate_breaker_open gauge
turngate_breaker_open 1
# TYPE turngate_build_info gauge
turngate_build_info{version="0.1.0"} 1
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total 5
"""


def watched(*pages: str) -> Watched:
    """Make a worker that answered these."""
    worker = Watched("w:1")
    for number, page in enumerate(pages):
        worker.take(Reading(15.0 * number, parse(page)))
    return worker


def test_shares():
    """The hit rate is of live, eligible turns; agents that are off count in no share."""
    found = figures.shares(parse(PAGE))

    assert found.turns == 20
    assert found.hit_rate == 0.8
    assert found.bypass == pytest.approx(2 / 12)
    assert [(one.name, one.count) for one in found.kinds] == [
        *(("bypass", 10), ("serve", 6), ("miss", 2), ("route", 2))
    ]
    assert found.statuses[0].share == 0.5
    assert [(one.name, one.share) for one in found.verdicts] == [
        ("applied", 0.75),
        ("timeout", 0.25),
    ]


def test_no_turns():
    """Where nothing happened, there is no rate."""
    found = figures.shares({})

    assert (found.hit_rate, found.bypass, found.kinds) == (None, None, [])


def test_worker():
    """A worker says what it lacks, what is degraded, and how full its queues are."""
    found = figures.worker(watched(PAGE))

    assert (found.version, found.not_ready, found.degraded) == (
        "0.1.0",
        ["records_flow"],
        ["judge"],
    )
    assert found.queues == [figures.Queue("inference", 3, 64)]
    assert (found.lag_records, found.breaker_open, found.silent) == (7, True, None)


def test_lag():
    """A topic's lag is the sum of its partitions, and the age of the oldest."""
    other = watched('turngate_consumer_lag_records{topic="turn.utterances",partition="2"} 1\n')

    assert figures.lags([watched(PAGE), other]) == [
        figures.Lag("kb.questions", 0, 0.0),
        figures.Lag("turn.utterances", 8, 4.5),
    ]


def test_a_silent_worker_has_no_figures_now():
    """What a worker said before it fell silent is not how it stands."""
    worker = watched(PAGE)
    worker.silent = "no answer in time"

    assert figures.worker(worker).degraded == []
    assert figures.lags([worker]) == []


@pytest.mark.parametrize("share", [0.5, 0.95, 0.99])
def test_quantiles(share):
    """A quantile lies in the bucket of the value that it estimates."""
    registry = CollectorRegistry()
    bounds = (0.01, 0.02, 0.04, 0.08, 0.16)
    histogram = Histogram("turngate_decision_seconds", "x", buckets=bounds, registry=registry)
    values = [0.001 * number for number in range(1, 101)]
    for value in values:
        histogram.observe(value)
    (found,) = figures.times(parse(generate_latest(registry).decode()))
    real = values[math.ceil(share * 100) - 1]
    bucket = next(bound for bound in bounds if bound >= real)
    estimate = found.quantiles[(0.5, 0.95, 0.99).index(share)]

    assert bucket / 2 <= estimate <= bucket
    assert found.count == 100


def test_beyond_the_last_bucket():
    """What the buckets cannot tell is infinite, not the last bound."""
    assert figures.quantile({1.0: 1, math.inf: 4}, 0.5) == math.inf
    assert figures.quantile({1.0: 4, math.inf: 4}, 0.5) == 0.5


def counter(value: float, name: str = "serve") -> str:
    """Make a page of one counter."""
    labels = f'kind="{name}",status="ok",mode="live",reason="exact"'
    return f"turngate_decisions_total{{{labels}}} {value}\n"


@pytest.mark.parametrize(
    ("pages", "grown"),
    [
        pytest.param([10, 15, 30], 20, id="growth"),
        pytest.param([10], 0, id="one look"),
        pytest.param([10, 15, 3, 4], 9, id="a worker that began anew"),
        pytest.param([10, 10], 0, id="nothing"),
    ],
)
def test_lately(pages, grown):
    """What lately happened is the growth within the window, a restart included."""
    found = watched(*map(counter, pages)).lately()

    assert sum(found.values()) == grown


def test_a_series_that_appears_grew_from_nothing():
    """The first event of a kind is not lost."""
    found = watched(counter(5), counter(5) + counter(2, "route")).lately()

    assert figures.shares(found).turns == 2


def test_the_window_is_bounded():
    """Old readings go."""
    worker = watched(*[counter(number) for number in range(200)])

    assert len(worker.readings) == 61
    assert worker.span_s() == 900


def test_added():
    """Several workers' counters add up."""
    both = figures.added([parse(counter(5)), parse(counter(2) + counter(1, "route"))])

    assert figures.shares(both).turns == 8
