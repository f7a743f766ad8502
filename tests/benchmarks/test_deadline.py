"""
Is a question ever answered late? Two thousand of them, asked faster than a worker can judge.

    make bench BENCH=tests/benchmarks/test_deadline.py

A real hot worker with the bundles that ship searches the knowledge bases of the suite and judges
eight entries a question, with the budget of 400 ms that a worker has where nobody sets another. The
first part of the questions comes at a pace that a core can take, the next at twice and the last at
eight times that. What cannot be judged in time has to say so in time. `late` counts the verdicts
that came more than `LATE_MS` after their question's receipt. DEADLINE_QUESTIONS=100 tries it on a
small scale.
"""

import asyncio
import itertools
import json
import os
import time
from collections import Counter
from dataclasses import dataclass, field

import pytest

from models.suites_kb import load
from tests.acceptance.hot import hot_worker
from tests.acceptance.knowledge import put_profiles, question, until_indexed
from tests.benchmarks.flow import arrived, flowing
from tests.benchmarks.machine import percentile, percentiles, report
from tests.records import Raw, produce
from topics.codec import encode
from topics.entry import KbEntry
from topics.names import pair_key
from workers.settings import load as load_settings

pytestmark = [pytest.mark.benchmark, pytest.mark.timeout(3_600)]

QUESTIONS = int(os.environ.get("DEADLINE_QUESTIONS", "2000"))
#: Questions a second, and the share of all that is asked so.
PACES = ((5.0, 0.25), (10.0, 0.25), (40.0, 0.5))
#: From receipt; the budget and what a busy event loop may take to notice that it is over.
LATE_MS = 420
#: Questions before the first that counts.
WARM = 10
_PATIENCE_S = 60


@dataclass(slots=True)
class Asked:
    """What became of the questions of one pace."""

    took_ms: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)


async def test_no_question_is_answered_late(own_broker, cache, tmp_path):
    """
    Times are from a question's receipt to its verdict, of all paces together.
    """
    suite, prefix = load(), "deadline."
    defaults = load_settings({"KAFKA": own_broker.address, "REDIS": cache.url})
    settings = {"answer": str(defaults.answer), "kb_budget_ms": str(defaults.kb_budget_ms)}
    async with hot_worker(own_broker, cache, prefix, tmp_path, **settings) as (stack, _):
        await put_profiles(own_broker.address, prefix, {one.tenant for one in suite.entries})
        entries = [
            Raw(
                key=pair_key(one.tenant, one.id),
                value=encode(
                    KbEntry(
                        entry_id=one.id,
                        tenant_id=one.tenant,
                        title=one.title,
                        content=one.content,
                        lang=one.lang,
                    )
                ),
            )
            for one in suite.entries
        ]
        await produce(own_broker.address, f"{prefix}kb.entries", entries)
        await until_indexed(stack, len(entries))
        numbers = itertools.count()
        texts = itertools.cycle([(one.tenant, one.question) for one in suite.questions])

        def next_question() -> Raw:
            tenant, text = next(texts)
            return question(f"call {next(numbers)}", tenant_id=tenant, question=text, candidates=[])

        paces = [(5.0, WARM), *((pace, int(share * QUESTIONS)) for pace, share in PACES)]
        _, *found = [
            await ask_all(own_broker.address, prefix, [next_question() for _ in range(count)], pace)
            for pace, count in paces
        ]

    took = [ms for asked in found for ms in asked.took_ms]
    assert len(took) == sum(int(share * QUESTIONS) for _, share in PACES)
    report(
        "question deadline",
        "ms",
        times=took,
        budget_ms=defaults.kb_budget_ms,
        slowest=round(max(took), 1),
        late=sum(ms > LATE_MS for ms in took),
        by_pace={
            f"{pace:g} a second": {
                **percentiles(asked.took_ms, 1),
                "slowest": round(percentile(asked.took_ms, 1.0), 1),
                "statuses": dict(asked.statuses),
            }
            for (pace, _), asked in zip(PACES, found, strict=True)
        },
    )


async def ask_all(address: str, prefix: str, questions: list[Raw], pace: float) -> Asked:
    """Ask so many a second, whatever is still unanswered, and wait for every verdict."""
    asked, open_calls = Asked(), {json.loads(one.value or b"")["call_id"] for one in questions}
    async with flowing(address, f"{prefix}kb.verdicts") as (producer, consumer):

        async def send() -> None:
            began_s = time.monotonic()
            for place, one in enumerate(questions):
                await asyncio.sleep(max(0.0, began_s + place / pace - time.monotonic()))
                fresh = json.loads(one.value or b"") | {"asked_at_ms": int(time.time() * 1e3)}
                await producer.send(
                    f"{prefix}kb.questions", json.dumps(fresh).encode(), key=one.key
                )

        sending = asyncio.create_task(send(), name="questions")
        try:
            async with asyncio.timeout(len(questions) / pace + _PATIENCE_S):
                while open_calls:
                    for verdict in await arrived(consumer):
                        if verdict["call_id"] in open_calls:
                            open_calls.remove(verdict["call_id"])
                            asked.took_ms.append(verdict["timings_ms"]["total"])
                            asked.statuses[verdict["status"]] += 1
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
    return asked
