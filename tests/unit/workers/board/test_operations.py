"""The operations page on metrics pages of workers that are not there."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from tests.fakes.board import make_board
from tests.unit.workers.board.test_board import served
from tests.unit.workers.board.test_figures import PAGE, counter
from tests.waiting import wait_until
from workers.background import beside
from workers.board.app import listening
from workers.board.scrape import Scraper
from workers.loopback import free_port
from workers.settings import load


class Monitor:
    """A worker's monitor that answers what it is told to."""

    def __init__(self) -> None:
        self.answer = web.Response(text=PAGE)
        self.asked = 0

    async def page(self, _: web.Request) -> web.Response:
        """Answer once more."""
        self.asked += 1
        return web.Response(
            text=self.answer.text,
            status=self.answer.status,
            headers={"Location": "/"} if self.answer.status == 302 else None,
        )


@asynccontextmanager
async def monitored() -> AsyncIterator[tuple[Monitor, int]]:
    """Run such a monitor."""
    monitor = Monitor()
    app = web.Application()
    app.router.add_get("/metrics", monitor.page)
    async with listening(app, "127.0.0.1", 0) as port:
        yield monitor, port


async def test_the_page() -> None:
    """Rates, lag, queues and what is degraded stand on it, and who does not answer."""
    gone = free_port()
    async with monitored() as (_, port):
        workers = f"127.0.0.1:{port}, 127.0.0.1:{gone}"
        board, _, _ = make_board(kafka="127.0.0.1:9", board_workers=workers)
        async with beside(board.operations.scraper.keep_up(), name="scrape"):
            one, other = board.operations.scraper.workers
            await wait_until(lambda: one.latest and other.silent, "both to be asked", 30)
            await wait_until(lambda: other.silent != "not asked yet", "the other to be silent", 30)
            values = await board.operations.values()
            text = board.pages.render(
                "operations.html",
                values | {"csrf": "x", "away": None, "here": "/operations"},
            )

    assert "80.0 %" in text  # hit rate
    assert "not ready: records_flow" in text
    assert "its fallback decides instead of judge" in text
    assert "inference 3 of 64" in text
    assert "nobody listens there" in text
    assert "turn.utterances" in text
    assert "The broker does not say how far the groups are behind" in text


async def test_without_workers() -> None:
    """Where no worker is named, the page says how to name some."""
    async with served() as world:
        await world.client.log_in()
        text = await world.client.get("/operations")

    assert world.client.status == 200
    assert "TURNGATE_BOARD_WORKERS" in text


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(web.Response(status=500, text="no"), id="a failure"),
        pytest.param(web.Response(text="<html>not metrics</html>"), id="another page"),
        pytest.param(web.Response(status=302), id="a redirection"),
        pytest.param(web.Response(text="turngate_x{" + "a" * 5_000_000), id="too large"),
    ],
)
async def test_no_usable_answer(answer) -> None:
    """A monitor that answers something else is silent; it is asked again and heard again."""
    async with monitored() as (monitor, port):
        monitor.answer = answer
        scraper = Scraper([f"127.0.0.1:{port}"], every_s=0.01)
        (worker,) = scraper.workers
        async with beside(scraper.keep_up(), name="scrape"):
            await wait_until(lambda: monitor.asked > 1, "it to be asked twice", 30)
            assert worker.silent == "no usable answer"
            monitor.answer = web.Response(text=counter(5))
            await wait_until(lambda: worker.silent is None, "it to be heard", 30)

    assert len(worker.latest) == 1


def test_addresses_are_checked_at_the_start() -> None:
    """None, one or several; a senseless one is refused by name."""
    assert load({}).board_workers == ""
    assert load({"TURNGATE_BOARD_WORKERS": "a:1, [::1]:2"}).board_workers == "a:1, [::1]:2"
