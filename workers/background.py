"""Tasks beside the main work: each has a name, and none dies unnoticed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

_log = logging.getLogger(__name__)


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None], *, name: str) -> AsyncIterator[None]:
    """
    Run `work` for the time of the block; it is cancelled at the end.

    Raises:
        Exception: whatever `work` died of; the block is cancelled then, because a worker that has
            lost a part of itself must not go on as if it had not.

    """
    try:
        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(_named(work, name), name=name)
            try:
                yield
            finally:
                task.cancel()
    except BaseExceptionGroup as group:
        # The group has one member: either the block's error or the task's.
        raise group.exceptions[0] from None
    finally:
        # A block that ends at once cancels its task before that has begun.
        work.close()


async def _named(work: Coroutine[Any, Any, None], name: str) -> None:
    try:
        await work
    except Exception:
        _log.exception("background_task_died", extra={"task": name})
        raise
