"""Metrics and health over HTTP."""

import asyncio
import urllib.error
import urllib.request

import pytest

import workers.metrics  # noqa: F401 - registers what is looked for
from workers.errors import SettingsError
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
        assert '"records_flow":false' in before[1]
        assert after[0] == 200

    async def test_metrics_and_health(self):
        """
        Our metrics are on the page, and the process answers.
        """
        async with monitor("127.0.0.1", 0, dict) as port:
            metrics = await get(port, "/metrics")
            health = await get(port, "/healthz")

        assert "turngate_breaker_open" in metrics[1]
        assert health[0] == 200

    async def test_a_port_that_is_taken_is_named(self):
        """
        The start says which setting does not fit.
        """
        async with monitor("127.0.0.1", 0, dict) as port:
            with pytest.raises(SettingsError, match="TURNGATE_MONITOR_PORT"):
                async with monitor("127.0.0.1", port, dict):
                    pass

    async def test_it_can_be_turned_off(self):
        """
        Port -1 serves nothing.
        """
        async with monitor("127.0.0.1", -1, dict) as port:
            assert port is None
