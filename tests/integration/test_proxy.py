"""The fault proxy does to a connection what its fault says, and no more."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
import redis.asyncio
import redis.exceptions
from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaConnectionError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from tests.faults.fault import BLACKHOLE, PASS, REFUSE, drip, latency, reset
from tests.faults.proxy import FaultProxy
from tests.records import Raw, produce, read_all
from tests.waiting import wait_until
from workers.embedded import embedded_broker

#: So long that a test which waits for it fails by its time limit, milliseconds.
_NEVER_MS = 600_000


@contextlib.asynccontextmanager
async def echo_server() -> AsyncIterator[str]:
    """A server that sends back what it gets."""

    async def echo(reader, writer):
        with contextlib.suppress(OSError):
            while chunk := await reader.read(65_536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    try:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await server.wait_closed()


class Client:
    """One connection to the proxy."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer

    async def send(self, message):
        self.writer.write(message)
        await self.writer.drain()

    async def read(self, size):
        return await self.reader.readexactly(size)


@contextlib.asynccontextmanager
async def connected(proxy):
    reader, writer = await asyncio.open_connection(*proxy.address.split(":"))
    try:
        yield Client(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@pytest.fixture
async def proxy():
    """Give a proxy in front of an echo server."""
    async with echo_server() as target, FaultProxy(target=target) as proxy:
        yield proxy


class TestFaults:
    async def test_pass(self, proxy):
        """
        Without a fault, everything passes and is counted.
        """
        async with connected(proxy) as client:
            await client.send(b"hello")
            answer = await client.read(5)

        assert answer == b"hello"
        assert (proxy.counts.accepted, proxy.counts.bytes_up, proxy.counts.bytes_down) == (1, 5, 5)
        await wait_until(lambda: proxy.open_links == 0, "the proxy to notice the end")
        assert proxy.counts.reset == 0

    async def test_latency_delays_answers(self, proxy):
        """
        An answer that is delayed has not arrived; when the delay ends, it arrives whole.
        """
        async with connected(proxy) as client:
            await proxy.become(latency(_NEVER_MS))
            await client.send(b"hello")
            answer = asyncio.create_task(client.read(5))
            await wait_until(lambda: proxy.counts.bytes_up == 5, "the request to reach the target")

            assert proxy.counts.bytes_down == 0
            assert not answer.done()

            await proxy.become(PASS)
            assert await answer == b"hello"

    async def test_latency_is_at_least_what_it_says(self, proxy):
        """
        A round trip under 30 ms of latency takes no less.
        """
        loop = asyncio.get_running_loop()
        async with connected(proxy) as client:
            await proxy.become(latency(30))
            before = loop.time()
            await client.send(b"hello")
            await client.read(5)

        assert loop.time() - before >= 0.03

    async def test_drip(self, proxy):
        """
        A dripping answer brings its first bytes and keeps the rest back.
        """
        async with connected(proxy) as client:
            await proxy.become(drip(2, every_ms=_NEVER_MS))
            await client.send(b"hello")

            assert await client.read(2) == b"he"
            assert proxy.counts.bytes_down == 2

            await proxy.become(PASS)
            assert await client.read(3) == b"llo"

    async def test_blackhole_holds_open_and_new_connections(self, proxy):
        """
        Into a black hole one can connect and send, nothing comes back, and later all goes on.
        """
        async with connected(proxy) as old:
            await old.send(b"first")
            await old.read(5)
            await proxy.become(BLACKHOLE)

            async with connected(proxy) as new:
                await old.send(b"second")
                await new.send(b"third")
                await wait_until(lambda: proxy.counts.accepted == 2, "both connections")
                answers = asyncio.gather(old.read(6), new.read(5))

                assert proxy.counts.bytes_up == 5
                assert not answers.done()

                await proxy.become(PASS)
                assert await answers == [b"second", b"third"]

    async def test_reset_breaks_open_and_new_connections(self, proxy):
        """
        A reset reaches the client as such, on a connection that was open and on a new one.
        """
        async with connected(proxy) as old:
            await old.send(b"hello")
            await old.read(5)
            await proxy.become(reset())

            with pytest.raises(ConnectionResetError):
                await old.read(1)
        with pytest.raises(ConnectionResetError):
            async with connected(proxy) as new:
                await new.read(1)

        assert proxy.counts.reset == 2

    async def test_reset_in_the_middle_of_an_answer(self, proxy):
        """
        The bytes before the break arrive, the ones after it never do.
        """
        async with connected(proxy) as client:
            await client.send(b"whole")
            await client.read(5)
            await proxy.become(reset(after_bytes=3))
            await client.send(b"broken")

            assert await client.read(3) == b"bro"
            with pytest.raises(ConnectionResetError):
                await client.read(1)

        assert proxy.counts.bytes_down == 8

    async def test_refuse(self, proxy):
        """
        A refusing port breaks what was open, accepts nothing, and comes back at the same address.
        """
        async with connected(proxy) as client:
            await client.send(b"hello")
            await client.read(5)
            await proxy.become(REFUSE)

            with pytest.raises(ConnectionResetError):
                await client.read(1)
        with pytest.raises(ConnectionRefusedError):
            async with connected(proxy):
                pass

        await proxy.become(PASS)
        async with connected(proxy) as client:
            await client.send(b"again")
            assert await client.read(5) == b"again"


class TestLifecycle:
    async def test_dead_target(self):
        """
        A proxy whose target is gone resets its clients and counts them.
        """
        async with echo_server() as target:
            pass

        async with FaultProxy(target=target) as proxy:
            with pytest.raises(ConnectionResetError):
                async with connected(proxy) as client:
                    await client.read(1)

        assert proxy.counts.unreachable == 1

    @pytest.mark.parametrize(
        "fault",
        [
            pytest.param(PASS, id="pass"),
            pytest.param(latency(_NEVER_MS), id="latency"),
            pytest.param(BLACKHOLE, id="blackhole"),
            pytest.param(REFUSE, id="refuse"),
        ],
    )
    async def test_nothing_is_left(self, fault):
        """
        A proxy that is left with a connection open leaves no task and no port behind.
        """
        before = asyncio.all_tasks()
        async with echo_server() as target:
            async with FaultProxy(target=target) as proxy:
                reader, writer = await asyncio.open_connection(*proxy.address.split(":"))
                await wait_until(lambda: proxy.counts.accepted == 1, "the connection")
                await proxy.become(fault)
                writer.write(b"hello")
            writer.close()

            assert proxy.open_links == 0
            with pytest.raises(ConnectionRefusedError):
                async with connected(proxy):
                    pass
        await wait_until(lambda: asyncio.all_tasks() <= before, "the echo server to end")
        assert reader.at_eof() or reader.exception() is not None


class TestRedis:
    @pytest.fixture
    async def through(self, cache):
        """Give a proxy in front of the cache, and a client through it."""
        async with FaultProxy(target=cache.url.split("//")[1].split("/")[0]) as proxy:
            client = redis.asyncio.Redis.from_url(
                f"redis://{proxy.address}/0",
                socket_timeout=0.2,
                socket_connect_timeout=0.2,
                retry=Retry(NoBackoff(), 0),
            )
            async with client:
                yield proxy, client

    @pytest.mark.parametrize(
        ("fault", "error"),
        [
            pytest.param(BLACKHOLE, redis.exceptions.TimeoutError, id="frozen"),
            pytest.param(latency(_NEVER_MS), redis.exceptions.TimeoutError, id="slow"),
            pytest.param(reset(), redis.exceptions.ConnectionError, id="reset"),
            pytest.param(
                reset(after_bytes=2), redis.exceptions.ConnectionError, id="reset mid-reply"
            ),
            pytest.param(REFUSE, redis.exceptions.ConnectionError, id="gone"),
        ],
    )
    async def test_fault_and_recovery(self, through, fresh_name, fault, error):
        """
        A client of Redis meets the fault as the error it stands for, and works again afterwards.
        """
        proxy, client = through
        key = fresh_name("key")
        await client.set(key, b"value", px=60_000)

        await proxy.become(fault)
        with pytest.raises(error):
            await client.get(key)

        await proxy.become(PASS)
        assert await client.get(key) == b"value"


class TestKafka:
    async def test_broker_that_advertises_the_proxy(self):
        """
        All of a client's traffic with the broker goes through the proxy, and faults reach it.
        """
        async with FaultProxy() as proxy, embedded_broker(advertised=proxy.address) as broker:
            proxy.target = broker.address
            await produce(proxy.address, "through", [Raw(value=b"x" * 10_000)])

            assert proxy.counts.bytes_up > 10_000
            found = await read_all(broker.address, "through")
            assert [record.value for record in found] == [b"x" * 10_000]
            assert proxy.counts.bytes_down > 10_000

            await proxy.become(REFUSE)
            producer = AIOKafkaProducer(bootstrap_servers=proxy.address)
            with pytest.raises(KafkaConnectionError):
                await producer.start()
            await producer.stop()
