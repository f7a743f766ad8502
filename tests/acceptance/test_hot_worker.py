"""The hot worker as a process: work, stop, crash, broken parts."""

import asyncio
import json
import shutil
import signal
import sys
import time
from typing import Any

import pytest

from tests.acceptance.hot import (
    ask,
    decide,
    decisions,
    environment,
    hot_worker,
    metrics_of,
    predict,
    predictions,
    ready_to_serve,
    utterance,
)
from tests.faults.driver import play, validity_of
from tests.faults.fault import BLACKHOLE, PASS
from tests.faults.proxy import FaultProxy
from tests.faults.schedule import every_poison, predictions_for, schedule
from tests.records import produce, read_all, read_json
from tests.verifier import verify
from tests.waiting import wait_until
from workers.admin import connection, create_topics
from workers.child import ChildFailed
from workers.settings import Settings, load
from workers.up import running_stack

pytestmark = pytest.mark.timeout(120)


async def verified(address, prefix, sent):
    return verify(
        utterances=await read_all(address, f"{prefix}turn.utterances"),
        decisions=await read_all(address, f"{prefix}turn.decisions"),
        dead_letters=await read_all(address, f"{prefix}dead.letters"),
        predictions=await read_all(address, f"{prefix}turn.predictions"),
        validity=validity_of(sent),
    )


async def settled(address, prefix, sent):
    """Wait until every record has its decision or dead letter, and return the verifier's report."""

    async def complete():
        report = await verified(address, prefix, sent)
        return report if "I1" not in report.broken() else None

    return await wait_until(complete, "an outcome of every record", 60, every_s=0.5)


def log_events(folder) -> list[dict[str, Any]]:
    lines = (folder / "worker-1.log").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


class TestWork:
    async def test_serves_what_was_predicted_and_drains_on_sigterm(
        self, broker, cache, topic_prefix, tmp_path
    ):
        """
        A mixed stream ends in one decision or dead letter a record, and SIGTERM in exit code 0.
        """
        items = schedule(1, records=120)
        async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, worker):
            await ready_to_serve(stack, broker.address, topic_prefix)
            await predict(
                stack, topic_prefix, *predictions_for(items, now_ms=int(time.time() * 1e3))
            )
            sent = await play(
                broker.address, f"{topic_prefix}turn.utterances", items, per_second=60
            )
            await worker.stop()

            assert worker.exit_code == 0

        async with hot_worker(broker, cache, topic_prefix, tmp_path):
            report = await settled(broker.address, topic_prefix, sent)
        served = [
            decision
            for decision in await read_json(broker.address, f"{topic_prefix}turn.decisions")
            if decision["kind"] == "serve"
        ]
        assert report.broken() <= {"I1"}, str(report)
        assert not [violation for violation in report.violations if violation.invariant != "I1"]
        assert served

    async def test_no_text_reaches_the_log(self, broker, cache, topic_prefix, tmp_path):
        """
        What a caller said is in topics and nowhere else.
        """
        said = "zanzibar flamingo please"
        async with hot_worker(broker, cache, topic_prefix, tmp_path, log_level="DEBUG") as (
            stack,
            worker,
        ):
            await ready_to_serve(stack, broker.address, topic_prefix)
            await predict(stack, topic_prefix, predictions("c", said))
            await decide(broker.address, topic_prefix, utterance("c", said))
            metrics = await metrics_of(worker.spec.port)

        log = (tmp_path / "worker-1.log").read_text("utf-8")
        assert "decided" in log
        assert "zanzibar" not in log + metrics

    async def test_a_missing_secret_is_told_at_the_start(
        self, broker, cache, topic_prefix, tmp_path
    ):
        """
        Whoever runs a worker without one finds it in the log.
        """
        given = environment(broker, cache, topic_prefix, monitor_port="0")
        del given["TURNGATE_CACHE_SECRET"]
        await create_topics(connection(load(given)), prefix=topic_prefix)
        log = tmp_path / "worker-1.log"
        with log.open("wb") as stream:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "workers.cli", "hot"), env=given, stderr=stream
            )
        try:
            await wait_until(
                lambda: "cache_secret_missing" in log.read_text("utf-8"), "the warning", 60
            )
        finally:
            process.kill()
            await process.wait()


