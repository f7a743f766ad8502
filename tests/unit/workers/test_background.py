"""Work beside a block."""

import asyncio

import pytest

from workers.background import beside


async def forever() -> None:
    await asyncio.Event().wait()


async def test_a_block_that_ends_at_once_leaves_nothing() -> None:
    """The work was never begun, and nobody is warned of it."""
    work = forever()

    async with beside(work, name="never-begun"):
        pass

    with pytest.raises(RuntimeError, match="cannot reuse"):
        await work


async def test_work_that_dies_ends_the_block() -> None:
    """Its own error is what one sees."""

    async def dies() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError):
        async with beside(dies(), name="dies"):
            await forever()
