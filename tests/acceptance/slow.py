"""A real slow worker for acceptance tests: its process, its items, its gaps."""

import asyncio
import contextlib
import json
import os
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.acceptance.hot import ANSWER, metrics_of
from tests.acceptance.knowledge import TENANT, entry
from tests.records import Raw, produce, read_all, read_json
from tests.waiting import wait_until
from workers.admin import BrokerConnection, create_topics

#: A judge of a few words, loaded in no time. No decider fits it: only identical questions are one.
TINY_JUDGE = Path(__file__).parents[1] / "unit" / "models" / "fixtures" / "judge"
#: A worker may take this long to start, join and work, seconds: on a machine with twenty processes
#: for each core a start alone takes more than one minute.
PATIENT_S = 300.0


class SlowWorker:
    """A running `turngate slow`."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self.process = process
        self.log = log

    @property
    def pid(self) -> int:
        """The process."""
        return self.process.pid

    def lines(self) -> list[dict[str, Any]]:
        """Read its log."""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Read its log lines of one event."""
        return [line for line in self.lines() if line["event"] == event]

    async def until_ready(self) -> None:
        """Wait until it has its partitions and their gaps."""
        await wait_until(
            lambda: self.process.returncode is not None or self.logged("gaps_read"),
            "the slow worker to have its gaps",
            PATIENT_S,
            every_s=0.05,
        )
        assert self.process.returncode is None, self.log.read_text("utf-8", "replace")[-2_000:]

    async def page(self) -> str:
        """Read its metrics."""
        return await metrics_of(self.logged("monitor_listening")[0]["port"])

    async def metric(self, name: str) -> float:
        """Read one metric, its labels included in the name; summed over other labels."""
        line = re.compile(rf"^{re.escape(name)}(?:{{[^}}]*}})? (\S+)$", re.MULTILINE)
        found = line.findall(await self.page())
        return sum(map(float, found))

    def kill(self) -> None:
        """Kill it as the kernel does."""
        self.process.kill()

    async def stop(self) -> int:
        """Ask it to stop, once it can hear that; returns the exit code."""
        await wait_until(
            lambda: self.process.returncode is not None or self.logged("monitor_listening"),
            "the slow worker to run",
            PATIENT_S,
            every_s=0.05,
        )
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), PATIENT_S)


async def make_topics(address: str, prefix: str) -> None:
    """Create all topics."""
    await create_topics(BrokerConnection(address=address, limit_s=60), prefix=prefix)


def environment(address: str, prefix: str, **settings: str) -> dict[str, str]:
    """Make the environment of a slow worker."""
    return {
        "PATH": os.environ["PATH"],
        "KAFKA": address,
        "TURNGATE_PREFIX": prefix,
        "TURNGATE_KAFKA_SESSION_S": "6",
        "TURNGATE_KAFKA_FETCH_WAIT_MS": "5",
        "TURNGATE_KAFKA_COMMIT_S": "0.2",
        "TURNGATE_MONITOR_PORT": "0",
        "TURNGATE_ANSWER": str(ANSWER),
        "TURNGATE_JUDGE": str(TINY_JUDGE),
        # What stays unanswered counts as missing, whatever it is about.
        "TURNGATE_REASONS": "/nowhere",
        "TURNGATE_SLOW_REJUDGE_S": "0.3",
        "TURNGATE_INFERENCE_THREADS": "1",
    } | {f"TURNGATE_{name.upper()}": value for name, value in settings.items()}


@asynccontextmanager
async def slow_worker(
    address: str, prefix: str, logs: Path, **settings: str
) -> AsyncIterator[SlowWorker]:
    """Run a slow worker for the time of the block; it is killed at the end if it still runs."""
    log = logs / f"slow-{time.monotonic_ns()}.log"
    with log.open("wb") as stream:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "workers.cli",
            "slow",
            env=environment(address, prefix, **settings),
            stderr=stream,
            stdout=stream,
        )
    worker = SlowWorker(process, log)
    try:
        yield worker
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.kill()
            await process.wait()


def item(call_id: str, question: str, seq: int = 0, **overrides: Any) -> Raw:
    """Make an item that was not judged in time."""
    fields: dict[str, Any] = {
        "tenant_id": TENANT,
        "agent_id": "live",
        "call_id": call_id,
        "seq": seq,
        "question": question,
        "cause": "late",
        "asked_at_ms": int(time.time() * 1e3),
    } | overrides
    return Raw(key=fields["tenant_id"].encode(), value=json.dumps(fields).encode())


async def put_items(address: str, prefix: str, items: Iterable[Raw]) -> None:
    """Write items."""
    await produce(address, f"{prefix}kb.review", items)


async def put_entries(address: str, prefix: str, *contents: tuple[str, str | None]) -> None:
    """Write entries, or their deletion."""
    await produce(address, f"{prefix}kb.entries", [entry(*one) for one in contents])


async def reviewed(
    address: str, prefix: str, count: int, timeout_s: float = PATIENT_S
) -> list[dict[str, Any]]:
    """Wait until so many different items are reviewed, and return every result."""

    async def enough() -> list[dict[str, Any]] | None:
        found = await read_json(address, f"{prefix}kb.reviewed")
        names = {(one["tenant_id"], one["call_id"], one["seq"]) for one in found}
        return found if len(names) >= count else None

    return await wait_until(enough, f"{count} items to be reviewed", timeout_s, every_s=0.1)


async def gaps(address: str, prefix: str) -> dict[str, dict[str, Any]]:
    """Return the last record of each gap, by id."""
    last = {record.key: record for record in await read_all(address, f"{prefix}kb.gaps")}
    found = [record.json() for record in last.values() if record.value is not None]
    return {gap["gap_id"]: gap for gap in found}


def counts(found: dict[str, dict[str, Any]]) -> Counter[str]:
    """Count questions by the first example of their gap."""
    return Counter(
        {gap["examples"][0]: gap["count"] for gap in found.values() if "merged_into" not in gap}
    )
