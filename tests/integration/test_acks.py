"""The commit rule on a real broker: nothing is passed that was not handled, whatever happens."""

import asyncio
import contextlib
import os
import random
import signal
import socket
from pathlib import Path

import pytest

from tests.integration.stream_echo import SESSION_S, echo_app
from tests.integration.stream_tools import closing, stage
from tests.waiting import wait_until


@pytest.fixture
async def source(broker):
    """Give fresh topics of two partitions."""
    async with stage(broker.address, partitions=2) as made:
        yield made


@contextlib.asynccontextmanager
async def running(source, *, drive=None):
    """Run an app in this process, copying records, or with an agent of the test's own."""
    app = echo_app(source.broker, source.group, source.source)
    if drive is not None:
        app.agents["echo"].fun = drive
    await app.start()
    try:
        yield app
    finally:
        app.consumer.close_intake()
        await app.stop()


class TestOneProcess:
    async def test_acks_out_of_order_are_passed_in_order(self, source):
        """
        While the first record is in work, later ones that are handled are not committed.
        """
        taken = []

        async def drive(stream):
            async for event in stream.events():
                taken.append(event)  # noqa: PERF401 - one after the other is the point

        async with running(source, drive=drive) as app:
            await source.send(b"a", b"b", b"c", partition=0)
            await wait_until(lambda: len(taken) == 3, "three records to be taken")
            for event in taken[1:]:
                event.mark_handled()
                event.ack()
            await app.consumer.commit_now()
            with_the_first_in_work = await source.committed()

            taken[0].mark_handled()
            taken[0].ack()
            await app.consumer.commit_now()

            assert with_the_first_in_work == {}
            assert await source.committed() == {0: 3}

    async def test_events_skipped_while_the_flow_is_suspended_come_again(self, source):
        """
        Faust drops and acknowledges what meets a suspended flow; here it is redelivered.
        """
        values = [b"slow %d" % number for number in range(20)]
        async with source.results() as results:
            async with running(source) as app:
                await source.send(*values, partition=0)
                await wait_until(lambda: results.have(values[0]), "the first result")
                # As in a rebalance, but without emptying the buffers, so that events are skipped.
                app.flow_control._suspend.set()
                (actor,) = app.agents["echo"]._actors
                queue = actor.stream.channel.queue
                waiting = queue.qsize()
                await wait_until(queue.empty, "the waiting events to be skipped")
                await app.in_hand.wait_empty(5)
            held = await source.committed()

            async with running(source):
                await wait_until(lambda: results.have(*values), "all results")

        assert 0 < waiting == len(values) - held[0]
        assert sorted(results.values) == sorted(values)

    async def test_failed_commits_are_made_up_for(self, source, monkeypatch):
        """
        A commit that the broker did not take is carried by the next one.
        """
        async with source.results() as results, running(source) as app:
            thread = app.consumer._thread
            commit_as = thread.commit_as
            failures = []

            async def fail(*_commit):
                failures.append(True)
                return False

            monkeypatch.setattr(thread, "commit_as", fail)
            await source.send(b"a", b"b", partition=1)
            await wait_until(lambda: results.have(b"a", b"b"), "the results")
            await wait_until(lambda: len(failures) > 1, "two failed commits")
            before = await source.committed()
            monkeypatch.setattr(thread, "commit_as", commit_as)
            await wait_until(lambda: app.prefix.committable() == {}, "a commit")

            assert before == {}
            assert await source.committed() == {1: 2}

    async def test_a_failing_handler_stops_nothing(self, source):
        """
        What the handler refuses is disposed of, and the same agent handles the event behind it.
        """
        async with (
            source.results() as results,
            source.results("dead") as dead,
            running(source) as app,
        ):
            await source.send(b"a", b"boom", b"b", partition=0)
            await wait_until(lambda: results.have(b"a", b"b"), "the results")
            await wait_until(lambda: dead.have(b"boom"), "the refused record")
            await wait_until(lambda: app.prefix.unhandled == 0, "all to be handled")

            assert not app.crashed
            assert (results.values, dead.values) == ([b"a", b"b"], [b"boom"])

    async def test_a_long_backlog_is_bounded_and_quick(self, source):
        """
        Records wait at the broker, not in the worker, and a full buffer costs no pauses.
        """
        values = [b"%d" % number for number in range(1_500)]
        held = []
        await source.send(*values)
        async with source.results() as results, running(source) as app:

            async def all_in():
                held.append(app.prefix.unhandled)
                return await results.have(*values)

            await wait_until(all_in, "the whole backlog", timeout_s=15)

        assert max(held) <= app.settings.buffer
        assert len(results.values) == len(values)

    async def test_opens_no_port(self, source):
        """
        Faust's web server, which serves everybody on port 6066, is not there.
        """
        worker = source.worker()
        with closing(worker):
            await worker.ready()

            assert listening(worker.process.pid) == []


