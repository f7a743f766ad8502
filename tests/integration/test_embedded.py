"""The embedded broker and cache are real, keep to loopback, and never outlive their user."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import redis

from tests.faults.process import children, runs, state
from tests.records import Raw, create_topic, produce, read_all
from tests.services import keys_without_ttl
from tests.waiting import wait_until, wait_until_blocking
from workers.embedded import embedded_broker, embedded_cache, running_cache
from workers.embedded.broker import cluster_of
from workers.embedded.cache import process_of

_ROOT = Path(__file__).parents[2]


def exists(pid):
    """Whether the process is there, even if it only waits to be reaped."""
    return Path(f"/proc/{pid}").exists()


def listening_addresses(pid):
    """List the local addresses, in the kernel's hexadecimal, on which a process listens."""
    inodes = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        target = str(entry.readlink())
        if target.startswith("socket:["):
            inodes.add(target[8:-1])
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            columns = line.split()
            if columns[3] == "0A" and columns[9] in inodes:
                found.append(columns[1])
    return found


class TestBroker:
    async def test_round_trip(self, broker, fresh_name):
        """
        What is written is read: order, keys, empty and null values, several partitions.
        """
        topic = fresh_name("topic")
        await create_topic(broker.address, topic, partitions=3)
        written = await produce(
            broker.address,
            topic,
            [
                Raw(value=b"one", key=b"k", partition=0),
                Raw(value=b"", key=None, partition=0),
                Raw(value=None, key=b"k", partition=2),
                Raw(value=b"x" * 2_000_000, partition=2),
            ],
        )

        found = await read_all(broker.address, topic)

        assert [(r.partition, r.offset, r.key, r.value) for r in found] == [
            (r.partition, r.offset, r.key, r.value) for r in written
        ]

    async def test_empty_topic(self, broker, fresh_name):
        """
        Reading a topic without records ends, with none.
        """
        topic = fresh_name("topic")
        await create_topic(broker.address, topic, partitions=2)

        assert await read_all(broker.address, topic) == []

    async def test_topic_that_exists(self, broker, fresh_name):
        """
        Creating a topic twice changes nothing.
        """
        topic = fresh_name("topic")
        await create_topic(broker.address, topic)
        await produce(broker.address, topic, [Raw(value=b"kept")])

        await create_topic(broker.address, topic)

        assert [record.value for record in await read_all(broker.address, topic)] == [b"kept"]

    async def test_restart_is_empty_and_on_the_same_port(self, own_broker):
        """
        A broker that restarts has its old address, another process, and no topic.
        """
        address, pid = own_broker.address, own_broker.process.pid
        await produce(address, "before", [Raw(value=b"gone")])

        await asyncio.to_thread(own_broker.process.restart)
        await create_topic(address, "before")

        assert own_broker.address == address
        assert own_broker.process.pid != pid
        assert await read_all(address, "before") == []

    async def test_log_has_no_records(self, own_broker):
        """
        What records hold does not reach the broker's log, not even when it refuses them.
        """
        await produce(own_broker.address, "topic", [Raw(value=b"canary", key=b"canary")])
        with socket.create_connection(("127.0.0.1", own_broker.process.port)) as link:
            link.sendall(b"\x00\x00\x00\x10canary no request")
        await produce(own_broker.address, "topic", [Raw(value=b"canary")])

        assert b"canary" not in own_broker.process.log_path.read_bytes()


class TestCache:
    def test_configuration(self, own_cache):
        """
        The cache keeps nothing on disk, forgets the least used when full, and is protected.
        """
        with redis.Redis.from_url(own_cache.url) as client:
            wanted = ("save", "appendonly", "maxmemory", "maxmemory-policy", "protected-mode")
            found = {name: client.config_get(name)[name] for name in wanted}

        assert found == {
            "save": "",
            "appendonly": "no",
            "maxmemory": str(128 * 1024 * 1024),
            "maxmemory-policy": "allkeys-lfu",
            "protected-mode": "yes",
        }

    def test_full_cache_takes_more(self):
        """
        A full cache makes room instead of refusing.
        """
        with running_cache(max_memory_mb=8) as cache, redis.Redis.from_url(cache.url) as client:
            for number in range(1_500):
                client.set(f"key {number}", b"x" * 10_000, px=600_000)

            # room is made before each command: a longer answer would itself be measured
            memory, stats = client.info("memory"), client.info("stats")

        assert stats["evicted_keys"] > 0
        assert memory["used_memory"] <= 8 * 1024 * 1024

    def test_keys_without_ttl(self, own_cache):
        """
        A key that would stay for ever is found, one that expires is not.
        """
        with redis.Redis.from_url(own_cache.url) as client:
            client.set("leaks", 1)
            client.set("expires", 1, px=600_000)

        assert keys_without_ttl(own_cache.url) == [b"leaks"]

    def test_restart_is_empty_and_on_the_same_port(self, own_cache):
        """
        A cache that restarts has its old address and no key.
        """
        url = own_cache.url
        with redis.Redis.from_url(url) as client:
            client.set("key", "value")

        own_cache.process.restart()

        assert own_cache.url == url
        with redis.Redis.from_url(url) as client:
            assert client.dbsize() == 0


