"""The circuit breaker."""

import asyncio
from typing import Any

import pytest

from tests.waiting import wait_until
from workers.breaker import Breaker
from workers.errors import CacheUnavailable


def make_breaker(**overrides: Any) -> Breaker:
    fields: dict[str, Any] = {"name": "test", "failures": 3, "probe_every_s": 0.001}
    return Breaker(**(fields | overrides))


class TestBreaker:
    async def test_opens_after_failures_in_a_row(self):
        """
        The last of the allowed failures opens it, not an earlier one.
        """
        breaker = make_breaker()

        breaker.failed()
        breaker.failed()
        assert not breaker.is_open
        breaker.failed()

        assert breaker.is_open

    async def test_a_success_between_starts_the_count_anew(self):
        """
        Failures that are not in a row do not open it.
        """
        breaker = make_breaker()

        for _ in range(5):
            breaker.failed()
            breaker.failed()
            breaker.succeeded()

        assert not breaker.is_open

    @pytest.mark.parametrize("failing", [pytest.param(0, id="first"), pytest.param(3, id="fourth")])
    async def test_the_first_good_probe_closes_it(self, failing):
        """
        Probes go on until one succeeds; then callers are let through again.
        """
        asked = 0

        async def probe() -> None:
            nonlocal asked
            asked += 1
            if asked <= failing:
                raise CacheUnavailable("down")

        breaker = make_breaker()
        async with asyncio.TaskGroup() as tasks:
            watcher = tasks.create_task(breaker.watch(probe))
            for _ in range(3):
                breaker.failed()
            await wait_until(lambda: not breaker.is_open, description="closed")
            watcher.cancel()

        assert asked == failing + 1

    async def test_a_fault_of_ours_in_the_probe_is_not_swallowed(self):
        """
        Only an edge error means that Redis is still away; anything else ends the watcher.
        """

        async def probe() -> None:
            raise ZeroDivisionError

        breaker = make_breaker()
        breaker.failed()
        breaker.failed()
        breaker.failed()

        with pytest.raises(ZeroDivisionError):
            await breaker.watch(probe)
