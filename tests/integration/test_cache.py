"""The cache against a real Valkey, healthy and not."""

import asyncio
import contextlib
import time

import pytest
import redis

from tests.faults.fault import BLACKHOLE, PASS, REFUSE, drip, latency, reset
from tests.faults.proxy import FaultProxy
from tests.services import keys_without_ttl
from tests.waiting import wait_until
from workers.cache import Cache, TurnKeys, connect
from workers.errors import CacheUnavailable
from workers.keys import Keys
from workers.settings import load

#: What one round trip may cost beyond its limit on a busy machine, seconds.
SLACK_S = 0.25


@pytest.fixture
async def proxied(cache):
    """Give a cache behind a proxy that can misbehave."""
    address = cache.url.removeprefix("redis://").partition("/")[0]
    async with FaultProxy(target=address) as proxy:
        environment = {
            "TURNGATE_REDIS": f"redis://{proxy.address}/0",
            "TURNGATE_REDIS_TIMEOUT_S": "0.05",
            "TURNGATE_BREAKER_PROBE_S": "0.05",
        }
        async with connect(load(environment)) as connected:
            yield connected, proxy


def make_keys(name: str) -> TurnKeys:
    keys = Keys(name)
    return TurnKeys(
        predictions=keys.predictions("t", "c", 1, "e"),
        newest_turn=keys.newest_turn("t", "c"),
        profile_version=keys.profile_version("t", "a"),
        decision=keys.decision("d"),
    )


async def fail_once(cache: Cache, keys: TurnKeys) -> float:
    """Make one read fail and return how long that took, seconds."""
    started = time.monotonic()
    with pytest.raises(CacheUnavailable):
        await cache.read_turn(keys)
    return time.monotonic() - started


class TestHealthy:
    async def test_values_come_back_in_one_round_trip(self, proxied, fresh_name):
        """
        Predictions, newest turn and profile version are read together.
        """
        cache, _ = proxied
        keys = make_keys(fresh_name("cache"))
        await cache.keep_predictions(keys.predictions, b"v", created_at_ms=5, ttl_ms=60_000)
        await cache.keep_profile_version(keys.profile_version, 3)
        await cache.keep_decision(keys, b"first", seq=7)

        values = await cache.read_turn(keys)

        assert (values.predictions, values.newest_turn, values.profile_version) == (
            b"v",
            b"7",
            b"3",
        )

    async def test_the_first_verdict_on_a_question_stays(self, proxied, cache, fresh_name):
        """
        A second verdict is not kept, the first comes back, and it does not stay for ever.
        """
        connected, _ = proxied
        key = Keys(fresh_name("cache")).verdict("v")

        assert await connected.keep_verdict(key, b"first") == b"first"
        assert await connected.keep_verdict(key, b"second") == b"first"

        with redis.Redis.from_url(cache.url) as client:
            assert 0 < client.ttl(key) <= 3_600

    async def test_the_first_decision_of_a_turn_stays(self, proxied, fresh_name):
        """
        Whoever decides a turn again gets the decision that it has.
        """
        cache, _ = proxied
        keys = make_keys(fresh_name("cache"))

        assert await cache.keep_decision(keys, b"first", seq=1) == b"first"
        assert await cache.keep_decision(keys, b"second", seq=1) == b"first"
        assert await cache.keep_decision(keys, b"third", seq=1) == b"first"

    @pytest.mark.parametrize(
        ("created", "expected"),
        [
            pytest.param((5, 6), b"2", id="newer replaces"),
            pytest.param((6, 5), b"1", id="older does not"),
            pytest.param((5, 5), b"2", id="redelivered"),
        ],
    )
    async def test_the_newest_predictions_of_a_turn_stay(
        self, proxied, fresh_name, created, expected
    ):
        """
        Predictions that arrive late never replace newer ones.
        """
        cache, _ = proxied
        keys = make_keys(fresh_name("cache"))

        for value, created_at_ms in zip((b"1", b"2"), created, strict=True):
            await cache.keep_predictions(
                keys.predictions, value, created_at_ms=created_at_ms, ttl_ms=60_000
            )

        assert (await cache.read_turn(keys)).predictions == expected

    @pytest.mark.parametrize("number", [b"", b"-1", b"x", b"0", b"9" * 18, b"9" * 400])
    async def test_a_time_of_predictions_can_only_withhold(
        self, proxied, cache, fresh_name, number
    ):
        """
        Whatever somebody writes there, a turn has its own predictions or none.
        """
        connected, _ = proxied
        keys = make_keys(fresh_name("cache"))
        with redis.Redis.from_url(cache.url) as client:
            client.set(keys.predictions + b":t", number, ex=60)

        kept = await connected.keep_predictions(
            keys.predictions, b"v", created_at_ms=5, ttl_ms=60_000
        )

        assert (await connected.read_turn(keys)).predictions == (b"v" if kept else None)

    async def test_numbers_never_sink(self, proxied, fresh_name):
        """
        The newest turn and version stay the newest, whatever order they come in.
        """
        cache, _ = proxied
        keys = make_keys(fresh_name("cache"))

        for number in (4, 9, 2):
            await cache.keep_profile_version(keys.profile_version, number)
            await cache.keep_decision(keys, b"v", seq=number)

        values = await cache.read_turn(keys)
        assert (values.profile_version, values.newest_turn) == (b"9", b"9")

    async def test_every_key_has_a_ttl(self, proxied, fresh_name, cache):
        """
        Nothing that we store stays for ever.
        """
        connected, _ = proxied
        keys = make_keys(fresh_name("cache"))
        await connected.keep_predictions(keys.predictions, b"v", created_at_ms=5, ttl_ms=60_000)
        await connected.keep_profile_version(keys.profile_version, 3)
        await connected.keep_decision(keys, b"first", seq=7)
        await connected.probe()

        assert keys_without_ttl(cache.url) == []