class TestProcesses:
    @pytest.mark.parametrize("seed", [1, 2])
    async def test_kill_under_load_loses_nothing(self, source, seed):
        """
        A worker killed amid an event, with everything before it committed, loses none.
        """
        rng = random.Random(seed)  # noqa: S311 - which moment, not a secret
        sent = [b"%s %d" % (rng.choice((b"slow", b"quick")), number) for number in range(150)]
        moment = rng.randrange(20, 100)
        sent[moment] = b"long"
        killed = source.worker()
        async with source.results() as results:
            with closing(killed):
                await killed.ready()
                await source.send(*sent, partition=1)
                await wait_until(lambda: committed_is(source, {1: moment}), "commits to catch up")
            restarted = source.worker()
            with closing(restarted):
                await restarted.ready()
                await wait_until(lambda: results.have(*sent), "every result", timeout_s=20)

        assert sorted(results.values) == sorted(sent)

    async def test_workers_that_join_and_leave_lose_and_repeat_nothing(self, source):
        """
        Partitions are handed over with what is in hand finished and committed.
        """
        sent, going = [], True

        async def load():
            while going:
                batch = [b"%d" % (len(sent) + more) for more in range(4)]
                await source.send(*batch)
                sent.extend(batch)
                await results.have()  # returns with the next results, or soon: the load's pace

        leaves = source.worker()
        async with source.results() as results:
            with closing(leaves):
                await leaves.ready()
                loading = asyncio.create_task(load())
                joins = source.worker()
                with closing(joins):
                    await joins.ready()
                    leaves.signal(signal.SIGTERM)
                    code = await leaves.exit_code()
                    going = False
                    await loading
                    await wait_until(lambda: results.have(*sent), "every result")

        assert code == 0
        assert sorted(results.values) == sorted(sent)

    async def test_a_zombie_does_not_commit_over_the_new_owner(self, source):
        """
        A worker frozen for two sessions goes on with handled records in memory, and commits none.
        """
        values = [b"slow %d" % number for number in range(100)]
        zombie = source.worker()
        async with source.results() as results:
            with closing(zombie):
                await zombie.ready()
                await source.send(*values, partition=0)
                await wait_until(lambda: results.have(values[3]), "some work")
                zombie.signal(signal.SIGSTOP)
                owner = source.worker()
                with closing(owner):
                    await owner.ready()
                    await wait_until(lambda: results.have(*values), "the new owner's work")
                    await wait_until(
                        lambda: committed_is(source, {0: 100}), "the new owner's commit"
                    )

                    zombie.signal(signal.SIGCONT)
                    seen = [await source.committed() for _ in range(40)]
                    await source.send(b"after", partition=0)
                    await wait_until(lambda: results.have(b"after"), "work to go on")

        assert all(committed == {0: 100} for committed in seen)


async def committed_is(source, wanted):
    """Tell whether the group's offsets are these."""
    return await source.committed() == wanted


def listening(pid):
    """List the TCP ports that a process listens on."""
    sockets = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        # Descriptors come and go, the one that lists them among them.
        with contextlib.suppress(FileNotFoundError):
            sockets.add(str(link.readlink()).removeprefix("socket:[").removesuffix("]"))
    lines = [
        line.split()
        for table in ("tcp", "tcp6")
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    listen = "0A"
    return [
        int(line[1].split(":")[1], 16) for line in lines if line[3] == listen and line[9] in sockets
    ]


def test_listening_sees_a_port():
    """
    The look at ports would see one.
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        assert server.getsockname()[1] in listening(os.getpid())


def test_sessions_are_short_here():
    """
    The broker makes each join wait for half a session, so the tests use a short one.
    """
    assert SESSION_S <= 2
