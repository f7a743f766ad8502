"""
Turns a second of one hot worker and of two in one group, and what a call costs in Redis.

    make bench BENCH=tests/benchmarks/test_scale.py
    .venv/bin/python -m tests.benchmarks.sizing build/bench.jsonl    # the table of deploy/README.md

Each turn reaches the judge, and so many are under way that no worker waits for work; so this is
what workers can take, not what they take in time. Broker, cache, workers and this process share the
machine: two workers are twice as fast as one only where there are cores for all of them.
SCALE_CALLS=40 tries it on a small scale.
"""

import itertools
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from tests.acceptance.hot import environment, predict, put_profiles, ready_to_serve
from tests.acceptance.hot import predictions as predicted
from tests.acceptance.hot import utterance as said
from tests.benchmarks.machine import percentiles, report
from topics.names import CALL_PARTITIONS
from workers.embedded import running_cache
from workers.up import Stack, running_stack

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]

#: Calls whose predictions are stored; each has one turn.
CALLS = int(os.environ.get("SCALE_CALLS", "1000"))
#: Of those, how many are decided before the measurement.
WARM = CALLS // 10
#: Turns that are under way at once: a worker decides one after the other, so this keeps two busy.
TOGETHER = CALL_PARTITIONS
#: A turn may wait for those before it, on a slow machine too; what is late is not judged.
_BUDGET_MS = "10000"
#: Calls whose predictions are written at once.
_CHUNK = 20
_EXPECTED = (
    "yes please go ahead",
    "no thank you not today",
    "can you call me back tomorrow",
    "how much does it cost",
    "I have already paid that",
    "please send me the details",
)
#: Characters of a prepared reply: two sentences.
REPLY = 160


@dataclass(slots=True)
class Run:
    """What one number of workers did."""

    seconds: float
    #: From the sending of each turn to the sight of its decision, milliseconds.
    took_ms: list[float]
    statuses: Counter[str] = field(default_factory=Counter)
    #: Bytes in Redis: of the predictions of all calls, and of what their decisions left there.
    predictions_bytes: int = 0
    decisions_bytes: int = 0

    @property
    def a_second(self) -> float:
        """Turns a second."""
        return len(self.took_ms) / self.seconds


async def test_turns_a_second(own_broker, tmp_path):
    """
    Times are those of one worker; `turns_a_second` is by the number of workers.
    """
    runs = {
        workers: await measured(own_broker, f"scale{workers}.", workers, tmp_path)
        for workers in (1, 2)
    }

    for run in runs.values():
        assert len(run.took_ms) == CALLS - WARM
        assert set(run.statuses) == {"ok"}
    report(
        "scale",
        "ms",
        times=runs[1].took_ms,
        turns_a_second={str(count): round(run.a_second, 1) for count, run in runs.items()},
        two_workers=percentiles(runs[2].took_ms),
        together=TOGETHER,
        partitions=CALL_PARTITIONS,
        calls=CALLS,
        predictions_a_turn=len(_EXPECTED),
        reply_characters=REPLY,
        prediction_bytes_a_turn=round(runs[1].predictions_bytes / CALLS),
        decision_bytes_a_turn=round(runs[1].decisions_bytes / CALLS),
    )


async def measured(broker, prefix: str, workers: int, folder: Path) -> Run:
    """Store the predictions of all calls and decide a turn of each."""
    logs = folder / str(workers)
    logs.mkdir()
    with running_cache() as cache:
        given = environment(broker, cache, prefix, budget_ms=_BUDGET_MS)
        async with running_stack(given, workers=workers, logs=logs) as stack:
            await put_profiles(broker.address, prefix)
            await ready_to_serve(stack, broker.address, prefix)
            calls = [f"call {number}" for number in range(CALLS)]
            at_first = used_bytes(cache)
            await store_predictions(stack, prefix, calls)
            predicted_bytes = used_bytes(cache) - at_first
            await decide_all(broker.address, prefix, calls[:WARM])
            run = await decide_all(broker.address, prefix, calls[WARM:])
            run.predictions_bytes = predicted_bytes
            run.decisions_bytes = used_bytes(cache) - at_first - predicted_bytes
    return run


async def store_predictions(stack: Stack, prefix: str, calls: Sequence[str]) -> None:
    """Give each call one turn's predictions, with replies as long as people write them."""
    reply = "x" * REPLY
    offered = [{"prediction_id": one, "text": one, "response": reply} for one in _EXPECTED]
    for start in range(0, len(calls), _CHUNK):
        chunk = calls[start : start + _CHUNK]
        events = [predicted(call, predictions=offered, ttl_ms=7_200_000) for call in chunk]
        await predict(stack, prefix, *events)


async def decide_all(address: str, prefix: str, calls: Sequence[str]) -> Run:
    """Send a turn of each call, so many at once, the next one for each decision."""
    producer = AIOKafkaProducer(bootstrap_servers=address, acks="all")
    consumer = AIOKafkaConsumer(
        f"{prefix}turn.decisions",
        bootstrap_servers=address,
        group_id=None,
        auto_offset_reset="earliest",
        fetch_max_wait_ms=5,
    )
    waiting = iter(calls)
    sent_s: dict[str, float] = {}
    run = Run(seconds=0.0, took_ms=[])

    async def send_next() -> None:
        for call in itertools.islice(waiting, 1):
            sent_s[call] = time.monotonic()
            raw = said(call, "sure that would be fine")
            await producer.send(f"{prefix}turn.utterances", raw.value, key=raw.key)

    await producer.start()
    await consumer.start()
    try:
        began_s = time.monotonic()
        for _ in range(TOGETHER):
            await send_next()
        while sent_s:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                for record in records:
                    decision = json.loads(record.value)
                    since_s = sent_s.pop(decision["call_id"], None)
                    if since_s is None:
                        continue  # of the warm-up, or delivered again
                    run.took_ms.append((time.monotonic() - since_s) * 1e3)
                    run.statuses[decision["status"]] += 1
                    await send_next()
        run.seconds = time.monotonic() - began_s
    finally:
        await consumer.stop()
        await producer.stop()
    return run


def used_bytes(cache) -> int:
    """Ask Redis how much memory its data take."""
    with redis.Redis.from_url(cache.url) as client:
        return client.info("memory")["used_memory_dataset"]
