"""A real slow worker on a real broker."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from tests.acceptance.hot import readiness
from tests.acceptance.knowledge import TENANT
from tests.acceptance.slow import (
    PATIENT_S,
    counts,
    environment,
    gaps,
    item,
    make_topics,
    put_entries,
    put_items,
    reviewed,
    slow_worker,
)
from tests.faults.process import frozen
from tests.records import Raw, produce, read_all, read_json
from tests.waiting import wait_until
from topics.names import TOPICS
from workers.silence import STALL_S

pytestmark = pytest.mark.timeout(1_200)

#: Questions, each a gap of its own.
QUESTIONS = tuple(f"do you sell {thing}" for thing in ("tea", "rice", "soap", "lamps", "rope"))


def traffic(count: int) -> list[Raw]:
    """Make items of the questions in turn, every seventh of them written twice."""
    items = [item(f"call {number}", QUESTIONS[number % 5]) for number in range(count)]
    return [each for number, one in enumerate(items) for each in [one] * (1 + (number % 7 == 0))]


def cli(address: str, prefix: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `turngate gaps`."""
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "workers.cli", "gaps", *arguments],
        env=environment(address, prefix) | {"PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        text=True,
        check=False,
    )


class TestWork:
    async def test_from_item_to_gap_and_back(self, broker, topic_prefix, tmp_path):
        """
        Answered, not retrieved and missing are told apart; entries and people close and open gaps.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_entries(
            address,
            prefix,
            ("price", "The whole price is nine pounds."),
            *((f"x{number}", "An other subject.") for number in range(12)),
        )
        late = item("b", "what about gold", candidates=[_candidate("c", "near")])
        await put_items(address, prefix, [item("a", "the price please"), late])
        async with slow_worker(address, prefix, tmp_path) as worker:
            found = {one["call_id"]: one for one in await reviewed(address, prefix, 2)}
            assert (found["a"]["result"], found["a"]["entry_id"]) == ("answered", "price")
            assert (found["b"]["result"], found["b"]["entry_id"]) == ("not_retrieved", "price")

            await put_entries(address, prefix, ("price", None))
            await _until_entries(worker, 12)
            await put_items(address, prefix, [item("c", "do you ship"), item("d", "Do you ship?")])
            await reviewed(address, prefix, 4)
            (gap_id,) = await gaps(address, prefix)
            assert counts(await gaps(address, prefix)) == {"do you ship": 2}

            await put_entries(address, prefix, ("ship", "The whole of shipping."))
            await _until_state(address, prefix, gap_id, "covered")
            await put_entries(address, prefix, ("ship", None))
            await _until_state(address, prefix, gap_id, "open")

            said = await asyncio.to_thread(cli, address, prefix, "dismiss", gap_id[:8])
            assert json.loads(said.stdout)["applied"], said.stderr
            await put_items(address, prefix, [item("e", "do you ship")])
            await reviewed(address, prefix, 5)
            listed = await asyncio.to_thread(cli, address, prefix, "list", "--state", "dismissed")
            exported = await asyncio.to_thread(cli, address, prefix, "export", "--format", "jsonl")
            assert await worker.stop() == 0

        assert json.loads(listed.stdout.splitlines()[-1]) == {
            "listed": 1, "found": 1, "by_state": {"dismissed": 1},
        }  # fmt: skip
        (record,) = [json.loads(line) for line in exported.stdout.splitlines()]
        assert (record["count"], record["state"], "memory" in record) == (3, "dismissed", False)

    async def test_without_a_judge(self, broker, topic_prefix, tmp_path):
        """
        Nothing is lost where nobody judges: a gap says so, and a later worker with a judge closes
        what is answered.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_entries(address, prefix, ("price", "The whole price."))
        await put_items(address, prefix, [item("a", "the price please")])
        async with slow_worker(address, prefix, tmp_path, answer="/nowhere") as worker:
            (found,) = await reviewed(address, prefix, 1)
            assert await worker.metric('turngate_degraded{component="answer_judge"}') == 1
            assert await worker.stop() == 0
        assert found["result"] == "not_judged"
        assert (await gaps(address, prefix))[found["gap_id"]]["reason"] == "not_judged"

        async with slow_worker(address, prefix, tmp_path):
            await _until_state(address, prefix, found["gap_id"], "covered")


