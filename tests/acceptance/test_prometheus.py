"""A real Prometheus with our rules, on a real worker."""

import asyncio
import contextlib
import json
import subprocess
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator
from typing import Any

import pytest
import yaml

from tests.acceptance.hot import ask, decide, hot_worker, ready_to_serve, utterance
from tests.deployed import DASHBOARD, RULES, alerts, metric_names, rules, tool
from tests.waiting import wait_until
from workers.loopback import LOOPBACK, free_port

pytestmark = pytest.mark.timeout(180)

#: Alerts of these rules would wait for minutes or hours; a test cannot.
SHORT = "1s"


#: Series whose labels appear with their first event, or with a setting.
LATER = {
    "turngate_audit_precision_lower95",
    "turngate_audit_served",
    "turngate_audit_timestamp_seconds",
    "turngate_cache_errors_total",
    "turngate_dead_letters_total",
    "turngate_gap_events_total",
    "turngate_gaps",
    "turngate_gate_passed",
    "turngate_gate_timestamp_seconds",
    "turngate_predictions_total",
    "turngate_review_items_total",
    "turngate_reviewed_total",
    "turngate_routers",
    "turngate_routes_total",
    "turngate_system_one_seconds_bucket",
    "turngate_verdicts_total",
}


def named() -> set[str]:
    """Name the metrics of all rules and panels."""
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    queries = [rule["expr"] for rule in rules()]
    queries += [target["expr"] for panel in panels for target in panel.get("targets", ())]
    return {name for query in queries for name in metric_names(query)}


class Prometheus:
    """A running Prometheus, asked over HTTP."""

    def __init__(self, port: int) -> None:
        self._base = f"http://{LOOPBACK}:{port}"

    async def ask(self, path: str, **parameters: str) -> Any:
        """Ask its API; None while it does not answer."""
        query = urllib.parse.urlencode(parameters)

        def fetch() -> Any:
            try:
                with urllib.request.urlopen(  # noqa: S310 - our own, on loopback
                    f"{self._base}/api/v1/{path}?{query}"
                ) as answer:
                    return json.load(answer)["data"]
            except OSError:
                return None

        return await asyncio.to_thread(fetch)

    async def firing(self) -> set[str]:
        """Name the alerts that fire now."""
        found = await self.ask("alerts")
        return {
            alert["labels"]["alertname"]
            for alert in (found or {"alerts": []})["alerts"]
            if alert["state"] == "firing"
        }


@contextlib.asynccontextmanager
async def prometheus(folder, target: str) -> AsyncIterator[Prometheus]:
    """Run one that scrapes a worker every second, with our rules made impatient."""
    program = tool("prometheus")
    document = yaml.safe_load(RULES.read_text("utf-8"))
    for group in document["groups"]:
        group["interval"] = "1s"
        for rule in group["rules"]:
            if "alert" in rule:
                rule["for"] = SHORT
    (folder / "rules.yml").write_text(yaml.safe_dump(document), "utf-8")
    config = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": ["rules.yml"],
        "scrape_configs": [{"job_name": "turngate", "static_configs": [{"targets": [target]}]}],
    }
    (folder / "prometheus.yml").write_text(yaml.safe_dump(config), "utf-8")
    port = free_port()
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(  # noqa: ASYNC220, S603 - starts at once and runs beside us
            [
                program,
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address={LOOPBACK}:{port}",
            ],
            stdout=log,
            stderr=log,
        )
    try:
        yield Prometheus(port)
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait, 20)


async def test_rules_evaluate_and_a_dead_redis_is_alerted_on(
    broker, own_cache, topic_prefix, tmp_path
) -> None:
    """
    Every rule evaluates on a real worker's series, none fires in health, and Redis's death does.
    """
    async with (
        hot_worker(broker, own_cache, topic_prefix, tmp_path, breaker_probe_s="0.2") as (
            stack,
            worker,
        ),
        prometheus(tmp_path, f"{LOOPBACK}:{worker.spec.port}") as server,
    ):
        await ready_to_serve(stack, broker.address, topic_prefix)

        async def evaluated() -> list[dict[str, Any]]:
            found = await server.ask("rules")
            every = [
                rule for group in (found or {"groups": []})["groups"] for rule in group["rules"]
            ]
            done = every and all(rule["lastEvaluation"] > "0001-02" for rule in every)
            return every if done else []

        found = await wait_until(evaluated, "every rule to be evaluated", 40, every_s=0.5)
        assert {rule["name"] for rule in found if rule["type"] == "alerting"} == set(alerts())
        assert [
            (rule["name"], rule.get("lastError")) for rule in found if rule["health"] != "ok"
        ] == []

        async def scraped() -> bool:
            names = await server.ask("label/__name__/values")
            return names is not None and named() - set(names) <= LATER

        await wait_until(scraped, "every series of rules and dashboard", 30, every_s=0.5)
        healthy = await server.firing()
        own_cache.process.kill()

        async def alerted() -> bool:
            await ask(
                broker.address, topic_prefix, utterance("during", "yes please", seq=next(turns))
            )
            return "TurngateRedisBreakerOpen" in await server.firing()

        turns = iter(range(1_000))
        await wait_until(alerted, "the alert on Redis", 60, every_s=1.0)
        during = await server.firing()
        own_cache.process.restart()

        async def over() -> bool:
            return "TurngateRedisBreakerOpen" not in await server.firing()

        await wait_until(over, "the alert to end", 150, every_s=1.0)
        after = await decide(broker.address, topic_prefix, utterance("after", "yes please"))

    assert not healthy & {name for name in alerts() if name.startswith("TurngateRedis")}
    assert "TurngateDegraded" in during
    assert after["status"] == "ok"
