"""The broker and the cache of a test session: embedded, or those that the environment names."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import redis

from workers.embedded import Broker, Cache, NotInstalled, running_broker, running_cache

#: Set where a missing service must fail the run instead of skipping its tests.
_REQUIRED = "CI"


@dataclass(frozen=True, slots=True)
class ExternalBroker:
    """A broker that somebody else runs; tests cannot stop it."""

    #: Where it listens, `host:port`.
    address: str


@dataclass(frozen=True, slots=True)
class ExternalCache:
    """A cache that somebody else runs; tests cannot stop it."""

    #: Where it listens, as a URL.
    url: str


@contextlib.contextmanager
def session_broker() -> Iterator[Broker | ExternalBroker]:
    """Give the broker of `KAFKA`, or start one from its wheel."""
    if address := os.environ.get("KAFKA"):
        yield ExternalBroker(address)
        return
    with _skip_if_missing(), running_broker() as broker:
        yield broker


@contextlib.contextmanager
def session_cache() -> Iterator[Cache | ExternalCache]:
    """Give the cache of `REDIS`, or start one from its wheel."""
    if url := os.environ.get("REDIS"):
        yield ExternalCache(url)
        return
    with _skip_if_missing(), running_cache() as cache:
        yield cache


@contextlib.contextmanager
def _skip_if_missing() -> Iterator[None]:
    try:
        yield
    except NotInstalled as error:
        if os.environ.get(_REQUIRED):
            raise
        pytest.skip(str(error))


def keys_without_ttl(url: str) -> list[bytes]:
    """List the keys that would stay for ever; there must be none."""
    with redis.Redis.from_url(url) as client:
        return [key for key in client.scan_iter(count=1000) if client.ttl(key) == -1]
