"""
The slow worker as a whole: forty questions in three languages, written twice now and then, while
the worker is stopped, started and killed.

    pytest -m benchmark -s tests/benchmarks/test_slow.py

5,000 items; `SLOW_ITEMS=500` before it makes it smaller where there is little of a CPU, and
`SLOW_BUNDLES=FOLDER` measures other bundles than those that ship. Everything
counts as unanswered (no entries, no classifier), so that grouping and counting are all of it.
"""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.acceptance.slow import SlowWorker, gaps, item, make_topics, slow_worker
from tests.benchmarks.machine import report
from tests.benchmarks.slow_questions import groups
from tests.records import Raw, produce, read_json

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(7_200)]

_ITEMS = int(os.environ.get("SLOW_ITEMS", "5000"))
#: Share of items that are written twice, as after a crash of a hot worker.
_TWICE = 0.05
_QUEUE = 64
_BUNDLES = Path(
    os.environ.get("SLOW_BUNDLES", str(Path(__file__).parents[2] / "models" / "bundles"))
)
#: The real models; the acceptance tests do with tiny ones.
_REAL = {
    **{name: str(_BUNDLES / name) for name in ("encoder", "judge", "same")},
    "answer": "/nowhere",
    "slow_queue": str(_QUEUE),
    "kafka_commit_s": "1",
}
#: Shares of the items after which the worker is stopped, and once killed.
_STOPS = ((0.2, "stop"), (0.4, "kill"), (0.7, "stop"))


async def test_groups_and_counts(own_broker, tmp_path):
    """
    Pairwise precision, recall and F1 of the groups; every item counted once; the queue in bounds.
    """
    address, prefix = own_broker.address, "b."
    await make_topics(address, prefix)
    fate = random.Random(7)  # noqa: S311 - a seed, no secret
    wordings = groups()
    truth, items = _items(wordings, fate)
    began_s = time.monotonic()
    await produce(address, f"{prefix}kb.review", items)
    depths: list[float] = []
    for share, how in (*_STOPS, (1.0, "stop")):
        async with slow_worker(address, prefix, tmp_path, **_REAL) as worker:
            await _until(address, prefix, round(share * len(truth)), worker, depths)
            # A measurement without the decider would carry its name.
            assert await worker.metric('turngate_degraded{component="same_question"}') == 0
            if how == "kill":
                worker.kill()
            else:
                assert await worker.stop() == 0
    took_s = time.monotonic() - began_s

    results = await read_json(address, f"{prefix}kb.reviewed")
    found = await gaps(address, prefix)
    assigned = {one["call_id"]: _final(found, one["gap_id"]) for one in results}
    live = {name: gap for name, gap in found.items() if "merged_into" not in gap}
    counted = sum(gap["count"] for gap in live.values())
    scores = _pairwise(truth, assigned)
    report(
        benchmark="slow path",
        unit="s",
        items=len(truth),
        records=len(items),
        results=len(results),
        true_groups=len(wordings),
        wordings=sum(map(len, wordings)),
        gaps=len(live),
        merged=len(found) - len(live),
        counted=counted,
        deepest_queue=max(depths),
        queue_bound=_QUEUE,
        seconds=round(took_s),
        largest_record_bytes=max(map(len, map(str, found.values()))),
        **scores,
        by_wording=_pairwise(*_each_wording_once(items, truth, assigned)),
    )
    assert assigned.keys() == truth.keys()
    assert counted == len(truth)
    assert max(depths) <= _QUEUE


def _items(
    wordings: Sequence[Sequence[str]], fate: random.Random
) -> tuple[dict[str, int], list[Raw]]:
    """The group of each item, and the records, some of them twice."""
    truth: dict[str, int] = {}
    records: list[Raw] = []
    for number in range(_ITEMS):
        # Some questions are asked far more often than others.
        group = min(fate.randrange(len(wordings)), fate.randrange(len(wordings)))
        question = fate.choice(wordings[group])
        call_id = f"call {number}"
        truth[call_id] = group
        record = item(call_id, question)
        records.append(record)
        if fate.random() < _TWICE:
            records.append(record)
    fate.shuffle(records)
    return truth, records


async def _until(
    address: str, prefix: str, count: int, worker: SlowWorker, depths: list[float]
) -> None:
    """Wait until so many items are done, and look at the queue all the while."""
    await worker.until_ready()
    done = 0
    while done < count:
        assert worker.process.returncode is None
        for _ in range(10):
            depths.append(await worker.metric('turngate_queue_jobs{queue="review"}'))
            await asyncio.sleep(0.2)
        results = await read_json(address, f"{prefix}kb.reviewed")
        done = len({one["call_id"] for one in results})


def _final(found: Mapping[str, dict[str, Any]], gap_id: str) -> str:
    while "merged_into" in found[gap_id]:
        gap_id = found[gap_id]["merged_into"]
    return gap_id


def _pairwise(truth: Mapping[str, int], assigned: Mapping[str, str]) -> dict[str, float]:
    """Of pairs of items in one gap how many belong there, and of those that belong how many are."""
    together = _pairs(Counter(assigned[name] for name in truth))
    belong = _pairs(Counter(truth.values()))
    both = _pairs(Counter((truth[name], assigned[name]) for name in truth))
    precision, recall = both / max(1, together), both / max(1, belong)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
    }


def _pairs(sizes: Counter[Any]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes.values())


def _each_wording_once(
    items: Sequence[Raw], truth: Mapping[str, int], assigned: Mapping[str, str]
) -> tuple[dict[str, int], dict[str, str]]:
    """One item of each wording: identical ones fall together anyway, and flatter the rest."""
    first: dict[str, str] = {}
    for one in items:
        fields = orjson.loads(one.value or b"")
        first.setdefault(fields["question"], fields["call_id"])
    return (
        {name: truth[name] for name in first.values()},
        {name: assigned[name] for name in first.values()},
    )
