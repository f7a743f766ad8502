"""How a consumer stops."""

import asyncio

import pytest

from workers.kafka import stop_consumer


class FakeClient:
    """Counts how often it is closed."""

    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        """Close."""
        self.closed += 1


class FakeConsumer:
    """Stops as aiokafka's does while its broker is away, or waits for ever."""

    def __init__(self, *, hangs: bool = False) -> None:
        self._client = FakeClient()
        self._hangs = hangs

    async def stop(self) -> None:
        """Raise what a fetch that was cancelled lets through."""
        if self._hangs:
            await asyncio.Event().wait()
        raise asyncio.CancelledError


async def test_a_fetch_that_was_cancelled_is_not_us():
    """Whoever stops a consumer goes on, and no connection stays open."""
    consumer = FakeConsumer()

    await stop_consumer(consumer)

    assert consumer._client.closed == 1


async def test_who_is_cancelled_ends():
    """A stop that is itself cancelled is not held up, and closes too."""
    consumer = FakeConsumer(hangs=True)
    task = asyncio.create_task(stop_consumer(consumer))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert consumer._client.closed == 1
