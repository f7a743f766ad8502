"""Routers in a real Valkey, healthy and not."""

import pytest
import redis

from tests.faults.fault import BLACKHOLE, PASS
from tests.faults.proxy import FaultProxy
from workers import cache as cache_module
from workers.cache import ROUTER_TTL_S, connect
from workers.errors import CacheUnavailable
from workers.keys import Keys
from workers.settings import load


@pytest.fixture
def key(fresh_name) -> bytes:
    return Keys(fresh_name("router")).router("t", "a", "encoder", "digest")


@pytest.fixture
async def proxied(cache):
    """Give a cache behind a proxy that can misbehave, whose breaker opens at one failure."""
    address = cache.url.removeprefix("redis://").partition("/")[0]
    async with FaultProxy(target=address) as proxy:
        environment = {
            "TURNGATE_REDIS": f"redis://{proxy.address}/0",
            "TURNGATE_BREAKER_FAILURES": "1",
        }
        async with connect(load(environment)) as connected:
            yield connected, proxy


async def test_a_router_comes_back_whole(proxied, key):
    """
    Megabytes of any bytes, as they were.
    """
    stored, _ = proxied
    value = bytes(range(256)) * 40_000

    await stored.keep_router(key, value)

    assert await stored.read_router(key) == value
    await stored.forget_router(key)
    assert await stored.read_router(key) is None


async def test_reading_keeps_it_for_longer(proxied, cache, key):
    """
    A router that workers load does not expire under them; every key has a time to live.
    """
    stored, _ = proxied
    await stored.keep_router(key, b"v")
    with redis.Redis.from_url(cache.url) as client:
        client.expire(key, 10)

        await stored.read_router(key)

        assert ROUTER_TTL_S - 60 < client.ttl(key) <= ROUTER_TTL_S


async def test_one_of_two_claims(proxied, cache, key):
    """
    The second one learns that there was a first, until that is forgotten or expires.
    """
    stored, _ = proxied

    assert await stored.claim_router(key, 60)
    assert not await stored.claim_router(key, 60)

    with redis.Redis.from_url(cache.url) as client:
        assert 0 < client.ttl(key) <= 60
    await stored.forget_router(key)
    assert await stored.claim_router(key, 60)


async def test_a_claim_is_held(proxied, cache, key):
    """
    Whoever works on it keeps it; one that is gone does not come back.
    """
    stored, _ = proxied
    await stored.claim_router(key, 60)

    await stored.hold_router(key, 600)

    with redis.Redis.from_url(cache.url) as client:
        assert 60 < client.ttl(key) <= 600
        client.delete(key)
        await stored.hold_router(key, 600)
        assert not client.exists(key)


async def test_a_slow_store_does_not_make_turns_misses(proxied, key, monkeypatch):
    """
    What no caller waits for tells the breaker nothing, neither its failures nor its successes.
    """
    stored, proxy = proxied
    monkeypatch.setattr(cache_module, "_ROUTER_LIMIT_S", 0.05)
    await proxy.become(BLACKHOLE)

    with pytest.raises(CacheUnavailable):
        await stored.keep_router(key, b"v")

    await proxy.become(PASS)
    assert not stored.breaker.is_open