class TestFaults:
    async def test_killed_again_and_again(self, broker, topic_prefix, tmp_path):
        """
        A worker that is killed in the middle, three times, counts every item once.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_items(address, prefix, traffic(140))
        for done in (20, 50, 90):
            async with slow_worker(address, prefix, tmp_path, kafka_commit_s="1") as worker:
                await reviewed(address, prefix, done)
                worker.kill()
                await worker.process.wait()
        async with slow_worker(address, prefix, tmp_path) as worker:
            results = await reviewed(address, prefix, 140)
            assert await worker.stop() == 0

        assert counts(await gaps(address, prefix)) == dict.fromkeys(QUESTIONS, 28)
        assert len(results) >= 140
        assert _gap_of_each(results) == 140

    async def test_stop_under_load(self, broker, topic_prefix, tmp_path):
        """
        SIGTERM ends a busy worker in time with 0, and nothing is lost or counted twice after it.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_items(address, prefix, traffic(120))
        async with slow_worker(address, prefix, tmp_path) as worker:
            await reviewed(address, prefix, 15)
            code = await worker.stop()
            (stopped,) = worker.logged("stopped")
        before = len(await read_json(address, f"{prefix}kb.reviewed"))

        async def all_done() -> bool:
            return len(await read_json(address, f"{prefix}kb.reviewed")) >= len(traffic(120))

        async with slow_worker(address, prefix, tmp_path) as again:
            await wait_until(all_done, "every record to be done", PATIENT_S, every_s=0.1)
            await again.stop()
        after = len(await read_json(address, f"{prefix}kb.reviewed"))

        # A stop that takes too long is ended by the worker itself, and not with 0.
        assert code == 0
        assert stopped["handed_back"] > 0
        assert counts(await gaps(address, prefix)) == dict.fromkeys(QUESTIONS, 24)
        # What was done was committed: nothing of it is done again.
        assert after == len(traffic(120))
        assert before < after

    async def test_full_queue_pauses(self, broker, topic_prefix, tmp_path):
        """
        While the judge does not answer, the queue is at its bound, says so, and nothing is lost.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_entries(address, prefix, ("x", "An other subject."))
        await put_items(address, prefix, traffic(40))
        away = {"system_one_url": "http://127.0.0.1:9/v1/systemone", "slow_queue": "8"}
        async with slow_worker(address, prefix, tmp_path, **away) as worker:
            await worker.until_ready()

            async def is_full() -> bool:
                return await worker.metric("turngate_review_paused") == 1

            await wait_until(is_full, "the queue to be full", PATIENT_S, every_s=0.1)
            looks = [await worker.page() for _ in range(20)]
            assert all('turngate_queue_jobs{queue="review"} 8.0\n' in page for page in looks)
            assert await worker.metric("turngate_review_oldest_seconds") > 0
            assert await worker.metric("turngate_consumer_lag_records") == len(traffic(40))
            assert await worker.stop() == 0
        assert await read_json(address, f"{prefix}kb.reviewed") == []

        async with slow_worker(address, prefix, tmp_path, slow_queue="8"):
            await reviewed(address, prefix, 40)
        assert counts(await gaps(address, prefix)) == dict.fromkeys(QUESTIONS, 8)

    async def test_frozen_owner_changes_nothing(self, broker, topic_prefix, tmp_path):
        """
        A worker that stood still while another took its partitions over ends when it wakes up; and
        should a record still be on its way from it, it does not stay the last one of its gap.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_items(address, prefix, traffic(200))
        async with slow_worker(address, prefix, tmp_path) as zombie:
            await reviewed(address, prefix, 20)
            os.kill(zombie.pid, signal.SIGSTOP)
            async with slow_worker(address, prefix, tmp_path) as worker:
                await reviewed(address, prefix, 200)
                os.kill(zombie.pid, signal.SIGCONT)
                code = await asyncio.wait_for(zombie.process.wait(), PATIENT_S)
                await _until_counts(address, prefix, dict.fromkeys(QUESTIONS, 40))
                assert worker.process.returncode is None

        assert code != 0
        assert counts(await gaps(address, prefix)) == dict.fromkeys(QUESTIONS, 40)

    async def test_old_record_over_a_newer_one(self, broker, topic_prefix, tmp_path):
        """
        Where another worker's record stands over one of its own, the owner stores its own again.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        await put_items(address, prefix, traffic(20))
        async with slow_worker(address, prefix, tmp_path) as worker:
            await reviewed(address, prefix, 20)
            first = await read_all(address, f"{prefix}kb.gaps")
            await put_items(address, prefix, [item("new", QUESTIONS[0])])
            await reviewed(address, prefix, 21)
            right = {**dict.fromkeys(QUESTIONS, 4), QUESTIONS[0]: 5}
            assert counts(await gaps(address, prefix)) == right

            strange = first[0].json() | {"gap_id": "strange", "examples": ["do you sell time"]}
            await produce(
                address,
                f"{prefix}kb.gaps",
                [
                    Raw(key=first[0].key, value=first[0].value),
                    Raw(key=b"strange", value=json.dumps(strange).encode()),
                    Raw(key=first[1].key, value=None),
                ],
            )
            await _until_counts(address, prefix, right)
            assert await worker.metric('turngate_gap_events_total{event="restored"}') == 3
            await put_items(address, prefix, [item("newer", QUESTIONS[0])])
            await reviewed(address, prefix, 22)
            assert await worker.stop() == 0

        assert counts(await gaps(address, prefix)) == {**right, QUESTIONS[0]: 6}

    async def test_workers_come_and_go(self, broker, topic_prefix, tmp_path):
        """
        Partitions that move between workers take their gaps along, and every item counts once.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        tenants = ("acme", "birch", "cedar", "dune", "elm")
        items = [
            item(f"call {number}", QUESTIONS[number % 4], tenant_id=tenants[number % 5])
            for number in range(200)
        ]
        await put_items(address, prefix, items)
        async with slow_worker(address, prefix, tmp_path):
            await reviewed(address, prefix, 20)
            async with slow_worker(address, prefix, tmp_path) as second:
                await second.until_ready()
                await reviewed(address, prefix, 70)
                second.kill()
                await second.process.wait()
            async with slow_worker(address, prefix, tmp_path) as third:
                await third.until_ready()
                assert await third.stop() == 0
            await reviewed(address, prefix, 200)

        found = (await gaps(address, prefix)).values()
        assert len(found) == 20
        assert {gap["count"] for gap in found} == {10}

    async def test_broker_that_stands_still(self, own_broker, tmp_path):
        """
        While the broker answers nothing the worker waits; then it goes on by itself, and every item
        counts once.
        """
        address, prefix = own_broker.address, "s."
        await make_topics(address, prefix)
        await put_items(address, prefix, traffic(100))
        async with slow_worker(address, prefix, tmp_path, kafka_produce_s="1") as worker:
            await reviewed(address, prefix, 15)
            with frozen(own_broker.process.pid):
                await wait_until(
                    lambda: worker.logged("broker_unavailable_record_waits"),
                    "the worker to notice",
                    PATIENT_S,
                    every_s=0.1,
                )
            await reviewed(address, prefix, 100)
            assert worker.process.returncode is None

        assert counts(await gaps(address, prefix)) == dict.fromkeys(QUESTIONS, 20)

    async def test_broker_that_is_lost(self, own_broker, tmp_path):
        """
        A broker that was killed is seen by readiness, metrics and one error, and so is its return.
        """
        address, prefix = own_broker.address, "s."
        await make_topics(address, prefix)
        async with slow_worker(address, prefix, tmp_path) as worker:
            await worker.until_ready()
            port = worker.logged("monitor_listening")[0]["port"]

            async def ready() -> bool:
                return (await readiness(port))[0] == 200

            async def unready() -> bool:
                return not await ready()

            await wait_until(ready, "it to be ready", PATIENT_S, every_s=0.2)
            assert await worker.metric("turngate_fetch_age_seconds") < STALL_S
            assert not worker.logged("broker_silent")
            own_broker.process.kill()
            await wait_until(unready, "it to be unready", PATIENT_S, every_s=0.2)
            _, answer = await readiness(port)
            assert [part for part, there in answer["parts"].items() if not there] == [
                "offsets_move"
            ]
            await wait_until(
                lambda: worker.logged("broker_silent"), "the error", PATIENT_S, every_s=0.2
            )
            assert await worker.metric("turngate_fetch_age_seconds") >= STALL_S
            assert await worker.metric('turngate_ready{part="offsets_move"}') == 0
            # What is followed is not heard of either: the entries, and the gaps.
            await wait_until(
                lambda: len(worker.logged("follow_interrupted")) == 2,
                "the followers to notice",
                PATIENT_S,
                every_s=0.2,
            )

            await asyncio.to_thread(own_broker.process.restart)
            await make_topics(address, prefix)
            await wait_until(ready, "it to go on", PATIENT_S, every_s=0.2)
            await wait_until(
                lambda: worker.logged("broker_answers"), "its end", PATIENT_S, every_s=0.2
            )
            assert len(worker.logged("broker_silent")) == 1
            assert worker.process.returncode is None

    async def test_what_cannot_be_used(self, broker, topic_prefix, tmp_path):
        """
        Each bad record has one dead letter with its place and none of its text; the rest goes on.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        bad = [b"", b"{}", b"\xff 98765 43210", b'{"question": "98765 43210"}', b"[1]", None]
        await put_items(address, prefix, [Raw(key=b"acme", value=value) for value in bad])
        action = {"action_id": "a", "tenant_id": TENANT, "gap_id": "g", "kind": "explode"}
        await produce(
            address,
            f"{prefix}kb.gap.actions",
            [Raw(key=b"acme", value=json.dumps(action).encode())],
        )
        await put_items(address, prefix, [item("good", QUESTIONS[0])])
        async with slow_worker(address, prefix, tmp_path) as worker:
            await reviewed(address, prefix, 1)

            async def all_refused() -> bool:
                return len(await read_json(address, f"{prefix}dead.letters")) == len(bad) + 1

            await wait_until(all_refused, "the dead letters", PATIENT_S, every_s=0.1)
            assert await worker.stop() == 0

        letters = await read_json(address, f"{prefix}dead.letters")
        assert Counter(one["topic"].removeprefix(prefix) for one in letters) == {
            "kb.review": len(bad), "kb.gap.actions": 1,
        }  # fmt: skip
        assert all("value_base64" not in one for one in letters)


class TestPersonalData:
    async def test_planted_values_are_nowhere(self, broker, topic_prefix, tmp_path):
        """
        No topic, key, log line or metric of the slow path holds what was said in the clear.
        """
        address, prefix = broker.address, topic_prefix
        await make_topics(address, prefix)
        planted = {
            "98765 43210": "my number is 98765 43210 do you ship",
            "४३२१०": "मेरा नंबर ९८७६५४३२१० है क्या आप खुले हैं",
            "٠١٠١٢٣٤٥٦٧٨": "رقمي ٠١٠١٢٣٤٥٦٧٨ هل تفتحون",
            "khan@example": "write to jo.khan@example.com about shipping",
            "4539 1488": "my card is 4539 1488 0343 6467 do you take it",
            "seven six five": "call nine eight seven six five four three two one zero please",
            "5512 9987": "the code is 551299 and account 5512 9987 0012 is it open",
        }
        items = [item(f"call {n}", text) for n, text in enumerate(planted.values())]
        broken = [Raw(key=b"acme", value=text.encode()) for text in planted.values()]
        await put_items(address, prefix, [*items, *broken])
        async with slow_worker(address, prefix, tmp_path, log_level="DEBUG") as worker:
            await reviewed(address, prefix, len(items))
            page = await worker.page()
            await worker.stop()
        everything = page + worker.log.read_text("utf-8")
        for topic in TOPICS:
            if topic.name != "kb.review":
                for record in await read_all(address, prefix + topic.name):
                    everything += (record.key or b"").decode() + (record.value or b"").decode()

        assert "[PHONE]" in everything
        assert [one for one in planted if one in everything] == []
        digits = ("9876543210", "43210", "4539148803436467", "551299870012", "٠١٢٣", "९८७६")
        assert [one for one in digits if one in everything.replace(" ", "")] == []


def _candidate(entry_id: str, content: str) -> dict[str, str]:
    return {"entry_id": entry_id, "title": "T", "content": content}


def _gap_of_each(results: list[dict[str, Any]]) -> int:
    """Count the items of which every result names one and the same gap."""
    by_item: dict[str, set[str | None]] = {}
    for one in results:
        by_item.setdefault(one["call_id"], set()).add(one.get("gap_id"))
    return sum(len(found) == 1 and None not in found for found in by_item.values())


async def _until_entries(worker, count: int) -> None:
    async def there() -> bool:
        return await worker.metric("turngate_kb_entries") == count

    await wait_until(there, f"{count} entries", PATIENT_S, every_s=0.1)


async def _until_counts(address: str, prefix: str, right: dict[str, int]) -> None:
    async def are_right() -> bool:
        return counts(await gaps(address, prefix)) == right

    await wait_until(are_right, "the last record of each gap to be right", PATIENT_S, every_s=0.1)


async def _until_state(address: str, prefix: str, gap_id: str, state: str) -> None:
    async def is_so() -> bool:
        return (await gaps(address, prefix)).get(gap_id, {}).get("state") == state

    await wait_until(is_so, f"the gap to be {state}", PATIENT_S, every_s=0.1)
