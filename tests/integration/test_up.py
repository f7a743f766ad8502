"""The parts of a local stack that are not workers."""

import asyncio

import pytest

from workers.settings import Settings
from workers.up import ServiceDied, Stack


async def test_cache_dies(own_cache):
    """
    When an embedded service ends on its own, the stack says which, instead of running on.
    """
    stack = Stack(settings=Settings(), environment={}, workers=(), broker=None, cache=own_cache)
    watching = asyncio.create_task(stack.until_broken())
    await asyncio.sleep(0)

    own_cache.process.kill()

    with pytest.raises(ServiceDied, match="cache"):
        await watching
