"""
A TCP proxy that misbehaves on demand, in front of Redis or Kafka.

    async with FaultProxy(target=cache.address) as proxy:
        client = redis.asyncio.Redis.from_url(f"redis://{proxy.address}/0")
        await proxy.become(BLACKHOLE)

Kafka clients go where the broker's metadata sends them, so there the broker must advertise the
proxy, which therefore starts first and learns its target later:

    async with FaultProxy() as proxy, embedded_broker(advertised=proxy.address) as broker:
        proxy.target = broker.address
"""

import asyncio
import contextlib
import socket
import struct
import time
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tests.faults.fault import PASS, Fault, Mode

_LOOPBACK = "127.0.0.1"
_READ_BYTES = 65_536
#: SO_LINGER on, zero seconds: closing sends a reset instead of a farewell.
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


@dataclass(slots=True)
class Counts:
    """What went through the proxy so far."""

    #: Connections that clients opened.
    accepted: int = 0
    #: Connections that the proxy broke with a reset.
    reset: int = 0
    #: Connections for which no target could be reached.
    unreachable: int = 0
    #: Bytes from clients to the target.
    bytes_up: int = 0
    #: Bytes from the target to clients.
    bytes_down: int = 0


class FaultProxy:
    """One listening port in front of one target."""

    def __init__(self, *, target: str | None = None) -> None:
        """Prepare; `target` is `host:port`, and may be set later."""
        self.target = target
        self.counts = Counts()
        self._fault = PASS
        self._changed = asyncio.Event()
        self._port = 0
        self._server: asyncio.Server | None = None
        self._placeholder: socket.socket | None = None
        self._links: dict[asyncio.Task[None], _Link] = {}

    @property
    def address(self) -> str:
        """Where clients connect, `host:port`; the same for life."""
        return f"{_LOOPBACK}:{self._port}"

    @property
    def fault(self) -> Fault:
        """The present state of the network."""
        return self._fault

    @property
    def open_links(self) -> int:
        """Connections that are open now."""
        return len(self._links)

    async def __aenter__(self) -> Self:
        """Listen on a free port."""
        await self._listen()
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Break what is connected, stop listening, leave no task behind."""
        self._unlisten()
        await self._break_all()
        if self._placeholder is not None:
            self._placeholder.close()

    async def become(self, fault: Fault) -> None:
        """Change the state of the network, for open connections too, and return when it holds."""
        self._fault = fault
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        for link in self._links.values():
            link.allowance = fault.after_bytes
        if fault.mode is Mode.REFUSE:
            self._unlisten()
        elif self._server is None:
            await self._listen()
        if fault.mode is Mode.REFUSE or fault == Fault(mode=Mode.RESET):
            await self._break_all()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._serve, _LOOPBACK, self._port)
        self._port = self._server.sockets[0].getsockname()[1]
        if self._placeholder is not None:
            self._placeholder.close()
            self._placeholder = None

    def _unlisten(self) -> None:
        if self._server is None:
            return
        self._server.close()
        self._server = None
        # Bound but not listening: connections are refused, and nobody else gets the port.
        self._placeholder = socket.socket()
        self._placeholder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._placeholder.bind((_LOOPBACK, self._port))

    async def _break_all(self) -> None:
        tasks = list(self._links)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one client's connection; being cancelled resets it."""
        self.counts.accepted += 1
        link = _Link(writer, allowance=self._fault.after_bytes)
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError
        self._links[task] = link
        try:
            await self._carry(link, reader)
        except (asyncio.CancelledError, _Broken):
            self.counts.reset += 1
            link.reset()
        except OSError:
            link.close()
        finally:
            link.close()
            del self._links[task]

    async def _carry(self, link: "_Link", reader: asyncio.StreamReader) -> None:
        await self._gate(link)
        try:
            host, _, port = (self.target or "").rpartition(":")
            back_reader, back_writer = await asyncio.open_connection(host, int(port))
        except (OSError, ValueError):
            # A client sees a reset, as from a port whose server has gone.
            self.counts.unreachable += 1
            raise _Broken from None
        link.target = back_writer
        pumps = (
            asyncio.create_task(self._pump_up(link, reader, back_writer), name="proxy-up"),
            asyncio.create_task(self._pump_down(link, back_reader), name="proxy-down"),
        )
        try:
            done, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            for pump in done:
                pump.result()
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump_up(
        self, link: "_Link", reader: asyncio.StreamReader, target: asyncio.StreamWriter
    ) -> None:
        while chunk := await reader.read(_READ_BYTES):
            await self._gate(link)
            target.write(chunk)
            await target.drain()
            self.counts.bytes_up += len(chunk)

    async def _pump_down(self, link: "_Link", reader: asyncio.StreamReader) -> None:
        # Each chunk has its own due time, so latency does not add up over a busy connection.
        chunks: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(maxsize=64)

        async def collect() -> None:
            while chunk := await reader.read(_READ_BYTES):
                await chunks.put((time.monotonic(), chunk))
            await chunks.put((time.monotonic(), b""))

        collecting = asyncio.create_task(collect(), name="proxy-collect")
        try:
            while True:
                arrived, chunk = await chunks.get()
                if not chunk:
                    return
                await self._deliver(link, chunk, arrived)
        finally:
            collecting.cancel()
            await asyncio.gather(collecting, return_exceptions=True)

    async def _deliver(self, link: "_Link", chunk: bytes, arrived: float) -> None:
        """Hand one answer to the client, under whatever the network is by then."""
        while chunk:
            await self._gate(link)
            fault = self._fault
            if fault.mode is Mode.LATENCY:
                due_s = arrived + fault.delay_ms / 1000 - time.monotonic()
                if await self._changes_within(due_s):
                    continue
            part = chunk[: _at_once(fault, link)]
            chunk = chunk[len(part) :]
            link.client.write(part)
            await link.client.drain()
            self.counts.bytes_down += len(part)
            if fault.mode is Mode.RESET:
                link.allowance -= len(part)
                await self._gate(link)
            if fault.mode is Mode.DRIP:
                await self._changes_within(fault.delay_ms / 1000)

    async def _gate(self, link: "_Link") -> None:
        """Hold what is under way in a black hole; break what may not go on."""
        while self._fault.mode is Mode.BLACKHOLE:
            await self._changed.wait()
        used_up = self._fault.mode is Mode.RESET and link.allowance <= 0
        if used_up or self._fault.mode is Mode.REFUSE:
            raise _Broken

    async def _changes_within(self, seconds: float) -> bool:
        if seconds <= 0:
            return False
        changed = self._changed
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await changed.wait()
        return changed.is_set()


def _at_once(fault: Fault, link: "_Link") -> int | None:
    """Tell how many bytes may pass in one piece; None for all."""
    if fault.mode is Mode.DRIP:
        return fault.chunk_bytes
    if fault.mode is Mode.RESET:
        return link.allowance
    return None


class _Broken(Exception):
    """This connection is to be reset."""


class _Link:
    """The two ends of one connection."""

    def __init__(self, client: asyncio.StreamWriter, *, allowance: int) -> None:
        self.client = client
        self.target: asyncio.StreamWriter | None = None
        #: Bytes of answer that may still pass under `RESET`.
        self.allowance = allowance

    def reset(self) -> None:
        """Break the client's connection; data that it has not read is lost to it."""
        with contextlib.suppress(OSError):  # the client may have gone first
            self.client.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE
            )
        self.client.transport.abort()

    def close(self) -> None:
        """End both ends."""
        self.client.close()
        if self.target is not None:
            self.target.close()
