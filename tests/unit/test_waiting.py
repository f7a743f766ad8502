"""Waiting ends with what was awaited, or says what was missing."""

import pytest

from tests.waiting import wait_until, wait_until_blocking


class TestWaitUntil:
    async def test_returns_what_the_condition_gave(self):
        """
        The first value that counts as true is handed back.
        """
        values = iter([None, 0, "there"])

        assert await wait_until(lambda: next(values), "the value", every_s=0) == "there"

    async def test_asynchronous_condition(self):
        """
        A condition may be a coroutine function.
        """
        values = iter([False, True])

        async def condition():
            return next(values)

        assert await wait_until(condition, "the value", every_s=0)

    async def test_in_vain(self):
        """
        What does not happen in time fails with its description and the last value.
        """
        with pytest.raises(AssertionError, match=r"for the worker to join; last look gave \[\]"):
            await wait_until(list, "the worker to join", timeout_s=0)

    async def test_error_of_the_condition(self):
        """
        What the condition raises ends the wait.
        """
        with pytest.raises(ZeroDivisionError):
            await wait_until(lambda: 1 / 0, "a number")


class TestWaitUntilBlocking:
    def test_returns_what_the_condition_gave(self):
        """
        The first value that counts as true is handed back.
        """
        values = iter([None, "there"])

        assert wait_until_blocking(lambda: next(values), "the value", every_s=0) == "there"

    def test_in_vain(self):
        """
        What does not happen in time fails with its description.
        """
        with pytest.raises(AssertionError, match="for the file"):
            wait_until_blocking(lambda: False, "the file", timeout_s=0)
