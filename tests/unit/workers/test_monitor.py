"""Metrics and health over HTTP."""

import asyncio
import json
import socket
import urllib.error
import urllib.request

import pytest

from workers import metrics
from workers.errors import SettingsError
from workers.loopback import free_port
from workers.monitor import monitor


async def get(port: int, path: str) -> tuple[int, str]:
    def fetch() -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    return await asyncio.to_thread(fetch)


class TestMonitor:
    async def test_ready_only_when_every_part_is(self):
        """
        One part that is not ready makes the worker not ready, and the answer says which.
        """
        parts = {"models": True, "records_flow": False}
        async with monitor("127.0.0.1", 0, lambda: parts) as port:
            before = await get(port, "/readyz")
            parts["records_flow"] = True
            after = await get(port, "/readyz")

        assert before[0] == 503
        assert json.loads(before[1])["parts"] == {"models": True, "records_flow": False}
        assert after[0] == 200

    async def test_a_degraded_part_is_named_and_ready(self):
        """
        Whoever asks sees what works in its conservative tier, and may still send turns.
        """
        metrics.DEGRADED.labels("judge").set(1)
        try:
            async with monitor("127.0.0.1", 0, lambda: {"models": True}) as port:
                status, body = await get(port, "/readyz")
        finally:
            metrics.DEGRADED.labels("judge").set(0)

        assert status == 200
        assert "judge" in json.loads(body)["degraded"]

    async def test_readiness_is_a_metric_too(self):
        """
        What stands in the way can be seen and alerted on, part by part.
        """
        async with monitor("127.0.0.1", 0, lambda: {"records_flow": False}) as port:
            _, page = await get(port, "/metrics")

        assert 'turngate_ready{part="records_flow"} 0.0' in page

    async def test_metrics_and_health(self):
        """
        Our metrics are on the page, and the process answers.
        """
        async with monitor("127.0.0.1", 0, dict) as port:
            page = await get(port, "/metrics")
            health = await get(port, "/healthz")

        assert "turngate_breaker_open" in page[1]
        assert health[0] == 200

    async def test_it_listens_where_it_was_told(self):
        """
        Another address of this machine is not answered.
        """
        # Who listens everywhere has another port for each kind of address where it is given 0.
        async with monitor("127.0.0.1", free_port(), dict) as port:
            with socket.socket() as other:
                other.settimeout(5)
                assert other.connect_ex(("127.0.0.2", port)) != 0

    async def test_a_port_that_is_taken_is_named(self):
        """
        The start says which setting does not fit.
        """
        async with monitor("127.0.0.1", 0, dict) as port:
            with pytest.raises(SettingsError, match="TURNGATE_MONITOR_PORT"):
                async with monitor("127.0.0.1", port, dict):
                    pass

    async def test_workers_on_one_machine_take_the_next_port(self):
        """
        A second worker with the same settings listens beside the first one.
        """
        async with (
            monitor("127.0.0.1", 0, dict) as first,
            monitor("127.0.0.1", first, dict, tries=8) as second,
        ):
            status, _ = await get(second, "/healthz")

        assert first < second < first + 8
        assert status == 200

    async def test_an_address_that_is_not_ours_is_not_tried_again(self):
        """
        Only a taken port is worth a look at the next one.
        """
        with pytest.raises(SettingsError, match=r"203\.0\.113\.1"):
            async with monitor("203.0.113.1", 9464, dict, tries=8):
                pass

    async def test_it_can_be_turned_off(self):
        """
        Port -1 serves nothing.
        """
        async with monitor("127.0.0.1", -1, dict) as port:
            assert port is None
