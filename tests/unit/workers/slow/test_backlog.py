"""The bounded queue."""

import asyncio

import pytest

from tests.fakes.stream import make_record
from topics.codec import DecodeError
from workers.slow.backlog import Backlog, Work


def work(offset: int) -> Work:
    """Make a work."""
    return Work(record=make_record(offset=offset), event=DecodeError("x", raw=b""))


def test_bound_holds():
    """There is no room beyond the bound, and nothing is taken silently."""
    backlog = Backlog(2)
    backlog.put(work(0))
    backlog.put(work(1))

    assert backlog.room == 0
    with pytest.raises(OverflowError):
        backlog.put(work(2))


async def test_order_of_arrival():
    """The oldest stays first until it is done with."""
    backlog = Backlog(3)
    first, second = work(0), work(1)
    backlog.put(first)
    backlog.put(second)

    assert await backlog.first() is first
    backlog.done(second)
    assert await backlog.first() is first
    backlog.done(first)
    assert await backlog.first() is second
    assert backlog.room == 2


async def test_waits_for_work():
    """An empty queue is waited at."""
    backlog = Backlog(1)
    waiting = asyncio.create_task(backlog.first())
    await asyncio.sleep(0)
    one = work(0)
    backlog.put(one)

    assert await waiting is one


async def test_handing_back_leaves_nothing():
    """No work and no review is left behind."""
    backlog = Backlog(2)
    one = work(0)
    one.review = asyncio.create_task(asyncio.sleep(60))
    backlog.put(one)
    backlog.put(work(1))

    assert backlog.hand_back() == 2
    await asyncio.wait([one.review])
    assert one.review.cancelled()
    assert len(backlog) == 0
    backlog.done(one)
