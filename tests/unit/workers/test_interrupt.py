"""A signal cancels the work, once, and waits until it has cleaned up."""

import asyncio
import os
import signal

import pytest

from workers.interrupt import until_signal


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
