"""Two hot workers in one group: one of them goes while turns of many calls flow."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.acceptance.hot import environment, metrics_of, predict, put_profiles
from tests.faults.driver import Sent, play, validity_of
from tests.faults.schedule import TENANTS, Mix, predictions_for, schedule
from tests.records import Record, read_all
from tests.verifier import Report, verify
from tests.waiting import wait_until
from workers.child import Child
from workers.up import Stack, running_stack

pytestmark = pytest.mark.timeout(180)

#: Records of the stream, and how many of them come before the worker goes.
RECORDS, BEFORE = 240, 100
#: The leaver has decided so many of them, at least, when it goes.
DECIDED = 20
#: Nothing is committed but at a handover and at a stop: so whatever a killed worker had decided
#: comes again, in each run.
COMMIT_S = "30"
#: Repeats and turns in another order are among them; texts of a megabyte are another test's.
MIX = Mix(odd_texts=0.0)

#: Lets a worker go, and returns when it is gone.
Go = Callable[[Child], Coroutine[Any, Any, None]]


async def kill(worker: Child) -> None:
    """Let it end as a machine does, and let nobody start it again."""
    worker._stopping = True
    assert worker._process is not None
    worker._process.kill()
    await worker._process.wait()


@asynccontextmanager
async def two_workers(broker, cache, prefix, logs) -> AsyncIterator[Stack]:
    """Run two that have partitions each and know every agent."""
    given = environment(broker, cache, prefix, kafka_commit_s=COMMIT_S)
    async with running_stack(given, workers=2, logs=logs) as stack:
        await put_profiles(broker.address, prefix)

        async def both_at_work() -> bool:
            return all(
                [
                    await metric(worker, "turngate_assigned_partitions") > 0
                    and await metric(worker, "turngate_profiles") == len(TENANTS)
                    for worker in stack.workers
                ]
            )

        await wait_until(both_at_work, "both workers to have work", 40, every_s=0.1)
        yield stack


async def metric(worker: Child, name: str) -> float:
    """Add up a metric of a worker, whatever its labels."""
    page = await metrics_of(worker.spec.port)
    return sum(
        float(line.rsplit(" ", 1)[1])
        for line in page.splitlines()
        if line.startswith((f"{name} ", f"{name}{{"))
    )


async def played(stack: Stack, prefix: str, go: Go) -> list[Sent]:
    """Play the stream, let the first worker go in the middle of it, and wait until it is gone."""
    items = schedule(21, records=RECORDS, mix=MIX)
    leaver, stayer = stack.workers
    now_ms = int(time.time() * 1e3)
    await predict(stack, prefix, *predictions_for(items, now_ms=now_ms))
    going: list[asyncio.Task[Any]] = []

    async def strike() -> None:
        async def in_the_middle() -> bool:
            decided = [
                await metric(worker, "turngate_decisions_total") for worker in (leaver, stayer)
            ]
            return decided[0] >= DECIDED and decided[1] > 0

        await wait_until(in_the_middle, "both to have decided turns", 30, every_s=0.02)
        # What comes next comes while it goes.
        going.append(asyncio.create_task(go(leaver), name="going"))

    topic = f"{prefix}turn.utterances"
    sent = await play(stack.settings.kafka, topic, items, strikes={BEFORE: strike})
    await asyncio.gather(*going)
    return sent


async def outcome(address: str, prefix: str, sent: list[Sent]) -> tuple[Report, list[Record]]:
    """Wait until every record has its decision or dead letter; return what was found."""

    async def complete() -> tuple[Report, list[Record]] | None:
        decisions = await read_all(address, f"{prefix}turn.decisions")
        report = verify(
            utterances=await read_all(address, f"{prefix}turn.utterances"),
            decisions=decisions,
            dead_letters=await read_all(address, f"{prefix}dead.letters"),
            predictions=await read_all(address, f"{prefix}turn.predictions"),
            validity=validity_of(sent),
        )
        return None if "I1" in report.broken() else (report, decisions)

    found = await wait_until(complete, "an outcome of every record", 60, every_s=0.5)
    assert found is not None
    return found


def assert_one_decision_a_turn(decisions: list[Record]) -> None:
    """Each turn has one id and one decision, byte for byte, however often it came."""
    ids: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    values: dict[str, set[bytes]] = defaultdict(set)
    for record in decisions:
        decision = record.json()
        turn = (decision["tenant_id"], decision["call_id"], decision["seq"])
        ids[turn].add(decision["decision_id"])
        values[decision["decision_id"]].add(record.value or b"")

    assert {turn: found for turn, found in ids.items() if len(found) != 1} == {}
    assert {one: found for one, found in values.items() if len(found) != 1} == {}


async def test_kill_9_of_one_of_two_under_load(broker, cache, topic_prefix, tmp_path):
    """
    The other one decides what was left, and repeats what was decided without another word.
    """
    async with two_workers(broker, cache, topic_prefix, tmp_path) as stack:
        leaver, stayer = stack.workers

        sent = await played(stack, topic_prefix, kill)
        report, decisions = await outcome(broker.address, topic_prefix, sent)

        replayed = await metric(stayer, "turngate_decisions_replayed_total")
        assert leaver.exit_code == -9
        assert (leaver.restarts, stayer.restarts) == (0, 0)

    kinds = Counter(record.json()["kind"] for record in decisions)
    assert report.ok, str(report)
    assert_one_decision_a_turn(decisions)
    # It has committed nothing, so all that it had decided came again.
    assert report.counts.repeated_decisions >= DECIDED
    assert replayed >= DECIDED
    assert kinds["serve"] > 0
    assert kinds["miss"] > 0


async def test_sigterm_of_one_of_two_under_load(broker, cache, topic_prefix, tmp_path):
    """
    It hands over what it has finished; nothing is lost, and nothing is decided twice.
    """
    async with two_workers(broker, cache, topic_prefix, tmp_path) as stack:
        leaver, stayer = stack.workers

        sent = await played(stack, topic_prefix, Child.stop)
        report, decisions = await outcome(broker.address, topic_prefix, sent)

        assert leaver.exit_code == 0
        assert (leaver.restarts, stayer.restarts) == (0, 0)

    assert report.ok, str(report)
    assert_one_decision_a_turn(decisions)