class TestFaults:
    def test_frozen(self, own_cache):
        """
        A frozen cache accepts connections and does not answer; resumed, it has lost nothing.
        """
        url = own_cache.url
        with redis.Redis.from_url(url) as client:
            client.set("key", "value")

        own_cache.process.pause()
        with (
            redis.Redis.from_url(url, socket_timeout=0.1, retry=None) as client,
            pytest.raises(redis.TimeoutError),
        ):
            client.get("key")
        assert own_cache.process.running

        own_cache.process.resume()
        with redis.Redis.from_url(url) as client:
            assert client.get("key") == b"value"

    def test_frozen_twice(self, own_cache):
        """
        Each pause returns only when the process stands still.
        """
        for _ in range(3):
            own_cache.process.pause()
            assert state(own_cache.process.pid) == "T"
            own_cache.process.resume()

    def test_killed(self, own_broker):
        """
        A killed broker is gone at once, reaped, and refuses connections.
        """
        port, pid = own_broker.process.port, own_broker.process.pid

        own_broker.process.kill()

        assert not own_broker.process.running
        assert not exists(pid)
        assert cluster_of(port) is None

    def test_stop_of_a_frozen_process(self, own_broker):
        """
        A frozen process can be stopped too.
        """
        own_broker.process.pause()

        own_broker.process.stop()

        assert not exists(own_broker.process.pid)


class TestLifecycle:
    async def test_loopback_only(self, own_broker, own_cache):
        """
        Neither service listens on anything but 127.0.0.1.
        """
        addresses = [
            *listening_addresses(own_broker.process.pid),
            *listening_addresses(own_cache.process.pid),
        ]

        assert sorted(addresses) == sorted(
            f"0100007F:{service.process.port:04X}" for service in (own_broker, own_cache)
        )

    async def test_leaving_removes_process_port_and_files(self):
        """
        After the block there is no process, not even a dead one, no listener and no file.
        """
        async with embedded_broker() as broker, embedded_cache() as cache:
            processes = [broker.process, cache.process]
            assert all(process.log_path.exists() for process in processes)

        assert [exists(process.pid) for process in processes] == [False, False]
        assert [process.folder.exists() for process in processes] == [False, False]
        assert cluster_of(broker.process.port) is None
        assert process_of(cache.process.port) is None

    async def test_log_goes_to_the_given_folder(self, tmp_path):
        """
        With a folder given, the log stays there.
        """
        async with embedded_broker(folder=tmp_path):
            pass

        assert "listening on" in (tmp_path / "tansu.log").read_text()

    async def test_says_that_it_is_memory_only(self, caplog):
        """
        Each service says once, as a warning, that its data is gone when it stops.
        """
        async with embedded_broker() as broker, embedded_cache() as cache:
            await asyncio.to_thread(broker.process.restart)
            await asyncio.to_thread(cache.process.restart)

        said = [r.getMessage() for r in caplog.records if r.name.startswith("workers.embedded")]
        assert said == ["embedded_broker_is_memory_only", "embedded_cache_is_memory_only"]

    async def test_cancelled_while_it_starts(self, monkeypatch):
        """
        A start that is cancelled leaves no process behind.
        """
        before = children(os.getpid(), "tansu")
        monkeypatch.setattr("workers.embedded.broker.cluster_of", lambda _port: None)

        async def use():
            async with embedded_broker():
                pytest.fail("it cannot have become ready")

        task = asyncio.create_task(use())
        await wait_until(lambda: children(os.getpid(), "tansu") - before, "the child")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert children(os.getpid(), "tansu") == before

    def test_started_in_a_thread_that_ends(self, own_cache):
        """
        The service outlives the thread that started it; the kernel ties children to threads.
        """
        thread = threading.Thread(target=own_cache.process.restart)
        thread.start()
        native = Path(f"/proc/self/task/{thread.native_id}")
        thread.join()
        wait_until_blocking(lambda: not native.exists(), "the thread to end")

        assert process_of(own_cache.process.port) == own_cache.process.pid

    def test_dies_with_its_parent(self):
        """
        When the program that uses it is killed, the service does not stay.
        """
        program = (
            "from workers.embedded import running_broker, running_cache\n"
            "import sys, signal\n"
            "with running_broker() as broker, running_cache() as cache:\n"
            "    print(broker.process.pid, cache.process.pid, flush=True)\n"
            "    signal.pause()\n"
        )
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", program],
            cwd=_ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as parent:
            pids = [int(pid) for pid in parent.stdout.readline().split()]
            assert [runs(pid) for pid in pids] == [True, True]

            parent.send_signal(signal.SIGKILL)

        wait_until_blocking(lambda: not any(map(runs, pids)), "the services to die")