class TestKill:
    @pytest.mark.parametrize("seed", [11, 12, 13])
    async def test_kill_9_in_the_middle_repeats_identically(
        self, broker, cache, topic_prefix, tmp_path, seed
    ):
        """
        Nothing is lost, and what comes again has the decision that it had.
        """
        items = schedule(seed, records=90)
        async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, worker):
            await ready_to_serve(stack, broker.address, topic_prefix)
            await predict(
                stack, topic_prefix, *predictions_for(items, now_ms=int(time.time() * 1e3))
            )

            async def kill() -> None:
                stack.workers[0]._process.kill()

            sent = await play(
                broker.address,
                f"{topic_prefix}turn.utterances",
                items,
                per_second=60,
                strikes={30 + seed: kill},
            )
            report = await settled(broker.address, topic_prefix, sent)

        assert worker.restarts == 1
        assert report.ok, str(report)


class TestRedis:
    @pytest.mark.parametrize("how", ["frozen", "killed"])
    async def test_without_redis_turns_miss_in_time_and_then_recover(
        self, broker, own_cache, topic_prefix, tmp_path, how
    ):
        """
        A frozen or killed Redis costs hits and milliseconds, never a decision.
        """
        address = own_cache.url.removeprefix("redis://").partition("/")[0]
        async with FaultProxy(target=address) as proxy:

            class Proxied:
                url = f"redis://{proxy.address}/0"

            async with hot_worker(
                broker,
                Proxied,
                topic_prefix,
                tmp_path,
                redis_timeout_s="0.1",
                breaker_probe_s="0.1",
            ) as (stack, worker):
                await ready_to_serve(stack, broker.address, topic_prefix)
                if how == "frozen":
                    await proxy.become(BLACKHOLE)
                else:
                    own_cache.process.kill()

                during = [
                    await decide(broker.address, topic_prefix, utterance(f"c{n}", "yes please"))
                    for n in range(8)
                ]
                if how == "frozen":
                    await proxy.become(PASS)
                else:
                    own_cache.process.restart()

                async def closed() -> bool:
                    return "turngate_breaker_open 0.0" in await metrics_of(worker.spec.port)

                await wait_until(closed, "the breaker to close", 20, every_s=0.1)
                calls = iter(f"after {n}" for n in range(1_000))

                async def served() -> bool:
                    # On a busy machine a healthy Redis may be late once.
                    call = next(calls)
                    await predict(stack, topic_prefix, predictions(call, "yes please"))
                    said = utterance(call, "yes please")
                    return (await decide(broker.address, topic_prefix, said))["playable"]

                await wait_until(served, "a turn to be served again", 30)

        assert {decision["status"] for decision in during} == {"error"}
        assert {decision["kind"] for decision in during} == {"miss"}
        assert during[-1]["reasons"] == ["breaker_open"]
        assert max(decision["timings_ms"]["total"] for decision in during) < 1_000


class TestStop:
    async def test_sigterm_with_an_event_that_does_not_end_in_time(
        self, broker, cache, topic_prefix, tmp_path
    ):
        """
        An event that outlives the drain makes the stop a hard one, and it comes again.
        """
        turns = 6
        async with FaultProxy(target=cache.url.removeprefix("redis://").partition("/")[0]) as proxy:

            class Proxied:
                url = f"redis://{proxy.address}/0"

            # Each turn now waits a whole second for Redis, five times as long as the drain.
            slow = {"redis_timeout_s": "1", "breaker_failures": "1000", "drain_s": "0.2"}
            async with hot_worker(broker, Proxied, topic_prefix, tmp_path, **slow) as (
                stack,
                worker,
            ):
                await ready_to_serve(stack, broker.address, topic_prefix)
                await proxy.become(BLACKHOLE)
                await ask(
                    broker.address,
                    topic_prefix,
                    *(utterance("hung", "yes please", seq=seq) for seq in range(turns)),
                )
                await decisions_of("hung", broker.address, topic_prefix, 1)
                await worker.stop()

        assert worker.exit_code not in (0, -signal.SIGKILL)
        async with hot_worker(broker, cache, topic_prefix, tmp_path):
            found = await decisions_of("hung", broker.address, topic_prefix, turns)
        assert {decision["seq"] for decision in found} == set(range(turns))


async def decisions_of(call_id, address, prefix, turns):
    async def complete():
        found = [
            decision
            for decision in await read_json(address, f"{prefix}turn.decisions")
            if decision["call_id"] == call_id
        ]
        return found if len({decision["seq"] for decision in found}) >= turns else None

    return await wait_until(complete, f"{turns} turns of {call_id}", 40, every_s=0.3)


