"""The knowledge-base judge in a real hot worker: entries, questions, crashes, broken judges."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.acceptance.hot import hot_worker, metrics_of
from tests.acceptance.knowledge import (
    PATIENT,
    TENANT,
    ask,
    entry,
    order,
    put_profiles,
    question,
    ready_to_answer,
    reviews,
    until_indexed,
)
from tests.faults.system_one import KEY
from tests.records import Raw, produce, read_all, read_json
from tests.remote_judges import fresh_token, running_fault_server
from tests.waiting import wait_until

pytestmark = pytest.mark.timeout(120)

ENTRIES = {
    "price": "The whole price is nine pounds.",
    "hours": "It opens near six.",
    "pool": "An other subject.",
}


class TestWork:
    async def test_modes_order_and_review(self, broker, cache, topic_prefix, tmp_path):
        """
        Each mode does what it says, on real topics, and the slow path gets what it is to see.
        """
        address = broker.address
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT):
            await put_profiles(address, topic_prefix)
            await ready_to_answer(address, topic_prefix)
            contents = ("other", "near", "part", "whole")
            live, shadow, off, unknown, none = await ask(
                address,
                topic_prefix,
                question("a", *contents),
                question("b", *contents, agent_id="shadow"),
                question("c", *contents, agent_id="off"),
                question("d", *contents, agent_id="nobody"),
                question("e", "other", "near"),
            )
            items = {one["call_id"]: one for one in await reviews(address, topic_prefix, 2)}

        assert (live["status"], live["answerable"]) == ("applied", True)
        assert order(live) == ["c3", "c2", "c1", "c0"]
        assert [one["level"] for one in live["entries"]] == [3, 2, 1, 0]
        assert [one["status"] for one in (shadow, off, unknown)] == [
            "shadow", "disabled", "disabled",
        ]  # fmt: skip
        assert {tuple(order(one)) for one in (shadow, off, unknown)} == {("c0", "c1", "c2", "c3")}
        assert (none["answerable"], items["e"]["cause"]) == (False, "unanswerable")
        assert (items["b"]["cause"], items["b"]["status"]) == ("shadow", "applied")
        assert order(items["b"]) == ["c3", "c2", "c1", "c0"]
        assert items.keys() == {"b", "e"}

    async def test_entries_come_and_go(self, broker, cache, topic_prefix, tmp_path):
        """
        What is on `kb.entries` is searched, of one's own tenant alone, also after a restart.
        """
        address, topic = broker.address, f"{topic_prefix}kb.entries"
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (stack, _):
            await put_profiles(address, topic_prefix, [TENANT, "other"])
            await produce(address, topic, [entry(*one) for one in ENTRIES.items()])
            await produce(address, topic, [entry("secret", "The whole secret.", tenant="other")])
            await until_indexed(stack, 4)
            await ready_to_answer(address, topic_prefix)

            mine, others = await ask(
                address,
                topic_prefix,
                question("a", question="price"),
                question("b", question="price", tenant_id="other"),
            )
            await produce(address, topic, [entry("price", None)])
            await until_indexed(stack, 3)
            (without,) = await ask(address, topic_prefix, question("c", question="price"))

        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (stack, _):
            await until_indexed(stack, 3)
            await ready_to_answer(address, topic_prefix)
            (again,) = await ask(address, topic_prefix, question("d", question="price"))

        assert (order(mine)[0], set(order(mine))) == ("price", set(ENTRIES))
        assert order(others) == ["secret"]
        assert set(order(without)) == set(order(again)) == {"hours", "pool"}
        assert (without["answerable"], again["answerable"]) == (False, False)

    async def test_bad_entries_and_questions(self, broker, cache, topic_prefix, tmp_path):
        """
        Each record that cannot be used has one dead letter with its place, and nothing stops.
        """
        address = broker.address
        bad = [b"", b"{}", b"\xff", b'{"entry_id": 1}']
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (stack, worker):
            await put_profiles(address, topic_prefix)
            await produce(
                address,
                f"{topic_prefix}kb.entries",
                [
                    *(Raw(key=b"k", value=value) for value in bad),
                    entry("long", "x" * 20_001),
                    Raw(key=b"acme/other", value=entry("good", "x").value),
                    entry("good", "whole"),
                ],
            )
            await produce(
                address,
                f"{topic_prefix}kb.questions",
                [Raw(key=b"c", value=value) for value in bad],
            )
            await until_indexed(stack, 1)
            await ready_to_answer(address, topic_prefix)

            async def all_there():
                letters = await read_json(address, f"{topic_prefix}dead.letters")
                return letters if len(letters) >= 10 else None

            letters = await wait_until(all_there, "the dead letters", 30)
            restarts = worker.restarts

        places = {(one["topic"].removeprefix(topic_prefix), one["offset"]) for one in letters}
        assert len(places) == len(letters) == 10
        assert {offset for topic, offset in places if topic == "kb.entries"} == set(range(6))
        assert any("key" in one["reason"] for one in letters)
        assert restarts == 0

    async def test_no_text_reaches_log_and_metrics(self, broker, cache, topic_prefix, tmp_path):
        """
        What was asked and what entries say is on topics and nowhere else.
        """
        settings = PATIENT | {"log_level": "DEBUG"}
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **settings) as (stack, worker):
            await put_profiles(broker.address, topic_prefix)
            await produce(
                broker.address, f"{topic_prefix}kb.entries", [entry("e", "zanzibar whole")]
            )
            await until_indexed(stack, 1)
            await ready_to_answer(broker.address, topic_prefix)
            await ask(
                broker.address,
                topic_prefix,
                question("a", "zanzibar near", question="flamingo"),
                question("b", question="flamingo", agent_id="shadow"),
            )
            await reviews(broker.address, topic_prefix, 2)
            page = await metrics_of(worker.spec.port)

        seen = page + (tmp_path / "worker-1.log").read_text("utf-8")
        assert 'turngate_verdicts_total{answerable="false",mode="live",status="applied"}' in seen
        assert "zanzibar" not in seen
        assert "flamingo" not in seen


class TestCrash:
    async def test_kill_9_loses_and_changes_nothing(self, broker, cache, topic_prefix, tmp_path):
        """
        After a crash each question has its verdict, each repetition the same bytes, each item is
        there.
        """
        address = broker.address
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (stack, worker):
            await put_profiles(address, topic_prefix)
            await ready_to_answer(address, topic_prefix)
            asked = [
                question(
                    f"call {number % 7}", "near", "whole" if number % 2 else "other", seq=number
                )
                for number in range(60)
            ]
            await produce(address, f"{topic_prefix}kb.questions", asked[:40])
            stack.workers[0]._process.kill()
            await produce(address, f"{topic_prefix}kb.questions", asked[40:])

            async def all_judged():
                found = await read_json(address, f"{topic_prefix}kb.verdicts")
                seqs = {one["seq"] for one in found if one["call_id"].startswith("call")}
                return seqs == set(range(60))

            await wait_until(all_judged, "a verdict of each question", 60)
            verdicts = await ask(address, topic_prefix, *asked[-1:], timeout_s=60)
            await reviews(address, topic_prefix, 30)
            assert worker.restarts == 1

        records = await read_all(address, f"{topic_prefix}kb.verdicts")
        by_id: dict[str, set[bytes]] = {}
        for record in records:
            by_id.setdefault(record.json()["verdict_id"], set()).add(record.value)
        items = await read_json(address, f"{topic_prefix}kb.review")
        assert verdicts
        assert {len(values) for values in by_id.values()} == {1}
        assert {one["seq"] for one in items} >= {seq for seq in range(60) if seq % 2 == 0}

    async def test_sigterm_ends_in_order(self, broker, cache, topic_prefix, tmp_path):
        """
        A worker with an index and questions in work ends with exit code 0.
        """
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (_, worker):
            await put_profiles(broker.address, topic_prefix)
            await produce(
                broker.address,
                f"{topic_prefix}kb.entries",
                [entry(f"e{number}", "near " * 200) for number in range(300)],
            )
            await produce(
                broker.address,
                f"{topic_prefix}kb.questions",
                [question(f"c{number}", *["near"] * 8) for number in range(50)],
            )
            await worker.stop()

            assert worker.exit_code == 0


class TestBrokenJudges:
    async def test_without_a_bundle(self, broker, cache, topic_prefix, tmp_path):
        """
        No bundle and no endpoint: search order, `error`, a degraded component, and a live worker.
        """
        settings = PATIENT | {"answer": str(tmp_path / "nothing")}
        address = broker.address
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **settings) as (_, worker):
            await put_profiles(address, topic_prefix)

            async def known():
                asked = question(f"w {time.monotonic()}", "whole")
                (verdict,) = await ask(address, topic_prefix, asked)
                return verdict if verdict["status"] != "disabled" else None

            verdict = await wait_until(known, "the profiles to arrive", 30, every_s=0.1)
            page = await metrics_of(worker.spec.port)

        assert (verdict["status"], order(verdict)) == ("error", ["c0"])
        assert "answerable" not in verdict
        assert 'turngate_degraded{component="answer_judge"} 1.0' in page

    @pytest.mark.parametrize(
        ("fault", "status"),
        [
            ("honest", "applied"),
            ("silent", "timeout"),
        ],
    )
    async def test_an_endpoint_with_a_fault(  # noqa: PLR0917 - fixtures
        self, broker, cache, topic_prefix, tmp_path, fault, status
    ):
        """
        An endpoint judges; one that says nothing costs its time, and no text leaks.
        """
        address, token = broker.address, fresh_token()
        with running_fault_server() as server:
            settings = {
                "system_one_url": server.url(fault, token),
                "system_one_key": KEY,
                "kb_budget_ms": "1000",
                "system_one_warm_s": "0",
            }
            async with hot_worker(broker, cache, topic_prefix, tmp_path, **settings) as (_, worker):
                await put_profiles(address, topic_prefix)
                contents = ("level 0 zanzibar", "level 1 zanzibar", "level 3 zanzibar")

                async def known():
                    asked = question(f"w {time.monotonic()}", *contents, question="flamingo")
                    (verdict,) = await ask(address, topic_prefix, asked)
                    return verdict if verdict["status"] != "disabled" else None

                verdict = await wait_until(known, "the profiles to arrive", 30, every_s=0.1)
                seen = await metrics_of(worker.spec.port)

        seen += (tmp_path / "worker-1.log").read_text("utf-8")
        assert verdict["status"] == status
        searched = ["c0", "c1", "c2"]
        assert order(verdict) == (searched[::-1] if status == "applied" else searched)
        assert verdict["judge"] == "system_one:clef-flash"
        # 30 of the budget are kept for storing; beyond it a busy machine gets some slack.
        assert verdict["timings_ms"]["kb_judge"] < 2_000
        assert "zanzibar" not in seen
        assert "flamingo" not in seen
        assert "system_one" in seen


class TestLoad:
    async def test_load_publishes_all_or_nothing(self, broker, cache, topic_prefix, tmp_path):
        """
        `turngate kb load` puts a file's entries before the workers, or says what is wrong; `kb
        delete` takes them out.
        """

        def kb(*arguments: str):
            return subprocess.run(  # noqa: S603 - our own program
                [sys.executable, "-m", "workers.cli", "kb", *arguments],
                env={"KAFKA": broker.address, "TURNGATE_PREFIX": topic_prefix, "PATH": ""},
                cwd=Path(__file__).parents[2],
                capture_output=True,
                text=True,
                check=False,
            )

        rows = [
            {"id": name, "tenant": TENANT, "title": name, "content": text}
            for name, text in ENTRIES.items()
        ]
        good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
        good.write_text("\n".join(map(json.dumps, rows)), "utf-8")
        bad.write_text(good.read_text("utf-8") + '\n{"id": "zanzibar"}', "utf-8")
        async with hot_worker(broker, cache, topic_prefix, tmp_path, **PATIENT) as (stack, _):
            refused = kb("load", str(bad))
            nothing = await read_all(broker.address, f"{topic_prefix}kb.entries")
            loaded = kb("load", str(good))
            await until_indexed(stack, len(rows))
            deleted = kb("delete", TENANT, "pool", "never")
            await until_indexed(stack, len(rows) - 1)

        assert (refused.returncode, nothing) == (1, [])
        assert "bad.jsonl:4: " in refused.stderr
        assert "zanzibar" not in refused.stderr
        assert "nothing was published" in refused.stderr
        assert loaded.returncode == 0, loaded.stderr
        assert json.loads(loaded.stdout.splitlines()[-1]) == {
            "published": 3,
            "tenants": {TENANT: 3},
        }
        assert json.loads(deleted.stdout.splitlines()[-1]) == {"deleted": 2}
        records = await read_all(broker.address, f"{topic_prefix}kb.entries")
        assert [(record.key, record.value is None) for record in records] == [
            (b"acme/price", False),
            (b"acme/hours", False),
            (b"acme/pool", False),
            (b"acme/pool", True),
            (b"acme/never", True),
        ]
