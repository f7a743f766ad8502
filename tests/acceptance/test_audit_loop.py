"""From a wrong serve to a banned pair, as an auditor does it, with a worker that runs."""

import asyncio
import json
import time
from typing import Any

import pytest
from click.testing import CliRunner

from tests.acceptance.hot import (
    decide,
    hot_worker,
    metrics_of,
    predict,
    predictions,
    ready_to_serve,
    utterance,
)
from tests.waiting import wait_until
from workers.cli import main

pytestmark = pytest.mark.timeout(120)

#: A ban that takes longer than this is not "at once"; a busy machine included, seconds.
AT_ONCE_S = 10


async def test_a_wrong_serve_is_banned_while_the_worker_runs(
    broker, cache, topic_prefix, tmp_path
) -> None:
    """
    Fetch, sample, judge, ban: the next caller is not told the same wrong thing; lifting undoes it.

    The worker's metrics tell of the report as soon as it is recorded.
    """
    log, cases, labels = (str(tmp_path / name) for name in ("log", "cases", "labels"))
    given = {"KAFKA": broker.address, "TURNGATE_PREFIX": topic_prefix}

    async def turngate(*arguments: str, said: str = "") -> dict[str, Any]:
        result = await asyncio.to_thread(CliRunner(env=given).invoke, main, arguments, input=said)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout.splitlines()[-1])

    record = tmp_path / "audit.json"
    async with hot_worker(broker, cache, topic_prefix, tmp_path, audit_record=str(record)) as (
        stack,
        worker,
    ):
        await ready_to_serve(stack, broker.address, topic_prefix)
        calls = iter(range(1_000))

        async def says_it() -> dict[str, Any]:
            call = f"call {next(calls)}"
            await predict(stack, topic_prefix, predictions(call, "yes please"))
            return await decide(broker.address, topic_prefix, utterance(call, "Yes please."))

        served = await says_it()
        assert served["playable"]
        await turngate("audit", "fetch", "--out", log)
        drawn = await turngate("audit", "sample", log, "--out", cases)
        await turngate("audit", "label", cases, "--labels", labels, "--by", "kim", said="n\n")
        unrecorded = await metrics_of(worker.spec.port)
        report = await turngate(
            *("audit", "report", cases, "--labels", labels, "--record", str(record))
        )
        banned = await turngate("deny", "labelled", log, "--labels", labels, "--by", "kim")

        async def silent() -> bool:
            return not (await says_it())["playable"]

        started_s = time.monotonic()
        await wait_until(silent, "the pair to be banned", 60, every_s=0.1)
        took_s = time.monotonic() - started_s
        page = await metrics_of(worker.spec.port)
        tenant = served["tenant_id"]
        await turngate("deny", "remove", "--tenant", tenant, "yes please", "yes please")

        async def plays_again() -> bool:
            return (await says_it())["playable"]

        await wait_until(plays_again, "the ban to be lifted", 60, every_s=0.1)

    assert drawn["drawn"] >= 1
    assert report["weighted_precision"] == 0
    assert len(banned["denied"]) == 1
    assert took_s < AT_ONCE_S
    assert "turngate_denials 1.0" in page
    assert "turngate_audit_served{" not in unrecorded
    assert 'turngate_audit_served{language="en",verdict="wrong"} 1.0' in page
    assert 'turngate_audit_precision_lower95{language="en"} 0.0' in page
