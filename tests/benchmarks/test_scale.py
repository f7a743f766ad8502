"""
Turns a second of one hot worker and of two in one group, how many one decides within its budget,
and what a call costs in Redis.

    make bench BENCH=tests/benchmarks/test_scale.py
    .venv/bin/python -m tests.benchmarks.sizing build/bench.jsonl    # the table of deploy/README.md

Each turn reaches the judge. First so many are under way that no worker waits for work: that is what
workers can take, not what they take in time. Then one worker has the budget that it has where
nobody sets another, and turns come at random, so many a second and then more: `in_time` is the
share that was judged, and `turns_a_second_in_budget` the last pace at which nearly all were
(`IN_TIME` of sizing.py), as at all paces before it; 0 where there is none.

Broker, cache, workers and this process share the machine: two workers are twice as fast as one only
where there are cores for all of them.
SCALE_CALLS=100 tries it on a small scale.
"""

import asyncio
import itertools
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import redis

from tests.acceptance.hot import environment, predict, put_profiles, ready_to_serve
from tests.acceptance.hot import predictions as predicted
from tests.acceptance.hot import utterance as said
from tests.benchmarks.flow import arrived, flowing
from tests.benchmarks.machine import percentiles, report
from tests.benchmarks.sizing import pace_in_budget
from topics.names import CALL_PARTITIONS
from workers.embedded import running_cache
from workers.settings import Settings
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
#: Turns a second that one worker is asked for within its budget, and how many at each pace.
PACES = (5, 10, 15, 20, 25, 30, 40, 50)
PACED = CALLS // 5
#: Within it the last decision of a pace is there, seconds.
_PATIENCE_S = 120
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
    Times are those of one worker; `turns_a_second` and `statuses` are by the number of workers.
    """
    runs = {
        workers: await measured(own_broker, f"scale{workers}.", workers, tmp_path)
        for workers in (1, 2)
    }

    paced = await paced_runs(own_broker, "paced.", tmp_path)

    report(
        "scale",
        "ms",
        times=runs[1].took_ms,
        turns_a_second={str(count): round(run.a_second, 1) for count, run in runs.items()},
        statuses={str(count): dict(run.statuses) for count, run in runs.items()},
        two_workers=percentiles(runs[2].took_ms),
        budget_ms=Settings().budget_ms,
        turns_a_second_in_budget=pace_in_budget(
            {pace: run.statuses["ok"] / run.statuses.total() for pace, run in paced.items()}
        ),
        paces={
            str(pace): {
                "in_time": round(run.statuses["ok"] / run.statuses.total(), 3),
                **percentiles(run.took_ms, 1),
            }
            for pace, run in paced.items()
        },
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


async def paced_runs(broker, prefix: str, folder: Path) -> dict[int, Run]:
    """Ask one worker, with its own budget, for so many turns a second and then for more."""
    logs = folder / "paced"
    logs.mkdir()
    runs: dict[int, Run] = {}
    with running_cache() as cache:
        given = environment(broker, cache, prefix, budget_ms=str(Settings().budget_ms))
        async with running_stack(given, logs=logs) as stack:
            await put_profiles(broker.address, prefix)
            await ready_to_serve(stack, broker.address, prefix)
            for pace in (PACES[0], *PACES):  # the first one warms
                calls = [f"{len(runs)} {pace} {number}" for number in range(PACED)]
                await store_predictions(stack, prefix, calls)
                runs[pace] = await decide_paced(broker.address, prefix, calls, pace)
    return runs


async def decide_paced(address: str, prefix: str, calls: Sequence[str], pace: float) -> Run:
    """Send a turn of each call at random moments, so many a second, whatever is unanswered."""
    gaps = random.Random(pace)  # noqa: S311 - the same moments in each run, not a secret
    sent_s: dict[str, float] = {}
    waiting = set(calls)
    run = Run(seconds=0.0, took_ms=[])
    async with flowing(address, f"{prefix}turn.decisions") as (producer, consumer):

        async def send() -> None:
            due_s = time.monotonic()
            for call in calls:
                due_s += gaps.expovariate(pace)
                await asyncio.sleep(max(0.0, due_s - time.monotonic()))
                sent_s[call] = time.monotonic()
                raw = said(call, "sure that would be fine")
                await producer.send(f"{prefix}turn.utterances", raw.value, key=raw.key)

        began_s = time.monotonic()
        sending = asyncio.create_task(send(), name="turns")
        try:
            async with asyncio.timeout(len(calls) / pace + _PATIENCE_S):
                while waiting:
                    for decision in await arrived(consumer):
                        if decision["call_id"] in waiting:
                            waiting.remove(decision["call_id"])
                            since_s = sent_s[decision["call_id"]]
                            run.took_ms.append((time.monotonic() - since_s) * 1e3)
                            run.statuses[decision["status"]] += 1
            run.seconds = time.monotonic() - began_s
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
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
    waiting = iter(calls)
    sent_s: dict[str, float] = {}
    run = Run(seconds=0.0, took_ms=[])
    async with flowing(address, f"{prefix}turn.decisions") as (producer, consumer):

        async def send_next() -> None:
            for call in itertools.islice(waiting, 1):
                sent_s[call] = time.monotonic()
                raw = said(call, "sure that would be fine")
                await producer.send(f"{prefix}turn.utterances", raw.value, key=raw.key)

        began_s = time.monotonic()
        for _ in range(TOGETHER):
            await send_next()
        while sent_s:
            for decision in await arrived(consumer):
                since_s = sent_s.pop(decision["call_id"], None)
                if since_s is None:
                    continue  # of the warm-up, or delivered again
                run.took_ms.append((time.monotonic() - since_s) * 1e3)
                run.statuses[decision["status"]] += 1
                await send_next()
        run.seconds = time.monotonic() - began_s
    return run


def used_bytes(cache) -> int:
    """Ask Redis how much memory its data take."""
    with redis.Redis.from_url(cache.url) as client:
        return client.info("memory")["used_memory_dataset"]
