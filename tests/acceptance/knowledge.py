"""Questions, entries and verdicts of a real hot worker, for acceptance tests."""

import json
import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from tests.acceptance.hot import metrics_of
from tests.records import Raw, produce, read_json
from tests.waiting import wait_until
from workers.up import Stack

MODES = ("off", "shadow", "live")
TENANT = "acme"
#: Long enough for a machine that runs other tests beside; tests of the budget set their own.
PATIENT = {"kb_budget_ms": "8000"}


async def put_profiles(address: str, prefix: str, tenants: Iterable[str] = (TENANT,)) -> None:
    """Make an agent of each mode, named for it, in each tenant."""
    await produce(
        address,
        f"{prefix}agent.profiles",
        [
            Raw(
                key=f"{tenant}/{mode}".encode(),
                value=json.dumps(
                    {
                        "tenant_id": tenant,
                        "agent_id": mode,
                        "version": 1,
                        "knowledge": {"mode": mode},
                    }
                ).encode(),
            )
            for tenant in tenants
            for mode in MODES
        ],
    )


def entry(entry_id: str, content: str | None, tenant: str = TENANT) -> Raw:
    """Make an entry, or its deletion."""
    fields = {
        "tenant_id": tenant,
        "entry_id": entry_id,
        "title": f"About {entry_id}",
        "content": content,
    }
    key = f"{quote(tenant, safe='')}/{quote(entry_id, safe='')}".encode()
    return Raw(key=key, value=None if content is None else json.dumps(fields).encode())


def question(call_id: str, *contents: str, seq: int = 0, **overrides: Any) -> Raw:
    """Make a question of the live agent, asked now, with candidates c0, c1 of these contents."""
    fields = {
        "tenant_id": TENANT,
        "agent_id": "live",
        "call_id": call_id,
        "seq": seq,
        "question": "how much is it",
        "asked_at_ms": int(time.time() * 1e3),
        "candidates": [
            {"entry_id": f"c{place}", "title": "Title", "content": content}
            for place, content in enumerate(contents)
        ],
    } | overrides
    return Raw(key=call_id.encode(), value=json.dumps(fields).encode())


async def ask(
    address: str, prefix: str, *questions: Raw, timeout_s: float = 30
) -> list[dict[str, Any]]:
    """Write questions and return the first verdict of each, in their order."""
    await produce(address, f"{prefix}kb.questions", questions)
    names = [_name(json.loads(one.value or b"{}")) for one in questions]

    async def all_there() -> dict[tuple[str, int], dict[str, Any]] | None:
        found: dict[tuple[str, int], dict[str, Any]] = {}
        for verdict in await read_json(address, f"{prefix}kb.verdicts"):
            found.setdefault(_name(verdict), verdict)
        return found if found.keys() >= set(names) else None

    found = await wait_until(all_there, "the verdicts", timeout_s, every_s=0.05)
    return [found[name] for name in names]


async def reviews(address: str, prefix: str, count: int) -> list[dict[str, Any]]:
    """Wait for at least so many review items and return them all."""

    async def enough() -> list[dict[str, Any]] | None:
        found = await read_json(address, f"{prefix}kb.review")
        return found if len(found) >= count else None

    return await wait_until(enough, f"{count} review items", 30, every_s=0.05)


async def until_indexed(stack: Stack, count: int) -> None:
    """Wait until each worker searches exactly so many entries."""

    async def indexed() -> bool:
        pages = [await metrics_of(worker.spec.port) for worker in stack.workers]
        return all(
            f"turngate_kb_entries {count:.1f}\n" in page
            and "turngate_kb_waiting_entries 0.0\n" in page
            for page in pages
        )

    await wait_until(indexed, f"{count} entries to be searched", 60, every_s=0.1)


async def ready_to_answer(address: str, prefix: str) -> None:
    """Wait until profiles and entries have arrived: then a live question is judged."""
    tries = iter(range(1_000))

    async def known() -> bool:
        asked = question(f"warm-up {next(tries)}", agent_id="live")
        (verdict,) = await ask(address, prefix, asked)
        return verdict["status"] == "applied"

    await wait_until(known, "the profiles to arrive", 30, every_s=0.1)


def order(verdict: dict[str, Any]) -> list[str]:
    """Ids of the entries in the order to use."""
    return [one["entry_id"] for one in verdict["entries"]]


def _name(event: dict[str, Any]) -> tuple[str, int]:
    return event["call_id"], event["seq"]
