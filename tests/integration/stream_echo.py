"""
A worker for the stream tests: copies records from one topic to another, as a real process.

Run as `python -m tests.integration.stream_echo BROKER GROUP SOURCE DRAIN_S STUCK_S`; prints
`starting` when it listens to signals, `ready` when records flow, and `hanging` when it will not
come back by itself. A record `hang` is never
finished, `block` stops the event loop, `boom` is refused, `fatal` cannot even be refused, `slow`
takes a while and `long` longer; everything else is copied at once.
"""

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncIterator

from workers import log
from workers.stream.app import StreamApp, new_app
from workers.stream.consume import Record, consume
from workers.stream.produce import Publisher
from workers.stream.settings import StreamSettings
from workers.stream.stopping import StopLimits
from workers.stream.watchdog import WatchLimits
from workers.stream.worker import run_worker

#: Session of the tests, seconds: the embedded broker makes each join wait for half of it.
SESSION_S = 2.0


def echo_app(broker: str, group: str, source: str, *, session_s: float = SESSION_S) -> StreamApp:
    """Build the app: `source` is copied to `source.out`, what is refused to `source.dead`."""
    app = new_app(
        StreamSettings(
            brokers=broker, group=group, session_s=session_s, commit_s=0.2, fetch_wait_ms=5
        )
    )
    publisher = Publisher(app)

    async def handle(record: Record) -> None:
        match (record.value or b"").split(b" ")[0]:
            case b"hang":
                print("hanging", flush=True)  # noqa: T201
                await asyncio.Event().wait()
            case b"block":
                print("hanging", flush=True)  # noqa: T201
                time.sleep(60)  # noqa: ASYNC251 - to block the loop is the point
            case b"boom" | b"fatal":
                raise ValueError("refused")
            case b"slow":
                await asyncio.sleep(0.01)
            case b"long":
                await asyncio.sleep(2)
        await publisher.publish(f"{source}.out", key=record.key, value=record.value)

    async def refuse(record: Record, _error: Exception) -> None:
        if record.value == b"fatal":
            raise OSError("nowhere to put it")
        await publisher.publish(f"{source}.dead", key=record.key, value=record.value)

    consume(app, source, handle, on_failure=refuse, name="echo")
    return app


def main() -> int:
    """Run the worker of the command line."""
    broker, group, source, drain_s, stuck_s = sys.argv[1:]
    log.configure("INFO")

    @contextlib.asynccontextmanager
    async def open_app() -> AsyncIterator[StreamApp]:
        print("starting", flush=True)  # noqa: T201
        yield echo_app(broker, group, source)

    return run_worker(
        open_app,
        stop=StopLimits(drain_s=float(drain_s), close_s=1.0),
        watch=WatchLimits(event_s=float(stuck_s), loop_s=float(stuck_s)),
        on_ready=lambda _watchdog: print("ready", flush=True),  # noqa: T201
    )


if __name__ == "__main__":
    sys.exit(main())
