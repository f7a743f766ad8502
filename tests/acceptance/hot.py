"""A real hot worker for acceptance tests: its environment, its profiles, its records."""

import asyncio
import json
import os
import time
import urllib.request
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.faults.schedule import AGENT, TENANTS
from tests.records import Raw, produce, read_json
from tests.unit.workers.test_monitor import get
from tests.waiting import wait_until
from workers.child import Child
from workers.up import Stack, running_stack

#: An answer judge of a few words: a level is the word "other", "near", "part" or "whole".
ANSWER = Path(__file__).parents[1] / "unit" / "models" / "fixtures" / "answer"
#: Long enough for a machine that runs other tests beside; tests of the budget set their own.
PATIENT_BUDGET_MS = "8000"


def environment(broker, cache, prefix: str, **settings: str) -> dict[str, str]:
    """Make the environment of workers that share a broker and a cache with other tests."""
    return {
        "PATH": os.environ["PATH"],
        "KAFKA": broker.address,
        "REDIS": cache.url,
        "TURNGATE_PREFIX": prefix,
        "TURNGATE_KAFKA_SESSION_S": "4",
        "TURNGATE_KAFKA_FETCH_WAIT_MS": "5",
        "TURNGATE_KAFKA_COMMIT_S": "0.2",
        "TURNGATE_CACHE_SECRET": prefix,
        "TURNGATE_BUDGET_MS": PATIENT_BUDGET_MS,
        "TURNGATE_REDIS_TIMEOUT_S": "0.5",
        "TURNGATE_ANSWER": str(ANSWER),
    } | {f"TURNGATE_{name.upper()}": value for name, value in settings.items()}


@asynccontextmanager
async def hot_worker(
    broker, cache, prefix: str, logs: Path, **settings: str
) -> AsyncIterator[tuple[Stack, Child]]:
    """Run one hot worker whose agents are live, for the time of the block."""
    given = environment(broker, cache, prefix, **settings)
    async with running_stack(given, logs=logs) as stack:
        await put_profiles(broker.address, prefix)
        yield stack, stack.workers[0]


async def put_profiles(address: str, prefix: str, tenants: Iterable[str] = TENANTS) -> None:
    """Make the schedule's agent live for all its tenants."""
    profiles = [
        {"tenant_id": tenant, "agent_id": AGENT, "version": 1, "match": {"mode": "live"}}
        for tenant in tenants
    ]
    await produce(
        address,
        f"{prefix}agent.profiles",
        [
            Raw(key=f"{number}".encode(), value=json.dumps(profile).encode())
            for number, profile in enumerate(profiles)
        ],
    )


def utterance(call_id: str, text: str, seq: int = 0, **overrides: Any) -> Raw:
    """Make one utterance of the first tenant, said now."""
    fields = {
        "tenant_id": TENANTS[0],
        "agent_id": AGENT,
        "call_id": call_id,
        "seq": seq,
        "text": text,
        "said_at_ms": int(time.time() * 1e3),
    } | overrides
    return Raw(key=call_id.encode(), value=json.dumps(fields).encode())


def predictions(call_id: str, *texts: str, seq: int = 0, **overrides: Any) -> Raw:
    """Make predictions for that turn, each with a reply."""
    fields = {
        "tenant_id": TENANTS[0],
        "agent_id": AGENT,
        "call_id": call_id,
        "seq": seq,
        "created_at_ms": int(time.time() * 1e3),
        "predictions": [
            {"prediction_id": text, "text": text, "response": f"reply to {text}"} for text in texts
        ],
    } | overrides
    return Raw(key=call_id.encode(), value=json.dumps(fields).encode())


async def predict(stack: Stack, prefix: str, *events: Raw) -> None:
    """Write predictions and wait until they are kept: a turn that comes sooner is a miss."""
    before = await kept(stack)
    await produce(stack.settings.kafka, f"{prefix}turn.predictions", events)
    count = sum(len(json.loads(event.value or b"{}")["predictions"]) for event in events)

    async def all_kept() -> bool:
        return await kept(stack) >= before + count

    await wait_until(all_kept, f"{count} predictions to be kept", 30, every_s=0.02)


async def kept(stack: Stack) -> float:
    """Read how many predictions the workers have kept."""
    pages = [await metrics_of(worker.spec.port) for worker in stack.workers]
    return sum(
        float(line.rsplit(" ", 1)[1])
        for page in pages
        for line in page.splitlines()
        if line.startswith('turngate_predictions_total{outcome="kept"}')
    )


async def metrics_of(port: int) -> str:
    """Read a worker's metrics page."""

    def fetch() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            return answer.read().decode()

    return await asyncio.to_thread(fetch)


async def readiness(port: int) -> tuple[int, dict[str, Any]]:
    """Ask a worker whether it is ready, and why not."""
    status, body = await get(port, "/readyz")
    return status, json.loads(body)


async def ask(address: str, prefix: str, *utterances: Raw) -> None:
    """Write utterances."""
    await produce(address, f"{prefix}turn.utterances", utterances)


async def decisions(
    address: str, prefix: str, count: int, timeout_s: float = 20
) -> list[dict[str, Any]]:
    """Wait for at least so many decisions and return them all."""

    async def enough() -> list[dict[str, Any]]:
        found = await read_json(address, f"{prefix}turn.decisions")
        return found if len(found) >= count else []

    return await wait_until(enough, f"{count} decisions", timeout_s, every_s=0.1)


async def decide(address: str, prefix: str, said: Raw, timeout_s: float = 20) -> dict[str, Any]:
    """Write one utterance of a fresh call and return its decision."""
    call_id = json.loads(said.value or b"{}")["call_id"]
    await ask(address, prefix, said)

    async def found() -> list[dict[str, Any]]:
        every = await read_json(address, f"{prefix}turn.decisions")
        return [decision for decision in every if decision["call_id"] == call_id]

    return (await wait_until(found, f"the decision of {call_id}", timeout_s, every_s=0.05))[0]


async def ready_to_serve(stack: Stack, address: str, prefix: str) -> None:
    """Wait until the profiles have arrived: then a turn is no longer one of an unknown agent."""
    tries = iter(range(1_000))

    async def known() -> bool:
        said = utterance(f"warm-up {next(tries)}", "hello there")
        return (await decide(address, prefix, said))["reasons"][0] != "unknown_agent"

    assert stack.workers
    await wait_until(known, "the profiles to arrive", 20, every_s=0.1)
