"""What the worker adds to its models, on the embedded broker: from receipt to stored decision."""

import json
import time

import pytest

from tests.acceptance.hot import ask, decisions, hot_worker, predict, ready_to_serve
from tests.acceptance.hot import predictions as predicted
from tests.acceptance.hot import utterance as said
from tests.benchmarks.machine import percentile, report
from tests.faults.process import resident_mib

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(600)]

#: Turns that are measured, and turns before them that are not.
TURNS, WARM = 400, 40
#: Pace of the measured turns, a second: below what one worker can take on one core.
PACE = 12
_EXPECTED = (
    "yes please go ahead",
    "no thank you not today",
    "can you call me back tomorrow",
    "how much does it cost",
    "I have already paid that",
    "please send me the details",
)


async def test_overhead(broker, cache, topic_prefix, tmp_path):
    """
    Time from receipt to stored decision, less the models' time, for turns that reach the judge.

    On a busy machine some do not, within their budget: `n` of `asked` were measured.
    """
    async with hot_worker(broker, cache, topic_prefix, tmp_path, log_level="DEBUG") as (
        stack,
        worker,
    ):
        await ready_to_serve(stack, broker.address, topic_prefix)
        for start in range(0, TURNS + WARM, 40):
            calls = [f"call {number}" for number in range(start, start + 40)]
            await predict(stack, topic_prefix, *(predicted(call, *_EXPECTED) for call in calls))
            for call in calls:
                began = time.monotonic()
                await ask(broker.address, topic_prefix, said(call, "sure that would be fine"))
                time.sleep(max(0.0, 1 / PACE - (time.monotonic() - began)))  # noqa: ASYNC251
        await decisions(broker.address, topic_prefix, TURNS + WARM, timeout_s=240)
        memory_mib = resident_mib(worker.pid)
    lines = [
        json.loads(line) for line in (tmp_path / "worker-1.log").read_text("utf-8").splitlines()
    ]
    turns = [line for line in lines if line["event"] == "decided" and line["model_ms"]][WARM:]
    overhead = [line["total_ms"] - line["model_ms"] for line in turns]

    assert overhead, "no turn reached the judge"
    report(
        benchmark="worker overhead",
        unit="ms",
        times=overhead,
        asked=TURNS,
        model_p50=round(percentile([line["model_ms"] for line in turns], 0.5), 2),
        model_p95=round(percentile([line["model_ms"] for line in turns], 0.95), 2),
        stages_p50={
            stage: round(percentile([line["stages_ms"][stage] for line in turns], 0.5), 2)
            for stage in turns[0]["stages_ms"]
        },
        resident_mib=round(memory_mib),
    )
