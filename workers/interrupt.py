"""A signal ends a command's work by cancelling it once; what it opened, it closes."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def until_signal(work: Coroutine[Any, Any, int], *, on_signal: int) -> int:
    """
    Do `work`, or cancel it at the first SIGINT or SIGTERM and wait until it has cleaned up.

    Returns:
        What `work` returned, or `on_signal`.

    """
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(work, name="work")
    stopped = False

    def stop() -> None:
        nonlocal stopped
        if not stopped:
            stopped = True
            task.cancel()

    for number in _SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if not stopped:
            raise
        return on_signal
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
