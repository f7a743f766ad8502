"""Wires and serves the board; all thinking is elsewhere."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from aiohttp import web

from topics.gap_action import GapAction
from workers.background import beside
from workers.board import handlers
from workers.board.access import Access
from workers.board.acting import Actor
from workers.board.operations import Operations
from workers.board.render import Pages
from workers.board.source import Source
from workers.board.web import BOARD, Board, add_headers, errors, guard
from workers.errors import SettingsError
from workers.gaps import send
from workers.interrupt import until_signal
from workers.settings import Settings
from workers.stream.library_logs import restrain_libraries

_log = logging.getLogger(__name__)

#: Largest form, bytes.
_MAX_FORM = 65_536
#: Requests in hand at the end may take this long, seconds.
_DRAIN_S = 2.0


async def run_board(settings: Settings) -> int:
    """
    Serve the board until a signal; return the exit code.

    Raises:
        SettingsError: there is no token, or the address cannot be listened on.

    """
    restrain_libraries()

    async def work() -> int:
        async with serving(settings):
            await asyncio.Event().wait()
        return 0

    return await until_signal(work(), on_signal=0)


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[int]:
    """
    Serve the board for the time of the block.

    Raises:
        SettingsError: there is no token, or the address cannot be listened on.

    Yields:
        The port.

    """
    board = new_board(settings)
    async with AsyncExitStack() as opened:
        port = await opened.enter_async_context(
            listening(application(board), settings.board_host, settings.board_port)
        )
        await opened.enter_async_context(beside(board.source.keep_up(), name="topics"))
        await opened.enter_async_context(beside(board.operations.scraper.keep_up(), name="scrape"))
        yield port


def new_board(settings: Settings) -> Board:
    """
    Put the parts together.

    Raises:
        SettingsError: there is no token, or it is too short.

    """

    async def publish(action: GapAction) -> None:
        await send(settings, action)
        _log.info("gap_action_sent", extra={"kind": action.kind.value})

    source = Source(settings)
    return Board(
        source=source,
        access=Access(settings.board_token),
        actor=Actor(source, publish),
        operations=Operations(settings),
        pages=Pages(),
    )


def application(board: Board) -> web.Application:
    """Name the pages."""
    app = web.Application(middlewares=[errors, guard], client_max_size=_MAX_FORM)
    app[BOARD] = board
    app.on_response_prepare.append(add_headers)
    kinds = r"{kind:csv|jsonl}"
    app.add_routes(
        [
            web.get("/", handlers.listing),
            web.get(f"/gaps.{kinds}", handlers.export),
            web.get("/gaps/{gap_id}", handlers.show),
            web.post("/gaps/{gap_id}", handlers.act),
            web.get("/gaps/{gap_id}/merge", handlers.merging),
            web.get("/not-retrieved", handlers.missed),
            web.get(f"/not-retrieved.{kinds}", handlers.missed_export),
            web.get("/operations", handlers.operations),
            web.get("/login", handlers.login_page),
            web.post("/login", handlers.login),
            web.post("/logout", handlers.logout),
            web.get("/board.css", handlers.style),
            web.get("/healthz", handlers.healthz),
            web.get("/readyz", handlers.readyz),
        ]
    )
    return app


@asynccontextmanager
async def listening(app: web.Application, host: str, port: int) -> AsyncIterator[int]:
    """
    Listen for the time of the block.

    Raises:
        SettingsError: the address is taken, or not ours.

    Yields:
        The port.

    """
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=_DRAIN_S)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsError(
                f"TURNGATE_BOARD_HOST, TURNGATE_BOARD_PORT: cannot listen on {host}:{port}"
            ) from error
        bound: int = runner.addresses[0][1]
        _log.info("board_listening", extra={"host": host, "port": bound})
        yield bound
    finally:
        await runner.cleanup()
