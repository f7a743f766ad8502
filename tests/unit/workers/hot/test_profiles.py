"""Profiles from their compacted topic."""

import pytest

from tests.fakes.cache import MemoryCache
from tests.fakes.hot import make_profile
from tests.fakes.stream import make_record
from topics.profile import Mode
from workers.errors import CacheUnavailable
from workers.hot.profiles import Profiles
from workers.keys import Keys

KEYS = Keys("s")


@pytest.fixture
def refused():
    return []


@pytest.fixture
def profiles(refused):
    return Profiles(MemoryCache(), KEYS, lambda record, _: refused.append(record.offset))


def versioned(version: int, mode: Mode = Mode.LIVE):
    profile = make_profile("a", mode)
    return type(profile)(tenant_id="t", agent_id="a", version=version, match=profile.match)


class TestTake:
    async def test_the_newest_version_counts(self, profiles):
        """
        A record that was delayed never brings an older profile back.
        """
        await profiles.take(make_record(versioned(2, Mode.OFF)))
        await profiles.take(make_record(versioned(1, Mode.LIVE)))

        assert profiles["t", "a"].match.mode is Mode.OFF

    async def test_the_same_version_again_counts(self, profiles):
        """
        A correction without a new version is taken: the log's order decides.
        """
        await profiles.take(make_record(versioned(2, Mode.OFF)))
        await profiles.take(make_record(versioned(2, Mode.LIVE)))

        assert profiles["t", "a"].match.mode is Mode.LIVE

    async def test_a_tombstone_deletes_what_its_key_set(self, profiles):
        """
        A deleted agent is unknown again, and its version counts no longer.
        """
        await profiles.take(make_record(versioned(5), key=b"t/a"))
        await profiles.take(make_record(None, key=b"t/a"))

        assert ("t", "a") not in profiles
        await profiles.take(make_record(versioned(1), key=b"t/a"))
        assert profiles["t", "a"].version == 1

    async def test_a_tombstone_of_an_unknown_key_changes_nothing(self, profiles):
        """
        Compaction may leave tombstones of profiles that we never saw.
        """
        await profiles.take(make_record(versioned(5), key=b"t/a"))
        await profiles.take(make_record(None, key=b"t/b"))

        assert len(profiles) == 1

    async def test_a_bad_record_is_refused_and_the_profile_stays(self, profiles, refused):
        """
        A typing error in a profile does not take the agent down.
        """
        await profiles.take(make_record(versioned(5), key=b"t/a"))
        await profiles.take(make_record(b'{"tenant_id":"t"}', key=b"t/a", offset=9))

        assert profiles["t", "a"].version == 5
        assert refused == [9]

    async def test_the_version_is_told_to_other_workers(self):
        """
        A worker that lags behind can find out before it plays.
        """
        cache = MemoryCache()
        profiles = Profiles(cache, KEYS, lambda *_: None)

        await profiles.take(make_record(versioned(5)))

        assert cache.values[KEYS.profile_version("t", "a")] == b"5"

    async def test_a_deleted_agent_may_start_again_at_version_one(self):
        """
        The version of a deleted profile holds no worker back.
        """
        cache = MemoryCache()
        profiles = Profiles(cache, KEYS, lambda *_: None)

        await profiles.take(make_record(versioned(5), key=b"t/a"))
        await profiles.take(make_record(None, key=b"t/a"))
        await profiles.take(make_record(versioned(1), key=b"t/a"))

        assert cache.values[KEYS.profile_version("t", "a")] == b"1"

    async def test_profiles_are_learnt_without_redis(self):
        """
        A cache that is away does not keep the worker from starting.
        """
        cache = MemoryCache()
        cache.down = CacheUnavailable("away")
        profiles = Profiles(cache, KEYS, lambda *_: None)

        await profiles.take(make_record(versioned(5)))

        assert profiles["t", "a"].version == 5

    async def test_whoever_needs_to_know_is_told_what_is_in_force(self):
        """
        Each profile that counts, and none where it was deleted; an older one is not told.
        """
        told = []
        profiles = Profiles(
            MemoryCache(), KEYS, lambda *_: None, lambda agent, one: told.append((agent, one))
        )

        await profiles.take(make_record(versioned(5), key=b"t/a"))
        await profiles.take(make_record(versioned(4), key=b"t/a"))
        await profiles.take(make_record(None, key=b"t/a"))
        await profiles.take(make_record(None, key=b"t/a"))

        assert [(agent, one and one.version) for agent, one in told] == [
            (("t", "a"), 5),
            (("t", "a"), None),
        ]

    async def test_what_is_told_is_what_decides(self):
        """
        The router is compared with the very profile that turns are decided by.
        """
        told = []
        profiles = Profiles(MemoryCache(), KEYS, lambda *_: None, lambda _, one: told.append(one))

        await profiles.take(make_record(versioned(5), key=b"t/a"))

        assert told[0] is profiles["t", "a"]
