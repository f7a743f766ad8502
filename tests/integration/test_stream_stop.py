"""How a worker process ends: in order, at the limit, at once, or because it is stuck."""

import signal

import pytest

from tests.integration.stream_tools import Worker, closing, stage
from tests.waiting import wait_until
from workers.stream.exits import ExitCode


@pytest.fixture
async def source(broker):
    """Give fresh topics of one partition."""
    async with stage(broker.address) as made:
        yield made


@pytest.fixture
async def results(source):
    """Collect what the workers produce."""
    async with source.results() as collected:
        yield collected


class TestSigterm:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_under_load_drains_and_commits(self, source, results, number):
        """
        What was processed is committed, nothing else, and the exit is clean.
        """
        values = [b"slow %d" % count for count in range(400)]
        worker = source.worker()
        with closing(worker):
            await worker.ready()
            await source.send(*values)
            await wait_until(lambda: results.have(values[10]), "some work")

            worker.signal(number)
            code = await worker.exit_code()

        committed = (await source.committed())[0]
        await wait_until(lambda: results.have(*values[:committed]), "all that was committed")
        assert (code, len(results.values)) == (ExitCode.OK, committed)
        assert committed < len(values)

    async def test_with_a_hung_handler_ends_at_the_limit(self, source, results):
        """
        The event that hangs is left to the next process; what was handled before it is committed.
        """
        worker = source.worker(drain_s=0.3)
        with closing(worker):
            await worker.ready()
            await source.send(b"before", b"hang", b"behind")
            await worker.said("hanging")
            await wait_until(lambda: results.have(b"before"), "the event before")

            worker.signal(signal.SIGTERM)
            code = await worker.exit_code()

        assert code == ExitCode.HUNG
        assert await source.committed() == {0: 1}

    async def test_with_a_blocked_event_loop_ends_at_the_limit(self, source, results):
        """
        A handler that blocks the loop cannot keep the process from ending.
        """
        worker = source.worker(drain_s=0.3)
        with closing(worker):
            await worker.ready()
            await source.send(b"before", b"block")
            await worker.said("hanging")
            await wait_until(lambda: results.have(b"before"), "the event before")

            worker.signal(signal.SIGTERM)
            code = await worker.exit_code()

        assert code == ExitCode.HUNG

    async def test_a_second_one_ends_it_at_once(self, source, results):
        """
        Whoever does not want to wait for the drain sends another signal.
        """
        worker = source.worker(drain_s=30)
        with closing(worker):
            await worker.ready()
            await source.send(b"before", b"hang")
            await worker.said("hanging")
            await wait_until(lambda: results.have(b"before"), "the event before")
            worker.signal(signal.SIGTERM)

            async def ended():
                worker.signal(signal.SIGTERM)
                return worker.process.poll() is not None

            await wait_until(ended, "the end", timeout_s=5, every_s=0.1)
            code = await worker.exit_code()

        assert code == 128 + signal.SIGTERM

    async def test_while_it_joins_ends_it(self, source):
        """
        A worker that is not in the group yet stops as cleanly.
        """
        worker = source.worker()
        with closing(worker):
            await worker.said("starting")

            worker.signal(signal.SIGTERM)
            code = await worker.exit_code()

        assert code == ExitCode.OK


class TestFaults:
    @pytest.mark.parametrize("fault", [b"hang", b"block"])
    async def test_a_stuck_event_ends_the_process_and_comes_again(self, source, results, fault):
        """
        The watchdog ends a worker whose handler does not return; the event is the next one's.
        """
        stuck = source.worker(stuck_s=1.0)
        with closing(stuck):
            await stuck.ready()
            await source.send(b"before", fault)
            await wait_until(lambda: results.have(b"before"), "the event before")
            code = await stuck.exit_code()

        assert code == ExitCode.STUCK
        assert (await source.committed()).get(0, 0) <= 1

    async def test_an_event_that_nobody_can_dispose_of_ends_the_process(self, source):
        """
        Where the failing record cannot become a dead letter, it is not passed either.
        """
        worker = source.worker()
        with closing(worker):
            await worker.ready()
            await source.send(b"fatal")
            code = await worker.exit_code()

        assert code == ExitCode.FAILED
        assert await source.committed() == {}

    async def test_without_a_broker_the_start_fails(self):
        """
        A worker that cannot reach its broker says so by its exit code.
        """
        worker = Worker("127.0.0.1:1", "group", "source", "1", "20")
        with closing(worker):
            code = await worker.exit_code()

        assert code == ExitCode.FAILED