class TestFaults:
    @pytest.mark.parametrize(
        "fault",
        [
            pytest.param(BLACKHOLE, id="frozen"),
            pytest.param(REFUSE, id="down"),
            pytest.param(latency(500), id="slow"),
            pytest.param(drip(1, every_ms=100), id="dripping"),
            pytest.param(reset(after_bytes=3), id="reset in the middle of a reply"),
        ],
    )
    async def test_costs_no_more_than_its_limit(self, proxied, fresh_name, fault):
        """
        Whatever Redis does, the caller knows within the limit that there is no answer.
        """
        cache, proxy = proxied
        keys = make_keys(fresh_name("cache"))
        await cache.read_turn(keys)

        await proxy.become(fault)

        assert await fail_once(cache, keys) < 0.05 + SLACK_S

    async def test_the_breaker_opens_and_closes_by_itself(self, proxied, fresh_name):
        """
        After some failures nobody waits any more; when Redis is back, it is asked again.
        """
        cache, proxy = proxied
        keys = make_keys(fresh_name("cache"))
        await proxy.become(BLACKHOLE)
        for _ in range(5):
            await fail_once(cache, keys)

        accepted = proxy.counts.accepted
        with pytest.raises(CacheUnavailable) as excinfo:
            await cache.read_turn(keys)
        assert excinfo.value.breaker_open
        assert proxy.counts.accepted == accepted

        await proxy.become(PASS)
        await wait_until(lambda: not cache.breaker.is_open, description="the breaker to close")
        assert (await cache.read_turn(keys)).predictions is None

    async def test_a_late_reply_never_answers_another_question(self, proxied, fresh_name):
        """
        A reply that arrives after its reader gave up is dropped with its connection.
        """
        cache, proxy = proxied
        ours, theirs = make_keys(fresh_name("ours")), make_keys(fresh_name("theirs"))
        await cache.keep_predictions(ours.predictions, b"ours", created_at_ms=1, ttl_ms=60_000)
        await cache.keep_predictions(theirs.predictions, b"theirs", created_at_ms=1, ttl_ms=60_000)
        await proxy.become(latency(80))
        await fail_once(cache, theirs)
        await proxy.become(PASS)

        for _ in range(20):
            assert (await cache.read_turn(ours)).predictions == b"ours"

    async def test_many_at_once_wait_for_a_connection(self, cache, fresh_name):
        """
        More callers than connections are served, not refused.
        """
        keys = make_keys(fresh_name("cache"))
        patient = {"TURNGATE_REDIS": cache.url, "TURNGATE_REDIS_TIMEOUT_S": "1"}
        async with connect(load(patient)) as connected:
            values = await asyncio.gather(
                *(connected.read_turn(keys) for _ in range(30)), return_exceptions=True
            )

        assert [value for value in values if isinstance(value, Exception)] == []

    async def test_a_server_without_memory_is_a_refusal(self, own_cache):
        """
        A full server refuses writes; that is an edge error like any other.
        """
        with redis.Redis.from_url(own_cache.url) as client:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "1")
        async with connect(load({"TURNGATE_REDIS": own_cache.url})) as cache:
            with pytest.raises(CacheUnavailable):
                await cache.keep_profile_version(b"tg:v:x", 1)

    async def test_a_value_of_another_type_is_none_or_a_refusal(self, own_cache, fresh_name):
        """
        A list under our key never looks like predictions.
        """
        keys = make_keys(fresh_name("cache"))
        with redis.Redis.from_url(own_cache.url) as client:
            client.rpush(keys.predictions, "x")
            client.expire(keys.predictions, 60)
        async with connect(load({"TURNGATE_REDIS": own_cache.url})) as cache:
            values = await cache.read_turn(keys)

        assert values.predictions is None

    async def test_a_killed_server_that_returns_is_used_again(self, own_cache, fresh_name):
        """
        A restart of Redis needs no restart of ours.
        """
        keys = make_keys(fresh_name("cache"))
        settings = {
            "TURNGATE_REDIS": own_cache.url,
            "TURNGATE_REDIS_TIMEOUT_S": "0.5",
            "TURNGATE_BREAKER_PROBE_S": "0.05",
        }
        async with connect(load(settings)) as cache:
            await cache.read_turn(keys)
            await asyncio.to_thread(own_cache.process.kill)
            for _ in range(6):
                with contextlib.suppress(CacheUnavailable):
                    await cache.read_turn(keys)
            await asyncio.to_thread(own_cache.process.restart)
            await wait_until(lambda: not cache.breaker.is_open, description="the breaker to close")

            await cache.read_turn(keys)
