"""
Redis: one bounded round trip a turn, behind a circuit breaker.

Every failure of Redis is one of two errors of ours, and both are a miss for the caller: it did not
answer (CacheUnavailable), or what it answered is not what we wrote (CacheGarbage).
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeoutError

from workers import metrics
from workers.background import beside
from workers.breaker import Breaker
from workers.errors import CacheGarbage, CacheUnavailable, SettingsError
from workers.settings import Settings

_log = logging.getLogger(__name__)

#: How long a decision stays repeatable, seconds: far longer than Kafka redelivers after a crash.
DECISION_TTL_S = 3_600
#: How long the newest turn of a call is known, seconds: longer than a call.
CALL_TTL_S = 4 * 3_600
#: How long an agent's newest profile version is known, seconds; workers renew it when they start.
PROFILE_TTL_S = 7 * 86_400
#: How long a compiled router is kept, seconds; renewed whenever a worker loads it.
ROUTER_TTL_S = 7 * 86_400
#: Limit on loading and keeping a router, seconds: megabytes, and no caller waits.
_ROUTER_LIMIT_S = 5.0
#: Limit on work that no caller waits for, seconds.
_UNHURRIED_S = 0.25
#: Connecting costs a few round trips more than a command, seconds.
_CONNECT_S = 0.05
#: A TLS handshake costs two round trips more, and some milliseconds of a busy core.
_CONNECT_TLS_S = 0.2

# Stores a number unless a larger one is there; returns nothing that anybody needs.
_RAISE_NUMBER = """
local held = tonumber(redis.call('GET', KEYS[1]) or '-1') or -1
if tonumber(ARGV[1]) > held then redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2]) end
"""
# Stores a decision unless there is one, and the newest turn: KEYS decision, turn; ARGV value, TTL,
# turn, TTL. Returns the decision that was there.
_KEEP_FIRST = """
local first = redis.call('SET', KEYS[1], ARGV[1], 'NX', 'GET', 'EX', ARGV[2])
local held = tonumber(redis.call('GET', KEYS[2]) or '-1') or -1
if tonumber(ARGV[3]) > held then redis.call('SET', KEYS[2], ARGV[3], 'EX', ARGV[4]) end
return first
"""
# Stores predictions unless newer ones are there: KEYS value, time; ARGV value, time, TTL.
_STORE_IF_NEWER = """
local held = tonumber(redis.call('GET', KEYS[2]) or '-1') or -1
if tonumber(ARGV[2]) < held then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
return 1
"""


@dataclass(frozen=True, slots=True)
class TurnKeys:
    """The keys that one turn needs."""

    predictions: bytes
    newest_turn: bytes
    profile_version: bytes
    #: Written once the turn is decided.
    decision: bytes


@dataclass(frozen=True, slots=True)
class TurnValues:
    """What was found under them, raw."""

    predictions: bytes | None
    newest_turn: bytes | None
    profile_version: bytes | None


class Cache:
    """The round trips that Turngate makes; build one with `connect`."""

    def __init__(self, client: Redis, breaker: Breaker, timeout_s: float) -> None:
        self._client = client
        self._breaker = breaker
        self._timeout_s = timeout_s

    @property
    def breaker(self) -> Breaker:
        """The breaker in front of every round trip."""
        return self._breaker

    async def read_turn(self, keys: TurnKeys) -> TurnValues:
        """
        Read everything that a turn needs, in one round trip.

        Raises:
            CacheUnavailable: no answer within the limit, a refusal, or an open breaker.

        """
        wanted = (keys.predictions, keys.newest_turn, keys.profile_version)
        values = await self._ask("read_turn", self._timeout_s, lambda: self._client.mget(wanted))
        return TurnValues(*values)

    async def keep_decision(self, keys: TurnKeys, value: bytes, seq: int) -> bytes:
        """
        Store a turn's decision unless it has one, and return the one that counts.

        Raises:
            CacheUnavailable: as for `read_turn`.

        """
        earlier: bytes | None = await self._ask(
            "keep_decision",
            self._timeout_s,
            lambda: self._client.eval(
                _KEEP_FIRST,
                2,
                keys.decision,
                keys.newest_turn,
                value,
                DECISION_TTL_S,
                seq,
                CALL_TTL_S,
            ),
        )
        return value if earlier is None else earlier

    async def keep_verdict(self, key: bytes, value: bytes) -> bytes:
        """
        Store the verdict on a question unless it has one, and return the one that counts.

        Raises:
            CacheUnavailable: as for `read_turn`.

        """
        earlier: bytes | None = await self._ask(
            "keep_verdict",
            self._timeout_s,
            lambda: self._client.set(key, value, nx=True, get=True, ex=DECISION_TTL_S),
        )
        return value if earlier is None else earlier

    async def keep_predictions(
        self, key: bytes, value: bytes, *, created_at_ms: int, ttl_ms: int
    ) -> bool:
        """
        Store the predictions of a turn unless newer ones are there; tells whether it did.

        Raises:
            CacheUnavailable: as for `read_turn`, with more patience.

        """
        stored = await self._ask(
            "keep_predictions",
            _UNHURRIED_S,
            lambda: self._client.eval(
                _STORE_IF_NEWER, 2, key, key + b":t", value, created_at_ms, ttl_ms
            ),
        )
        return bool(stored)

    async def keep_profile_version(self, key: bytes, version: int) -> None:
        """
        Store an agent's newest profile version.

        Raises:
            CacheUnavailable: as for `read_turn`, with more patience.

        """
        await self._ask(
            "keep_profile_version",
            _UNHURRIED_S,
            lambda: self._client.eval(_RAISE_NUMBER, 1, key, version, PROFILE_TTL_S),
        )

    async def forget_profile_version(self, key: bytes) -> None:
        """
        Forget the newest version of an agent that was deleted.

        Raises:
            CacheUnavailable: as for `read_turn`, with more patience.

        """
        await self._ask("forget_profile_version", _UNHURRIED_S, lambda: self._client.delete(key))

    async def read_router(self, key: bytes) -> bytes | None:
        """
        Read a compiled router, and keep it for longer.

        Raises:
            CacheUnavailable: as for `read_turn`, with much more patience.

        """
        value: bytes | None = await self._ask(
            "read_router",
            _ROUTER_LIMIT_S,
            lambda: self._client.getex(key, ex=ROUTER_TTL_S),
            counts=False,
        )
        return value

    async def keep_router(self, key: bytes, value: bytes) -> None:
        """
        Store a compiled router.

        Raises:
            CacheUnavailable: as for `read_router`.

        """
        await self._ask(
            "keep_router",
            _ROUTER_LIMIT_S,
            lambda: self._client.set(key, value, ex=ROUTER_TTL_S),
            counts=False,
        )

    async def claim_router(self, key: bytes, ttl_s: int) -> bool:
        """
        Claim the making of a router; tells whether nobody else had claimed it.

        Raises:
            CacheUnavailable: as for `read_router`.

        """
        claimed = await self._ask(
            "claim_router",
            _UNHURRIED_S,
            lambda: self._client.set(key, b"1", nx=True, ex=ttl_s),
            counts=False,
        )
        return bool(claimed)

    async def hold_router(self, key: bytes, ttl_s: int) -> None:
        """
        Hold a claim for longer, if it is still there.

        Raises:
            CacheUnavailable: as for `read_router`.

        """
        await self._ask(
            "hold_router", _UNHURRIED_S, lambda: self._client.expire(key, ttl_s), counts=False
        )

    async def forget_router(self, key: bytes) -> None:
        """
        Forget a compiled router.

        Raises:
            CacheUnavailable: as for `read_router`.

        """
        await self._ask(
            "forget_router", _UNHURRIED_S, lambda: self._client.delete(key), counts=False
        )

    async def probe(self) -> None:
        """
        Ask whether Redis takes writes again; not held back by the breaker.

        Raises:
            CacheUnavailable: it does not.

        """
        with metrics.CACHE_SECONDS.labels("probe").time(), _translated("probe"):
            async with asyncio.timeout(_UNHURRIED_S):
                await self._client.set(b"tg:probe", b"1", ex=60)

    async def _ask(
        self,
        operation: str,
        limit_s: float,
        command: Callable[[], Awaitable[Any]],
        *,
        counts: bool = True,
    ) -> Any:
        """Run a command; one that does not count tells the breaker nothing of how turns fare."""
        if self._breaker.is_open:
            raise CacheUnavailable("breaker open", breaker_open=True)
        started = time.perf_counter()
        try:
            with _translated(operation):
                # One limit around connecting, sending and reading; the client's are per operation.
                async with asyncio.timeout(limit_s):
                    answer = await command()
        except CacheUnavailable:
            if counts:
                self._breaker.failed()
            raise
        finally:
            metrics.CACHE_SECONDS.labels(operation).observe(time.perf_counter() - started)
        if counts:
            self._breaker.succeeded()
        return answer


@contextmanager
def _translated(operation: str) -> Iterator[None]:
    """Turn whatever redis raises into CacheUnavailable, counted by kind; its text is dropped."""
    try:
        yield
    except (TimeoutError, RedisTimeoutError) as error:
        metrics.CACHE_ERRORS.labels(operation, "timeout").inc()
        raise CacheUnavailable("no answer in time") from error
    except (RedisConnectionError, OSError) as error:
        metrics.CACHE_ERRORS.labels(operation, "connection").inc()
        raise CacheUnavailable("no connection") from error
    except RedisError as error:
        metrics.CACHE_ERRORS.labels(operation, "refused").inc()
        raise CacheUnavailable("refused") from error


def note_garbage(operation: str, error: CacheGarbage) -> None:
    """Count and log a value that is not what we wrote; its text is not known to the error."""
    metrics.CACHE_ERRORS.labels(operation, "garbage").inc()
    _log.error("cache_garbage", extra={"why": str(error)})


def _access(settings: Settings) -> dict[str, Any]:
    """Take user, password and certificate authority where they are not in the address."""
    options: dict[str, Any] = {}
    if settings.redis_user:
        options["username"] = settings.redis_user
    if settings.redis_password:
        options["password"] = settings.redis_password.reveal()
    if settings.redis_ca:
        if not settings.redis.reveal().startswith("rediss://"):
            raise SettingsError("TURNGATE_REDIS_CA needs an address that begins with rediss://")
        if not Path(settings.redis_ca).is_file():
            raise SettingsError("TURNGATE_REDIS_CA is not a readable PEM file")
        options["ssl_ca_certs"] = settings.redis_ca
    return options


@asynccontextmanager
async def connect(settings: Settings) -> AsyncIterator[Cache]:
    """Open the connection pool and the breaker's watcher; Redis need not be up."""
    encrypted = settings.redis.reveal().startswith("rediss://")
    pool = BlockingConnectionPool.from_url(
        settings.redis.reveal(),
        **_access(settings),
        max_connections=settings.redis_connections,
        timeout=_UNHURRIED_S,
        # Never shorter than our own limit around the whole round trip, which is what counts.
        socket_timeout=max(_UNHURRIED_S, settings.redis_timeout_s),
        socket_connect_timeout=_CONNECT_TLS_S if encrypted else _CONNECT_S,
        retry=Retry(NoBackoff(), 0),
    )
    breaker = Breaker(
        name="redis",
        failures=settings.breaker_failures,
        probe_every_s=settings.breaker_probe_s,
    )
    metrics.BREAKER_OPEN.set_function(lambda: float(breaker.is_open))
    metrics.DEGRADED.labels("redis").set_function(lambda: float(breaker.is_open))
    cache = Cache(Redis(connection_pool=pool), breaker, settings.redis_timeout_s)
    try:
        async with beside(breaker.watch(cache.probe), name="redis-breaker"):
            yield cache
    finally:
        await pool.disconnect()
