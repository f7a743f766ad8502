"""
Waits for what the workers have to know before the demo plays: they tell it on their metrics page.

* NotReady (a WorkerError)   a worker did not come to know something in time
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus

import aiohttp

from workers.child import Child
from workers.errors import WorkerError
from workers.loopback import LOOPBACK

#: Pause between two looks at a page, seconds.
_LOOK_AGAIN_S = 0.1
#: Limit on one look, seconds.
_LOOK_LIMIT_S = 5.0

#: A page: values by name and labels, as they stand there.
Page = Mapping[str, float]


class NotReady(WorkerError):
    """A worker did not come to know something in time."""


async def until_known(
    workers: Iterable[Child], knows: Callable[[Page], bool], *, what: str, limit_s: float
) -> None:
    """
    Wait until every worker knows something.

    Args:
        workers: which ones.
        knows: tells from a worker's page whether it does.
        what: is waited for, to be named in the error.
        limit_s: for all of them together.

    Raises:
        NotReady: the time was up.

    """
    deadline = time.monotonic() + limit_s
    for worker in workers:
        while not knows(await _page(worker.spec.port)):
            if time.monotonic() >= deadline:
                raise NotReady(f"{worker.spec.name} did not have {what} within {limit_s:g} s")
            await asyncio.sleep(_LOOK_AGAIN_S)


async def _page(port: int) -> Page:
    """Read a page; empty while the worker does not answer."""
    timeout = aiohttp.ClientTimeout(total=_LOOK_LIMIT_S)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"http://{LOOPBACK}:{port}/metrics") as answer,
        ):
            return read_page(await answer.text()) if answer.status == HTTPStatus.OK else {}
    except (aiohttp.ClientError, TimeoutError):
        return {}


def read_page(text: str) -> Page:
    """Read the values of a metrics page."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    pairs = (line.rpartition(" ") for line in lines)
    return {name: float(value) for name, _, value in pairs}
