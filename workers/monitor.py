"""Metrics and health over HTTP, on loopback unless told otherwise."""

import errno
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import orjson
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from workers import metrics
from workers.errors import SettingsError

_log = logging.getLogger(__name__)

#: Answers what is ready and what is not, by part.
Readiness = Callable[[], Mapping[str, bool]]


@asynccontextmanager
async def monitor(
    host: str, port: int, readiness: Readiness, *, tries: int = 1
) -> AsyncIterator[int | None]:
    """
    Serve `/metrics`, `/healthz` (the process answers) and `/readyz` (it can decide turns).

    Args:
        host: address to listen on.
        port: port to listen on; 0 takes a free one, -1 serves nothing.
        readiness: asked at each `/readyz`; all true answers 200, anything else 503. What is
            degraded is named in the answer and changes no status: its turns are decided.
        tries: how many ports are tried, from `port` on, while others have them.

    Raises:
        SettingsError: the ports are taken, or the address is not ours.

    Yields:
        The port, or None where nothing is served.

    """
    if port < 0:
        yield None
        return
    for part in readiness():
        metrics.READY.labels(part).set_function(_part(readiness, part))
    runner = web.AppRunner(_application(readiness), access_log=None, handle_signals=False)
    await runner.setup()
    try:
        await _listen(runner, host, port, tries)
        bound: int = runner.addresses[0][1]
        _log.info("monitor_listening", extra={"host": host, "port": bound})
        yield bound
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, host: str, port: int, tries: int) -> None:
    last = port if port == 0 else min(port + tries - 1, 65_535)
    for candidate in range(port, last + 1):
        try:
            await web.TCPSite(runner, host, candidate).start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE and candidate < last:
                continue
            where = f"{host}:{port}" + (f" to {last}" if last > port else "")
            raise SettingsError(
                f"TURNGATE_MONITOR_HOST, TURNGATE_MONITOR_PORT: cannot listen on {where}"
            ) from error
        return


def _part(readiness: Readiness, part: str) -> Callable[[], float]:
    return lambda: float(readiness().get(part, False))


def _application(readiness: Readiness) -> web.Application:
    async def page(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        parts = dict(readiness())
        ready = all(parts.values())
        answer = {"ready": ready, "parts": parts, "degraded": metrics.degraded()}
        return web.Response(
            body=orjson.dumps(answer) + b"\n",
            status=200 if ready else 503,
            content_type="application/json",
        )

    application = web.Application()
    application.router.add_get("/metrics", page)
    application.router.add_get("/healthz", healthz)
    application.router.add_get("/readyz", readyz)
    return application
