"""What `turngate up` gives its workers, and how it ends on a signal."""

import asyncio
import os
import signal

import pytest

from workers.settings import load
from workers.up import until_signal, without_secret, worker_environment


class TestEnvironment:
    def test_embedded(self):
        """
        With embedded services the workers get their addresses and what that broker needs.
        """
        found = load(worker_environment({}, kafka="127.0.0.1:1", redis="redis://127.0.0.1:2/0"))

        assert (found.kafka, found.redis.reveal()) == ("127.0.0.1:1", "redis://127.0.0.1:2/0")
        assert (found.kafka_session_s, found.kafka_fetch_wait_ms) == (6.0, 5)
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


class TestUntilSignal:
    async def test_done(self):
        """
        Work that ends gives its own exit code.
        """

        async def work():
            return 3

        assert await until_signal(work(), on_signal=0) == 3

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_signal(self, number):
        """
        A signal cancels the work, waits until it has cleaned up, and gives the code for that.
        """
        cleaned = []

        async def work():
            try:
                os.kill(os.getpid(), number)
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0)
                cleaned.append(True)

        assert await until_signal(work(), on_signal=7) == 7
        assert cleaned == [True]

    async def test_second_signal(self):
        """
        A second signal does not interrupt the cleaning up.
        """
        cleaned = []

        async def work():
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                await asyncio.Event().wait()
            finally:
                os.kill(os.getpid(), signal.SIGTERM)
                for _ in range(10):
                    await asyncio.sleep(0)
                cleaned.append(True)

        assert await until_signal(work(), on_signal=0) == 0
        assert cleaned == [True]

    async def test_failure(self):
        """
        What the work raises is raised.
        """

        async def work():
            raise ValueError("broken")

        with pytest.raises(ValueError, match="broken"):
            await until_signal(work(), on_signal=0)

    async def test_cancelled_from_outside(self):
        """
        A cancellation that is no signal goes on.
        """

        async def work():
            await asyncio.Event().wait()

        task = asyncio.create_task(until_signal(work(), on_signal=0))
        await asyncio.sleep(0)
        task.cancel()

        with pytest.raises(asyncio.CancelledError):
            await task
