"""
Keeps a router ready for the profile in force of each agent.

A router that Redis has is loaded; one that it lacks, or holds as garbage, is compiled beside the
hot path and stored for the next worker. Of several workers that learn a profile at once, one
compiles. A new profile takes effect at once: until its own router is ready nothing is routed for
the agent, because an older one might play what its owner has just taken back.
"""

import asyncio
import contextlib
import hmac
import logging
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Protocol

from models.router import Reason, Router, RouterError, from_bytes
from models.router.profile import digest, sources
from topics.profile import AgentProfile, Mode
from workers import metrics
from workers.background import beside
from workers.errors import CacheGarbage, CacheUnavailable
from workers.hot.routes import Route
from workers.keys import Keys
from workers.profile_compiler import CompiledRouter, CompileFailed

_log = logging.getLogger(__name__)

#: How long a claim lasts that nobody holds any more, seconds: a worker that was killed keeps others
#: from compiling for so long. Should two compile, both come to the same router.
CLAIM_S = 15
#: Pause before Redis is asked again for what another worker compiles, seconds.
_LOOK_AGAIN_S = 1.0
#: Pauses after failed compilations of one profile, seconds; the last one repeats.
RETRY_S = (10.0, 60.0, 600.0)
#: States beside those of a router.
WAITING, FAILED = "waiting", "failed"
#: Every value of the metric's label.
_STATES = (WAITING, FAILED, *(str(reason) for reason in Reason if reason is not Reason.UNCLEAR))

Agent = tuple[str, str]


class Compiles(Protocol):
    """What makes routers."""

    async def compile(self, profile: AgentProfile) -> CompiledRouter:
        """Compile the router of a profile; raises CompileFailed."""


class Stores(Protocol):
    """What keeps routers between workers and restarts; each call may raise CacheUnavailable."""

    async def read_router(self, key: bytes) -> bytes | None:
        """Read one."""

    async def keep_router(self, key: bytes, value: bytes) -> None:
        """Store one."""

    async def forget_router(self, key: bytes) -> None:
        """Forget one."""

    async def claim_router(self, key: bytes, ttl_s: int) -> bool:
        """Claim the making of one; False where somebody else has claimed it."""

    async def hold_router(self, key: bytes, ttl_s: int) -> None:
        """Hold a claim for longer."""


