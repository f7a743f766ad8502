"""Fixtures that several tests share."""

import secrets
from collections.abc import Callable, Iterator

import pytest

from tests.services import ExternalBroker, ExternalCache, session_broker, session_cache
from workers.embedded import Broker, Cache, running_broker, running_cache


@pytest.fixture(scope="session")
def broker() -> Iterator[Broker | ExternalBroker]:
    """Kafka for all tests, at `broker.address`; never stop it, use `own_broker` for that."""
    with session_broker() as service:
        yield service


@pytest.fixture(scope="session")
def cache() -> Iterator[Cache | ExternalCache]:
    """Redis for all tests, at `cache.url`; never stop it, use `own_cache` for that."""
    with session_cache() as service:
        yield service


@pytest.fixture
def own_broker() -> Iterator[Broker]:
    """Give an embedded broker that this test alone may freeze, kill and restart."""
    with running_broker() as service:
        yield service


@pytest.fixture
def own_cache() -> Iterator[Cache]:
    """Give an embedded cache that this test alone may freeze, kill, fill and restart."""
    with running_cache() as service:
        yield service


@pytest.fixture
def fresh_name() -> Callable[[str], str]:
    """Make names of topics, groups and tenants that no other test or run has used."""
    run = secrets.token_hex(4)

    def name(kind: str) -> str:
        return f"test.{kind}.{run}"

    return name


@pytest.fixture
def topic_prefix(fresh_name: Callable[[str], str]) -> str:
    """Give a prefix for all our topics, so that tests on one broker do not see each other's."""
    return f"{fresh_name('run')}."


@pytest.fixture
def group(fresh_name: Callable[[str], str]) -> str:
    """Give a consumer group that nothing has committed to."""
    return fresh_name("group")
