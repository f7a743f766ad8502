"""Metrics and health over HTTP, on loopback unless told otherwise."""

import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import orjson
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from workers.errors import SettingsError

_log = logging.getLogger(__name__)

#: Answers what is ready and what is not, by component.
Readiness = Callable[[], Mapping[str, bool]]


@asynccontextmanager
async def monitor(host: str, port: int, readiness: Readiness) -> AsyncIterator[int | None]:
    """
    Serve `/metrics`, `/healthz` (the process answers) and `/readyz` (it can decide turns).

    Args:
        host: address to listen on.
        port: port to listen on; 0 takes a free one, -1 serves nothing.
        readiness: asked at each `/readyz`; all true answers 200, anything else 503.

    Raises:
        SettingsError: the port is taken, or the address is not ours.

    Yields:
        The port, or None where nothing is served.

    """
    if port < 0:
        yield None
        return
    runner = web.AppRunner(_application(readiness), access_log=None, handle_signals=False)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            raise SettingsError(
                f"TURNGATE_MONITOR_HOST, TURNGATE_MONITOR_PORT: cannot listen on {host}:{port}"
            ) from error
        bound: int = runner.addresses[0][1]
        _log.info("monitor_listening", extra={"host": host, "port": bound})
        yield bound
    finally:
        await runner.cleanup()


def _application(readiness: Readiness) -> web.Application:
    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        answer = dict(readiness())
        return web.Response(
            body=orjson.dumps(answer) + b"\n",
            status=200 if all(answer.values()) else 503,
            content_type="application/json",
        )

    application = web.Application()
    application.router.add_get("/metrics", metrics)
    application.router.add_get("/healthz", healthz)
    application.router.add_get("/readyz", readyz)
    return application
