"""The agents' profiles, from their compacted topic into memory; the newest version counts."""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from topics.codec import DecodeError, Tombstone, decode_compacted
from topics.profile import AgentProfile
from workers import metrics
from workers.cache import Cache
from workers.errors import CacheUnavailable
from workers.keys import Keys
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: Takes a record that is no profile; returns at once.
Refuse = Callable[[Record, DecodeError], None]
#: Told which profile of (tenant, agent) is in force from now on, or that none is; returns at once.
Changed = Callable[[tuple[str, str], AgentProfile | None], None]


class Profiles(Mapping[tuple[str, str], AgentProfile]):
    """Profiles by (tenant, agent); a record that is no profile changes nothing and is refused."""

    def __init__(
        self,
        cache: Cache,
        keys: Keys,
        refuse: Refuse,
        changed: Changed = lambda _agent, _profile: None,
    ) -> None:
        self._cache = cache
        self._keys = keys
        self._refuse = refuse
        self._changed = changed
        self._by_agent: dict[tuple[str, str], AgentProfile] = {}
        #: Which agent each Kafka key set, so that a tombstone finds it.
        self._by_key: dict[bytes | None, tuple[str, str]] = {}

    def __getitem__(self, agent: tuple[str, str]) -> AgentProfile:
        """Return the profile of (tenant, agent)."""
        return self._by_agent[agent]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over (tenant, agent)."""
        return iter(self._by_agent)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._by_agent)

    async def take(self, record: Record) -> None:
        """Take one record: a profile, or a tombstone that deletes one."""
        try:
            profile = decode_compacted(AgentProfile, record.value)
        except DecodeError as error:
            self._refuse(record, error)
            return
        if isinstance(profile, Tombstone):
            await self._forget(record.key)
        else:
            await self._learn(record, profile)
        metrics.PROFILES.set(len(self._by_agent))

    async def _forget(self, key: bytes | None) -> None:
        agent = self._by_key.pop(key, None)
        if agent is None or self._by_agent.pop(agent, None) is None:
            return
        self._changed(agent, None)
        with _only_logged():
            await self._cache.forget_profile_version(self._keys.profile_version(*agent))

    async def _learn(self, record: Record, profile: AgentProfile) -> None:
        agent = (profile.tenant_id, profile.agent_id)
        known = self._by_agent.get(agent)
        if known is not None and known.version > profile.version:
            _log.warning("profile_older_than_known", extra={"offset": record.offset})
            return
        self._by_agent[agent] = profile
        self._by_key[record.key] = agent
        self._changed(agent, profile)
        await self._announce(profile)

    async def _announce(self, profile: AgentProfile) -> None:
        """Tell the other workers, so that none plays by an older profile."""
        key = self._keys.profile_version(profile.tenant_id, profile.agent_id)
        with _only_logged():
            await self._cache.keep_profile_version(key, profile.version)


@contextmanager
def _only_logged() -> Iterator[None]:
    """Go on without Redis: all workers read the same topic and learn it a moment later anyway."""
    try:
        yield
    except CacheUnavailable:
        _log.warning("profile_version_not_announced")
