"""The inference executor."""

import asyncio
import threading

import pytest

from models.errors import InferenceCancelled
from tests.waiting import wait_until
from workers import inference
from workers.deadline import Deadline
from workers.errors import TooLate
from workers.inference import Inference, Priority, QueueFull

LATER = Deadline.after(3_600)


class Gate:
    """Work that holds the thread until it is opened, or until it is told to stop."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.started = threading.Event()
        self.open = threading.Event()
        self.told = threading.Event()
        self._deaf = deaf

    def __call__(self, cancel) -> str:
        self.started.set()
        while not self.open.wait(0.001):
            if cancel.is_set:
                self.told.set()
                if not self._deaf:
                    return "stopped"
        return "done"


@pytest.fixture
async def executor():
    async with Inference(capacity=4) as made:
        yield made


async def hold(executor: Inference, gate: Gate, deadline: Deadline = LATER) -> asyncio.Task[str]:
    task = asyncio.create_task(executor.run(gate, deadline=deadline, priority=Priority.TURN))
    await wait_until(gate.started.is_set, description="the thread to be held")
    return task


class TestRun:
    async def test_returns_what_the_work_returns(self, executor):
        """
        The result comes back to the caller.
        """
        assert await executor.run(lambda _: 7, deadline=LATER, priority=Priority.TURN) == 7

    async def test_work_never_runs_on_the_loop_thread(self, executor):
        """
        The event loop stays free.
        """
        thread = await executor.run(
            lambda _: threading.current_thread(), deadline=LATER, priority=Priority.TURN
        )

        assert thread is not threading.current_thread()

    async def test_an_error_reaches_the_caller_and_the_next_job_runs(self, executor):
        """
        One failing job costs only itself.
        """

        def fail(_):
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await executor.run(fail, deadline=LATER, priority=Priority.TURN)

        assert await executor.run(lambda _: 1, deadline=LATER, priority=Priority.TURN) == 1

    async def test_a_turn_overtakes_predictions(self, executor):
        """
        Work that a caller waits for goes before work that nobody waits for.
        """
        gate, order = Gate(), []
        held = await hold(executor, gate)
        jobs = [
            asyncio.create_task(
                executor.run(
                    lambda _, name=name: order.append(name), deadline=LATER, priority=priority
                )
            )
            for name, priority in [
                ("prediction", Priority.PREDICTION),
                ("second prediction", Priority.PREDICTION),
                ("turn", Priority.TURN),
            ]
        ]
        await asyncio.sleep(0)

        gate.open.set()
        await asyncio.gather(held, *jobs)

        assert order == ["turn", "prediction", "second prediction"]


class TestDeadlines:
    async def test_late_work_is_skipped_before_it_runs(self, executor):
        """
        A job whose deadline passed in the queue never starts.
        """
        gate, ran = Gate(), []
        held = await hold(executor, gate)

        with pytest.raises(TooLate):
            await executor.run(ran.append, deadline=Deadline.after(0.01), priority=Priority.TURN)
        gate.open.set()
        await held
        await executor.run(lambda _: None, deadline=LATER, priority=Priority.TURN)

        assert ran == []

    async def test_work_that_overruns_is_told_to_stop(self, executor):
        """
        The caller gets an outcome at its deadline, and the thread is freed for the next job.
        """
        gate = Gate()

        with pytest.raises(TooLate):
            await executor.run(gate, deadline=Deadline.after(0.02), priority=Priority.TURN)

        await wait_until(gate.told.is_set, description="the work to be told")
        assert await executor.run(lambda _: 1, deadline=LATER, priority=Priority.TURN) == 1

    async def test_a_deaf_run_loses_its_thread(self, executor, monkeypatch):
        """
        A run that does not stop is left to itself, and a fresh thread goes on with the queue.
        """
        monkeypatch.setattr(inference, "GRACE_S", 0.02)
        gate = Gate(deaf=True)

        with pytest.raises(TooLate):
            await executor.run(gate, deadline=Deadline.after(0.02), priority=Priority.TURN)
        done = await executor.run(lambda _: 1, deadline=LATER, priority=Priority.TURN)
        gate.open.set()

        assert done == 1

    async def test_a_cancelled_caller_stops_its_work(self, executor):
        """
        Work that nobody waits for any more does not go on.
        """
        gate = Gate()
        held = await hold(executor, gate)

        held.cancel()

        await wait_until(gate.told.is_set, description="the work to be told")


class Model:
    """Work like a model's: it holds the thread until it is opened, and stops when it is told to."""

    def __init__(self) -> None:
        self.runs = 0
        self.open = threading.Event()
        self.order: list[str] = []

    def __call__(self, cancel) -> str:
        self.runs += 1
        while not self.open.wait(0.001):
            if cancel.is_set:
                raise InferenceCancelled("stopped")
        self.order.append("model")
        return "done"


