"""Intents from `turngate profile put` to decisions, with a real worker, broker and Valkey."""

import asyncio
import json
import sys
from itertools import count
from typing import Any

import pytest

from tests.acceptance.hot import decide, environment, hot_worker, metrics_of, utterance
from tests.intents import EXAMPLES, SAID, routing_document
from tests.services import keys_without_ttl
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(240)

#: Compiling takes what time nobody else wants, and a test machine may be busy.
PATIENT_S = 120


class Agent:
    """One agent's owner and callers, as they use a worker."""

    def __init__(self, broker, cache, prefix, folder):
        self._address, self._prefix, self._folder = broker.address, prefix, folder
        self._environment = environment(broker, cache, prefix)
        self._calls = count()

    async def put(self, document: dict[str, Any], *, expected_code: int = 0) -> str:
        """Run `turngate profile put` and return what it said."""
        path = self._folder / "desk.json"
        path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "workers.cli", "profile", "put", str(path)),
            env=self._environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        assert process.returncode == expected_code, said.decode()
        return said.decode()

    async def say(self, text: str) -> dict[str, Any]:
        """Say something in a call of its own and return the decision."""
        said = utterance(f"call {next(self._calls)}", text, tenant_id="acme", agent_id="desk")
        return await decide(self._address, self._prefix, said, PATIENT_S)

    async def ready(self, version: int) -> dict[str, Any]:
        """Wait until the router of a version is in force; returns a decision of it."""

        async def looked() -> dict[str, Any] | None:
            decision = await self.say(SAID["hours"])
            there = decision.get("profile_version") == version and "route" in decision
            return decision if there else None

        return await wait_until(looked, f"the router of version {version}", PATIENT_S, every_s=0.2)


@pytest.fixture
def agent(broker, cache, topic_prefix, tmp_path):
    return Agent(broker, cache, topic_prefix, tmp_path)


async def made(worker, outcome) -> float:
    """Read how many routers came about in one way."""
    page = await metrics_of(worker.spec.port)
    name = f'turngate_routers_made_total{{outcome="{outcome}"}} '
    return next(
        (float(line.removeprefix(name)) for line in page.splitlines() if line.startswith(name)), 0.0
    )


async def test_intents_from_the_file_to_the_decision(agent, broker, cache, topic_prefix, tmp_path):
    """
    A put profile routes, a changed one changes the next decision, shadow plays nothing, off is
    silent; and nothing of the phrases is in log, metrics or keys.
    """
    async with hot_worker(broker, cache, topic_prefix, tmp_path) as (_, worker):
        assert '"version":1' in await agent.put(routing_document())
        first = await agent.ready(1)
        parcel, other = await agent.say(SAID["parcel"]), await agent.say(SAID[None])

        intents = routing_document()["intents"]
        intents[0]["response"] = {"text": "we are open from ten to four"}
        await agent.put(routing_document(intents=intents))
        changed = await agent.ready(2)

        await agent.put(routing_document(router={"mode": "shadow", "target_accuracy": 0.9}))
        shadow = await agent.ready(3)
        compiled = await made(worker, "compiled")

        wrong = routing_document(intents=intents[:2])
        refused = await agent.put(wrong, expected_code=1)
        still = await agent.say(SAID["hours"])
        metrics = await metrics_of(worker.spec.port)

    assert (first["kind"], first["playable"], first["intent"]) == ("route", True, "hours")
    assert first["response"] == "reply to hours"
    assert first["reasons"] == ["routed", "no_predictions"]
    assert first["route"]["candidate"] == "hours"
    assert first["route"]["runner_up"] in EXAMPLES
    assert first["route"]["confidence"] >= first["thresholds"]["route"]
    assert 0 < first["route"]["margin"] < first["route"]["score"] <= 1
    assert {"encode", "route", "total"} <= first["timings_ms"].keys()
    assert (parcel["kind"], parcel["intent"]) == ("route", "parcel")
    assert (other["kind"], other["reasons"]) == ("miss", ["no_predictions", "route_unclear"])
    assert "response" not in other

    assert changed["response"] == {"text": "we are open from ten to four"}

    assert (shadow["kind"], shadow["playable"]) == ("miss", False)
    assert shadow["reasons"] == ["no_predictions", "route_shadow"]
    assert shadow["would_have"] == {"kind": "route", "intent": "hours"}
    assert "intent" not in shadow
    assert "response" not in shadow
    # Responses and modes are nothing that a router is made of.
    assert compiled == 1

    assert "validation_phrases.refund: there is no such intent" in refused
    assert "nothing was published" in refused
    assert still["profile_version"] == 3
    log = (tmp_path / "worker-1.log").read_text("utf-8")
    assert "router_compiled" in log
    assert not [text for texts in EXAMPLES.values() for text in texts if text in log + metrics]
    assert keys_without_ttl(cache.url) == []


async def test_new_phrases_and_a_restart(agent, broker, cache, topic_prefix, tmp_path):
    """
    Until the new router is there nothing is routed, and then it knows what the old one did not; the
    next worker compiles nothing, and decides as the first one did.
    """
    async with hot_worker(broker, cache, topic_prefix, tmp_path) as (_, worker):
        few = routing_document()
        del few["intents"][2], few["validation_phrases"]["refund"]
        await agent.put(few)
        await agent.ready(1)
        before = await agent.say(SAID["refund"])

        await agent.put(routing_document())
        seen = []

        async def in_force() -> bool:
            seen.append(await agent.say(SAID["refund"]))
            return seen[-1]["profile_version"] == 2 and "route" in seen[-1]

        await wait_until(in_force, "the new router", PATIENT_S, every_s=0.05)
        compiled = await made(worker, "compiled")

    again = tmp_path / "again"
    again.mkdir()
    async with hot_worker(broker, cache, topic_prefix, again) as (_, worker):
        await agent.ready(2)
        after = await agent.say(SAID["refund"])
        made_again = await made(worker, "compiled"), await made(worker, "loaded")

    assert before.get("intent") != "refund"
    assert seen[-1]["intent"] == "refund"
    assert compiled == 2
    between = [one for one in seen if one["profile_version"] == 2 and "route" not in one]
    assert all(one["reasons"][1] == "route_not_ready" for one in between)
    assert all(one["kind"] == "miss" for one in between)

    assert made_again == (0, 1)
    for field in ("kind", "intent", "response", "route", "thresholds", "bundles"):
        assert after[field] == seen[-1][field]
