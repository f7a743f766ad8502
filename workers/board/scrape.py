"""Reads the workers' metrics, over and over, so that what happened lately can be told."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import pairwise

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

_log = logging.getLogger(__name__)

#: How often each worker is asked, seconds.
_EVERY_S = 15.0
#: How long its answer may take, seconds.
_ANSWER_S = 5.0
#: Largest page that is read, bytes; a worker's has about 100 KB.
_MAX_PAGE = 4 * 1024 * 1024
_CHUNK = 65_536
#: How far back "lately" reaches, seconds.
WINDOW_S = 15 * 60.0
#: Metrics of ours begin so; the others are the Python process's own.
_OURS = "turngate_"

#: A series: the sample's name, and its labels in order.
Series = tuple[str, tuple[tuple[str, str], ...]]
Samples = Mapping[Series, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a worker answered at one time."""

    #: When, seconds on the monotonic clock.
    at_s: float
    samples: Samples


@dataclass(slots=True)
class Watched:
    """One worker."""

    #: Its monitor, `host:port`.
    address: str
    #: Why there is no answer now, in a word; None where there is one, or nobody has asked yet.
    silent: str | None = "not asked yet"
    readings: deque[Reading] = field(default_factory=deque)

    @property
    def latest(self) -> Samples:
        """The last answer; empty while it gives none."""
        return self.readings[-1].samples if self.readings and self.silent is None else {}

    def take(self, reading: Reading) -> None:
        """Keep an answer, and let go of what is too old."""
        self.silent = None
        self.readings.append(reading)
        while self.readings[0].at_s < reading.at_s - WINDOW_S:
            self.readings.popleft()

    def lately(self) -> dict[Series, float]:
        """
        Tell how much each series grew within the window.

        What is smaller than before began anew with its worker, and counts from nothing.
        """
        grown: dict[Series, float] = {}
        for before, after in pairwise(self.readings):
            for series, value in after.samples.items():
                was = before.samples.get(series, 0.0)
                grown[series] = grown.get(series, 0.0) + (value - was if value >= was else value)
        return grown

    def span_s(self) -> float:
        """How long the window is by now."""
        return self.readings[-1].at_s - self.readings[0].at_s if self.readings else 0.0


class Scraper:
    """All workers, asked one beside the other."""

    def __init__(self, addresses: Iterable[str], *, every_s: float = _EVERY_S) -> None:
        self.workers = [Watched(address) for address in addresses]
        self._every_s = every_s

    async def keep_up(self) -> None:
        """Ask all workers again and again; runs until it is cancelled."""
        timeout = aiohttp.ClientTimeout(total=_ANSWER_S)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            while True:
                await asyncio.gather(*(_ask(session, worker) for worker in self.workers))
                await asyncio.sleep(self._every_s)


async def _ask(session: aiohttp.ClientSession, worker: Watched) -> None:
    try:
        url = f"http://{worker.address}/metrics"
        async with session.get(url, allow_redirects=False) as answer:
            page = await _whole(answer)
        samples = await asyncio.to_thread(parse, page.decode())
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
        if worker.silent is None:
            _log.warning("worker_silent", extra={"error": type(error).__name__})
        worker.silent = _WORDS.get(type(error), "no usable answer")
        return
    worker.take(Reading(time.monotonic(), samples))


async def _whole(answer: aiohttp.ClientResponse) -> bytes:
    if answer.status != HTTPStatus.OK:
        raise ValueError("no page of metrics")
    page = bytearray()
    async for part in answer.content.iter_chunked(_CHUNK):
        page += part
        if len(page) > _MAX_PAGE:
            raise ValueError("too large a page")
    return bytes(page)


_WORDS = {
    aiohttp.ClientConnectorError: "nobody listens there",
    TimeoutError: "no answer in time",
    aiohttp.ServerTimeoutError: "no answer in time",
}


def parse(page: str) -> dict[Series, float]:
    """
    Read our samples from a page of metrics.

    Raises:
        ValueError: it is no such page.

    """
    return dict(_samples(page))


def _samples(page: str) -> Iterator[tuple[Series, float]]:
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            if sample.name.startswith(_OURS) and not sample.name.endswith("_created"):
                yield (sample.name, tuple(sorted(sample.labels.items()))), sample.value