class TestGivingWay:
    async def start(self, executor, model, priority=Priority.QUESTION, deadline=LATER):
        task = asyncio.create_task(executor.run(model, deadline=deadline, priority=priority))
        await wait_until(lambda: model.runs, "the model to run")
        return task

    async def turn(self, executor, model):
        await executor.run(
            lambda _: model.order.append("turn"), deadline=LATER, priority=Priority.TURN
        )

    @pytest.mark.parametrize("priority", [Priority.QUESTION, Priority.ENTRY])
    async def test_a_turn_does_not_wait(self, executor, priority):
        """
        Work of the knowledge base is stopped for a turn, begins anew behind it, and is done.
        """
        model = Model()
        task = await self.start(executor, model, priority)

        await self.turn(executor, model)
        await wait_until(lambda: model.runs == 2, "the model to run again")
        model.open.set()

        assert await task == "done"
        assert model.order == ["turn", "model"]

    async def test_predictions_do_not_give_way(self, executor):
        """
        What the next turn needs is not stopped for this one.
        """
        model = Model()
        task = await self.start(executor, model, Priority.PREDICTION)
        turn = asyncio.create_task(self.turn(executor, model))
        await asyncio.sleep(0.02)
        model.open.set()
        await asyncio.gather(task, turn)

        assert (model.runs, model.order) == (1, ["model", "turn"])

    async def test_not_for_ever(self, executor):
        """
        After some turns the work goes on to its end, however many more come.
        """
        model = Model()
        task = await self.start(executor, model)
        for stopped in range(inference._GIVES_WAY):
            await self.turn(executor, model)
            await wait_until(lambda n=stopped: model.runs == n + 2, "the model to run again")

        turn = asyncio.create_task(self.turn(executor, model))
        await asyncio.sleep(0.02)
        model.open.set()
        await asyncio.gather(task, turn)

        assert model.runs == inference._GIVES_WAY + 1
        assert model.order[-2:] == ["model", "turn"]

    async def test_its_deadline_stands(self, executor):
        """
        What gave way is late when its time is over, and is not begun again.
        """
        model = Model()
        task = await self.start(executor, model, deadline=Deadline.after(0.2))
        await self.turn(executor, model)

        with pytest.raises(TooLate):
            await task
        runs = model.runs
        await self.turn(executor, model)
        assert model.runs == runs

    async def test_a_caller_that_leaves(self, executor):
        """
        Work that gave way and that nobody waits for any more is dropped.
        """
        model = Model()
        task = await self.start(executor, model)
        await self.turn(executor, model)
        task.cancel()
        await asyncio.wait([task])

        model.open.set()
        await self.turn(executor, model)

        assert model.order[-1] == "turn"
        assert not executor._waiting

    async def test_closing(self):
        """
        At the end nothing that gave way is left to itself.
        """
        model = Model()
        async with Inference(capacity=4) as executor:
            task = await self.start(executor, model)
            await self.turn(executor, model)

        with pytest.raises((TooLate, InferenceCancelled)):
            await task


class TestBounds:
    async def test_a_full_queue_refuses_at_once(self, executor):
        """
        Beyond the bound nobody waits: the caller falls back now.
        """
        gate = Gate()
        held = await hold(executor, gate)
        waiting = [
            asyncio.create_task(
                executor.run(lambda _: None, deadline=LATER, priority=Priority.PREDICTION)
            )
            for _ in range(4)
        ]
        await asyncio.sleep(0)

        with pytest.raises(QueueFull):
            await executor.run(lambda _: None, deadline=LATER, priority=Priority.TURN)

        gate.open.set()
        await asyncio.gather(held, *waiting)

    async def test_nothing_is_left_after_closing(self):
        """
        Who still waits at the end is told so, the thread ends, and late callers are refused.
        """
        gate = Gate()
        async with Inference(capacity=4) as executor:
            held = await hold(executor, gate)
            waiting = asyncio.create_task(
                executor.run(lambda _: None, deadline=LATER, priority=Priority.TURN)
            )
            await asyncio.sleep(0)

        with pytest.raises(TooLate):
            await waiting
        assert await held == "stopped"
        assert not [thread for thread in threading.enumerate() if "inference" in thread.name]
        with pytest.raises(TooLate):
            await executor.run(lambda _: None, deadline=LATER, priority=Priority.TURN)
