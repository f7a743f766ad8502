"""Waiting for a condition, never for the clock."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

T = TypeVar("T")


@overload
async def wait_until(
    condition: Callable[[], Awaitable[T]],
    description: str,
    timeout_s: float = ...,
    *,
    every_s: float = ...,
) -> T: ...
@overload
async def wait_until(
    condition: Callable[[], T], description: str, timeout_s: float = ..., *, every_s: float = ...
) -> T: ...
async def wait_until(
    condition: Callable[[], Any],
    description: str,
    timeout_s: float = 10.0,
    *,
    every_s: float = 0.01,
) -> Any:
    """
    Wait until `condition` holds and hand back what it returned.

    Args:
        condition: a plain or asynchronous function; what it raises ends the wait.
        description: what is awaited, for the failure: "the worker to join".
        timeout_s: how long, seconds.
        every_s: pause between two looks, seconds.

    Raises:
        AssertionError: it did not hold in time; names the last value.

    """
    deadline = time.monotonic() + timeout_s
    while True:
        value = condition()
        if inspect.isawaitable(value):
            value = await value
        if value:
            return value
        if time.monotonic() >= deadline:
            message = f"waited {timeout_s:g} s for {description}; last look gave {value!r}"
            raise AssertionError(message)
        await asyncio.sleep(every_s)


def wait_until_blocking(
    condition: Callable[[], T], description: str, timeout_s: float = 10.0, *, every_s: float = 0.01
) -> T:
    """Wait as `wait_until` does, where there is no event loop."""
    deadline = time.monotonic() + timeout_s
    while not (value := condition()):
        if time.monotonic() >= deadline:
            message = f"waited {timeout_s:g} s for {description}; last look gave {value!r}"
            raise AssertionError(message)
        time.sleep(every_s)
    return value
