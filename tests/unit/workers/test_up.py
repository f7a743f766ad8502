"""What `turngate up` gives its workers."""

import pytest

from workers.settings import load
from workers.up import monitor_port, without_secret, worker_environment


class TestEnvironment:
    def test_embedded(self):
        """
        With embedded services the workers get their addresses and what that broker needs.
        """
        found = load(worker_environment({}, kafka="127.0.0.1:1", redis="redis://127.0.0.1:2/0"))

        assert (found.kafka, found.redis.reveal()) == ("127.0.0.1:1", "redis://127.0.0.1:2/0")
        assert (found.kafka_session_s, found.kafka_fetch_wait_ms) == (4.0, 5)
        assert found.redis_timeout_s * 1e3 < found.budget_ms
        assert found.cache_secret

    def test_own_services(self):
        """
        With services of the user nothing is changed but a secret where there is none.
        """
        given = {"KAFKA": "broker:9092", "REDIS": "redis://cache:6379/0"}

        found = load(worker_environment(given, kafka=None, redis=None))

        assert found.kafka == "broker:9092"
        assert found.kafka_session_s == load({}).kafka_session_s
        assert found.cache_secret

    def test_the_user_wins(self):
        """
        What the user says of the embedded broker and the secret is kept.
        """
        given = {"TURNGATE_KAFKA_SESSION_S": "8", "TURNGATE_CACHE_SECRET": "mine"}

        found = load(worker_environment(given, kafka="127.0.0.1:1", redis=None))

        assert (found.kafka_session_s, found.cache_secret.reveal()) == (8.0, "mine")

    def test_secrets_differ(self):
        """
        Each stack has another secret.
        """
        one, two = (worker_environment({}, kafka=None, redis=None) for _ in range(2))

        assert one["TURNGATE_CACHE_SECRET"] != two["TURNGATE_CACHE_SECRET"]


def test_monitors_are_at_the_users_port_and_after_it():
    """
    The hot workers' are in order from it on, and the next number is the slow worker's.
    """
    given = {"TURNGATE_MONITOR_PORT": "9500"}

    assert [monitor_port(given, load(given), number) for number in (1, 2, 3)] == [9500, 9501, 9502]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        pytest.param("redis://h:1/0", "redis://h:1/0", id="none"),
        pytest.param("redis://user:p%40ss@h:1/0", "redis://h:1/0", id="user and password"),
        pytest.param("rediss://:secret@h", "rediss://h", id="password"),
    ],
)
def test_without_secret(url, shown):
    """
    A URL is shown without its user and password.
    """
    assert without_secret(url) == shown
