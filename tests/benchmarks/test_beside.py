"""
Turns of a hot worker, alone and beside a slow worker on the same machine that is never out of work.

    pytest -m benchmark -s tests/benchmarks/test_beside.py
"""

import json
import time
from pathlib import Path

import pytest

from tests.acceptance.hot import ask, decisions, hot_worker, predict, ready_to_serve
from tests.acceptance.hot import predictions as predicted
from tests.acceptance.hot import utterance as said
from tests.acceptance.slow import item, slow_worker
from tests.benchmarks.machine import percentiles, report
from tests.benchmarks.slow_questions import groups
from tests.records import produce
from tests.waiting import wait_until

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(900)]

#: Turns of each part, the first of them not measured, and their pace, a second.
TURNS, WARM, PACE = 240, 40, 8
#: More than a slow worker gets through meanwhile.
_ITEMS = 6_000
_BUNDLES = Path(__file__).parents[2] / "models" / "bundles"
_REAL = {name: str(_BUNDLES / name) for name in ("encoder", "judge", "same")}
_EXPECTED = (
    "yes please go ahead",
    "no thank you not today",
    "can you call me back tomorrow",
    "how much does it cost",
    "I have already paid that",
    "please send me the details",
)


async def test_turns_beside_the_slow_worker(broker, cache, topic_prefix, tmp_path):
    """Time from receipt to stored decision: alone, beside the slow worker, and alone again."""
    parts = {}
    async with hot_worker(broker, cache, topic_prefix, tmp_path, log_level="DEBUG") as (stack, _):
        await ready_to_serve(stack, broker.address, topic_prefix)

        async def turns(part: str) -> None:
            for start in range(0, TURNS, 40):
                calls = [f"{part} {number}" for number in range(start, start + 40)]
                await predict(stack, topic_prefix, *(predicted(call, *_EXPECTED) for call in calls))
                for call in calls:
                    began = time.monotonic()
                    await ask(broker.address, topic_prefix, said(call, "sure that would be fine"))
                    time.sleep(max(0.0, 1 / PACE - (time.monotonic() - began)))  # noqa: ASYNC251
            await decisions(broker.address, topic_prefix, TURNS * (len(parts) + 1), timeout_s=240)
            lines = (tmp_path / "worker-1.log").read_text("utf-8").splitlines()
            decided = [line for line in map(json.loads, lines) if line["event"] == "decided"]
            parts[part] = [line["total_ms"] for line in decided[-TURNS:]][WARM:]

        await turns("alone")
        wordings = [text for group in groups() for text in group]
        # Every question with a number of its own: none is known already, all are thought about.
        items = [
            item(f"call {number}", f"{wordings[number % len(wordings)]} {number}")
            for number in range(_ITEMS)
        ]
        await produce(broker.address, f"{topic_prefix}kb.review", items)
        async with slow_worker(
            broker.address, topic_prefix, tmp_path, answer="/nowhere", **_REAL
        ) as slow:
            await slow.until_ready()

            async def queued() -> bool:
                return await slow.metric('turngate_queue_jobs{queue="review"}') > 0

            await wait_until(queued, "the slow worker to have work", 60)
            await turns("beside")
            assert await queued(), "the slow worker ran out of work"
        await turns("alone again")
    report(
        benchmark="hot path beside slow path",
        unit="ms",
        times=parts["beside"],
        alone=percentiles(parts["alone"]),
        alone_again=percentiles(parts["alone again"]),
    )
