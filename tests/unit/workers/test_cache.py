"""What the cache counts of its round trips."""

from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import REGISTRY
from redis.exceptions import ConnectionError as RedisConnectionError

from workers.breaker import Breaker
from workers.cache import Cache
from workers.errors import CacheUnavailable


def make_cache(error: Exception | None) -> Cache:
    """Make one on a Redis that takes all, or fails."""

    async def command(*_arguments: Any, **_options: Any) -> None:
        if error is not None:
            raise error

    client: Any = SimpleNamespace(set=command, delete=command)
    return Cache(client, Breaker(name="test", failures=99, probe_every_s=1), 1.0)


def counted(operation: str) -> tuple[float, float]:
    """Return how many round trips there were, and how many failed for want of a connection."""
    name, labels = "turngate_cache", {"operation": operation}
    timed = REGISTRY.get_sample_value(f"{name}_seconds_count", labels)
    failed = REGISTRY.get_sample_value(f"{name}_errors_total", labels | {"fault": "connection"})
    return timed or 0.0, failed or 0.0


@pytest.mark.parametrize("failing", [False, True], ids=["succeeds", "fails"])
@pytest.mark.parametrize("operation", ["probe", "forget_router"])
async def test_every_round_trip_that_can_fail_is_one(operation, failing) -> None:
    """Whoever divides failures by round trips gets a share: probes are counted in both."""
    cache = make_cache(RedisConnectionError() if failing else None)
    timed, failed = counted(operation)

    work = cache.probe() if operation == "probe" else cache.forget_router(b"key")
    if failing:
        with pytest.raises(CacheUnavailable):
            await work
    else:
        await work

    assert counted(operation) == (timed + 1, failed + failing)