class ReadyRoutes(Mapping[Agent, Route]):
    """The routes that are ready, by (tenant, agent); `keep_up` makes them."""

    def __init__(
        self, *, encoder_fingerprint: str, store: Stores, keys: Keys, compiler: Compiles
    ) -> None:
        self._fingerprint = encoder_fingerprint
        self._store = store
        self._keys = keys
        self._compiler = compiler
        self._ready: dict[Agent, Route] = {}
        #: The profile in force of each agent whose router is not off.
        self._wanted: dict[Agent, AgentProfile] = {}
        #: Agents to look after, in order; never more than there are profiles.
        self._waiting: dict[Agent, None] = {}
        self._states: dict[Agent, str] = {}
        self._failures: Counter[Agent] = Counter()
        #: The key that each agent's router lies under, and keys that nobody needs any more.
        self._stored: dict[Agent, bytes] = {}
        self._obsolete: dict[bytes, None] = {}
        self._changed = asyncio.Event()

    def __getitem__(self, agent: Agent) -> Route:
        """Return the route of (tenant, agent)."""
        return self._ready[agent]

    def __iter__(self) -> Iterator[Agent]:
        """Iterate over (tenant, agent)."""
        return iter(self._ready)

    def __len__(self) -> int:
        """Return how many are ready."""
        return len(self._ready)

    def changed(self, agent: Agent, profile: AgentProfile | None) -> None:
        """Take notice that a profile is in force from now on, or none; returns at once."""
        known = self._ready.pop(agent, None)
        self._failures.pop(agent, None)
        if profile is None or profile.router.mode is Mode.OFF:
            self._drop(agent, for_ever=profile is None)
        elif known is not None and sources(known.profile) == sources(profile):
            # Other responses or another mode: the router would be the same.
            self._wanted[agent] = profile
            self._ready[agent] = _route(profile, known.router)
        else:
            self._wanted[agent] = profile
            self._await(agent)
        self._count()

    def _drop(self, agent: Agent, *, for_ever: bool) -> None:
        self._wanted.pop(agent, None)
        self._states.pop(agent, None)
        if for_ever and (key := self._stored.pop(agent, None)) is not None:
            self._obsolete[key] = None
            self._changed.set()

    def _await(self, agent: Agent) -> None:
        self._states[agent] = WAITING
        self._waiting[agent] = None
        self._changed.set()

    def _count(self) -> None:
        counts = Counter(self._states.values())
        for state in _STATES:
            metrics.ROUTERS.labels(state).set(counts[state])

    async def keep_up(self) -> None:
        """Make what is not ready, one after the other; runs for ever."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            while self._waiting or self._obsolete:
                await self._forget_obsolete()
                if self._waiting:
                    agent = next(iter(self._waiting))
                    del self._waiting[agent]
                    await self._look_after(agent)

    async def _look_after(self, agent: Agent) -> None:
        profile = self._wanted.get(agent)
        if profile is None:
            return
        try:
            await self._make_ready(agent, profile)
        except Exception as error:  # noqa: BLE001 - one profile must not end the worker of all
            # Not its text, which may hold phrases.
            self._fail(agent, profile, type(error).__name__)
        self._count()

    async def _make_ready(self, agent: Agent, profile: AgentProfile) -> None:
        key = await asyncio.to_thread(self._key, agent, profile)
        router = await self._loaded(key)
        if router is None and not await self._claimed(key):
            self._again(agent, profile, _LOOK_AGAIN_S)
            return
        if router is None:
            router = await self._compiled(agent, profile, key)
        if router is not None:
            self._settle(agent, profile, key, router)

    def _settle(self, agent: Agent, profile: AgentProfile, key: bytes, router: Router) -> None:
        """Put a router in force, unless its profile no longer is."""
        older = self._stored.get(agent)
        if older is not None and older != key:
            self._obsolete[older] = None
        self._stored[agent] = key
        if self._wanted.get(agent) is not profile:
            return
        self._ready[agent] = _route(profile, router)
        self._states[agent] = str(router.state)
        self._failures.pop(agent, None)
        place = _place(profile) | {"state": str(router.state), "intents": len(router.names)}
        if router.state is Reason.ROUTED:
            _log.info("router_ready", extra=place)
        else:
            _log.warning("router_abstains", extra=place)

    def _key(self, agent: Agent, profile: AgentProfile) -> bytes:
        return self._keys.router(*agent, self._fingerprint, digest(sources(profile)))

    async def _loaded(self, key: bytes) -> Router | None:
        try:
            value = await self._store.read_router(key)
            if value is None:
                return None
            router = await asyncio.to_thread(self._opened, key, value)
        except CacheUnavailable:
            _log.warning("router_not_loaded")
            return None
        except (CacheGarbage, RouterError) as error:
            metrics.ROUTERS_MADE.labels("garbage").inc()
            _log.error("router_garbage", extra={"why": str(error)})
            return None
        metrics.ROUTERS_MADE.labels("loaded").inc()
        return router

    def _opened(self, key: bytes, value: bytes) -> Router:
        seal, content = value[: Keys.SEAL_BYTES], value[Keys.SEAL_BYTES :]
        if not hmac.compare_digest(seal, self._keys.seal(key, content)):
            raise CacheGarbage("not ours, or of another key")
        return from_bytes(content, self._fingerprint)

    async def _claimed(self, key: bytes) -> bool:
        try:
            return await self._store.claim_router(_claim(key), CLAIM_S)
        except CacheUnavailable:
            return True

    async def _hold(self, claim: bytes) -> None:
        """Hold a claim until cancelled."""
        while True:
            await asyncio.sleep(CLAIM_S / 3)
            with contextlib.suppress(CacheUnavailable):
                await self._store.hold_router(claim, CLAIM_S)

    async def _compiled(self, agent: Agent, profile: AgentProfile, key: bytes) -> Router | None:
        started_s = time.monotonic()
        try:
            async with beside(self._hold(_claim(key)), name="router-claim"):
                found = await self._compiler.compile(profile)
            router = await asyncio.to_thread(from_bytes, found.content, self._fingerprint)
        except (CompileFailed, RouterError) as error:
            self._fail(agent, profile, str(error))
            return None
        finally:
            # Forgotten once this agent is done with, so after the router is stored.
            self._obsolete[_claim(key)] = None
        took_s = time.monotonic() - started_s
        metrics.ROUTERS_MADE.labels("compiled").inc()
        metrics.ROUTER_COMPILE_SECONDS.observe(took_s)
        _log.info(
            "router_compiled",
            extra=_place(profile) | {"took_s": round(took_s, 1), "left_out": found.left_out},
        )
        await self._keep(key, found.content)
        return router

    async def _keep(self, key: bytes, content: bytes) -> None:
        seal = await asyncio.to_thread(self._keys.seal, key, content)
        try:
            await self._store.keep_router(key, seal + content)
        except CacheUnavailable:
            _log.warning("router_not_stored")

    def _fail(self, agent: Agent, profile: AgentProfile, why: str) -> None:
        metrics.ROUTERS_MADE.labels("failed").inc()
        _log.error("router_failed", extra=_place(profile) | {"why": why})
        if self._wanted.get(agent) is profile:
            self._states[agent] = FAILED
            tries = min(self._failures[agent], len(RETRY_S) - 1)
            self._failures[agent] += 1
            self._again(agent, profile, RETRY_S[tries])

    def _again(self, agent: Agent, profile: AgentProfile, pause_s: float) -> None:
        """Look after an agent once more after a pause, if its profile is still the same."""

        def again() -> None:
            if self._wanted.get(agent) is profile and agent not in self._ready:
                self._waiting[agent] = None
                self._changed.set()

        asyncio.get_running_loop().call_later(pause_s, again)

    async def _forget_obsolete(self) -> None:
        while self._obsolete:
            key = next(iter(self._obsolete))
            del self._obsolete[key]
            try:
                await self._store.forget_router(key)
            except CacheUnavailable:
                # It expires by itself.
                _log.warning("router_not_forgotten")


def _route(profile: AgentProfile, router: Router) -> Route:
    return Route(profile, router, {intent.name: intent for intent in profile.intents})


def _claim(key: bytes) -> bytes:
    return key + b":c"


def _place(profile: AgentProfile) -> dict[str, object]:
    return {
        "tenant_id": profile.tenant_id,
        "agent_id": profile.agent_id,
        "version": profile.version,
    }