class TestBundles:
    async def test_a_corrupted_judge_degrades_loudly(self, broker, cache, topic_prefix, tmp_path):
        """
        One flipped bit: decisions go on in the conservative tier, and say so everywhere.
        """
        folder = tmp_path / "judge"
        shutil.copytree(Settings().judge, folder)
        flip_a_bit(folder / "model.onnx")
        async with hot_worker(broker, cache, topic_prefix, tmp_path, judge=str(folder)) as (
            stack,
            worker,
        ):
            await ready_to_serve(stack, broker.address, topic_prefix)
            await predict(stack, topic_prefix, predictions("c", "no thank you", "yes please"))
            exact = await decide(broker.address, topic_prefix, utterance("c", "yes please"))
            metrics = await metrics_of(worker.spec.port)

        errors = [line for line in log_events(tmp_path) if line["event"] == "judge_degraded"]
        assert exact["status"] == "degraded"
        assert "judge" not in exact["bundles"]
        assert 'turngate_degraded{component="judge"} 1.0' in metrics
        assert errors
        assert errors[0]["level"] == "error"

    async def test_a_corrupted_encoder_refuses_to_start(
        self, broker, cache, topic_prefix, tmp_path
    ):
        """
        Without vectors there is no gate: the start ends and names the part.
        """
        folder = tmp_path / "encoder"
        shutil.copytree(Settings().encoder, folder)
        flip_a_bit(folder / "tokenizer.json")
        given = environment(broker, cache, topic_prefix, encoder=str(folder))

        with pytest.raises(ChildFailed, match=r"tokenizer\.json"):
            async with running_stack(given, logs=tmp_path):
                pass


def flip_a_bit(path) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)


class TestPoison:
    async def test_every_kind_is_one_dead_letter_and_the_next_turn_is_decided(
        self, broker, cache, topic_prefix, tmp_path
    ):
        """
        No bad record stops the worker, is lost, or shows its text in the reason.
        """
        poison = every_poison(3, large=False)
        async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, worker):
            await ready_to_serve(stack, broker.address, topic_prefix)
            sent = await play(broker.address, f"{topic_prefix}turn.utterances", poison)
            good = await decide(broker.address, topic_prefix, utterance("good", "yes please"))

            async def all_there() -> list[dict]:
                found = await read_json(broker.address, f"{topic_prefix}dead.letters")
                return found if len(found) >= len(sent) else []

            letters = await wait_until(all_there, "all dead letters", 20, every_s=0.2)
            restarts = worker.restarts

        places = {(letter["partition"], letter["offset"]) for letter in letters}
        assert good["reasons"] == ["no_predictions"]
        assert len(letters) == len(sent)
        assert places == set(validity_of(sent))
        assert restarts == 0

    @pytest.mark.parametrize("topic", ["turn.predictions", "agent.profiles"])
    async def test_poison_on_the_other_inputs(self, broker, cache, topic_prefix, tmp_path, topic):
        """
        Every input topic refuses bad records by a dead letter.
        """
        async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, _worker):
            await ready_to_serve(stack, broker.address, topic_prefix)
            await produce(
                broker.address, f"{topic_prefix}{topic}", [utterance("c", "no event of this topic")]
            )

            async def there() -> list[dict]:
                return await read_json(broker.address, f"{topic_prefix}dead.letters")

            letters = await wait_until(there, "the dead letter", 20, every_s=0.2)

        assert [letter["topic"] for letter in letters] == [f"{topic_prefix}{topic}"]

    async def test_unknown_agents_and_versions(self, broker, cache, topic_prefix, tmp_path):
        """
        An unknown tenant is a bypass, an unknown version a dead letter; each says why.
        """
        async with hot_worker(broker, cache, topic_prefix, tmp_path) as (stack, _worker):
            await ready_to_serve(stack, broker.address, topic_prefix)
            stranger = await decide(
                broker.address, topic_prefix, utterance("c1", "hello", tenant_id="nobody")
            )
            await produce(
                broker.address,
                f"{topic_prefix}turn.utterances",
                [utterance("c2", "hello", schema_version=99)],
            )

            async def there() -> list[dict]:
                return await read_json(broker.address, f"{topic_prefix}dead.letters")

            letters = await wait_until(there, "the dead letter", 20, every_s=0.2)
            await decisions(broker.address, topic_prefix, 2)

        assert (stranger["kind"], stranger["reasons"]) == ("bypass", ["unknown_agent"])
        assert "version" in letters[0]["reason"]
