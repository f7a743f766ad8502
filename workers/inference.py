"""
A bounded executor for model work: one thread at a time, urgent work first.

Inference never runs on the event loop. A caller waits no longer than its deadline: work that is
late is skipped before it runs, work that overruns is told to stop. A thread cannot be killed: one
that does not stop within a grace is left to itself and logged, and a fresh one takes its place.

A turn does not wait for the knowledge base: work of that which runs when a turn comes is stopped,
and begins anew behind it. Not for ever: what was stopped a few times runs to its end.
"""

import asyncio
import heapq
import itertools
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Self, TypeVar

from models.errors import InferenceCancelled
from models.runtime import Cancel
from workers import metrics
from workers.deadline import Deadline
from workers.errors import TooLate

_log = logging.getLogger(__name__)

T = TypeVar("T")

#: Name of the queue on its metrics.
_QUEUE = "inference"
#: How often a job gives way to turns; more, and under load nothing of the knowledge base would end.
_GIVES_WAY = 4
#: How long a run may take to notice that it was told to stop, seconds; onnxruntime needs 0.14.
GRACE_S = 1.0


class Priority(IntEnum):
    """What goes first."""

    TURN = 0
    PREDICTION = 1
    #: A question to the knowledge base: somebody waits, but no turn waits for it.
    QUESTION = 2
    #: An entry of the knowledge base: nobody waits.
    ENTRY = 3


class QueueFull(TooLate):
    """The queue was at its bound, so the work was refused at once."""


@dataclass(order=True, slots=True)
class _Job:
    priority: Priority
    number: int
    work: Callable[[Cancel], Any] = field(compare=False)
    deadline: Deadline = field(compare=False)
    future: "asyncio.Future[Any]" = field(compare=False)
    loop: asyncio.AbstractEventLoop = field(compare=False)
    cancel: Cancel = field(compare=False, default_factory=Cancel)
    #: How often it was stopped for a turn, and whether it is being stopped for one now.
    gave_way: int = field(compare=False, default=0)
    giving_way: bool = field(compare=False, default=False)


class Inference:
    """
    Runs model work off the event loop; an async context manager.

    Args:
        capacity: jobs that may wait; one more is refused.

    """

    def __init__(self, *, capacity: int) -> None:
        self._capacity = capacity
        self._numbers = itertools.count()
        self._waiting: list[_Job] = []
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._running: _Job | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        """Start the thread."""
        metrics.QUEUE_CAPACITY.labels(_QUEUE).set(self._capacity)
        self._thread = self._start_thread()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let the running job go, refuse the rest, and end the thread."""
        with self._changed:
            self._closed = True
            for job in self._waiting:
                _settle(job, error=TooLate())
            self._waiting.clear()
            if self._running is not None:
                self._running.cancel.set()
            self._changed.notify_all()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, GRACE_S)

    async def run(
        self, work: Callable[[Cancel], T], *, deadline: Deadline, priority: Priority
    ) -> T:
        """
        Run `work` in the executor and return what it returns.

        Raises:
            TooLate: the deadline passed first, or the executor is closed.
            QueueFull: too many jobs wait already.

        """
        loop = asyncio.get_running_loop()
        job = _Job(priority, next(self._numbers), work, deadline, loop.create_future(), loop)
        self._submit(job)
        try:
            async with asyncio.timeout(deadline.left_s()):
                return await job.future  # type: ignore[no-any-return]
        except TimeoutError:
            raise TooLate from None
        finally:
            self._let_go(job)

    def _submit(self, job: _Job) -> None:
        with self._changed:
            if self._closed:
                raise TooLate
            if len(self._waiting) >= self._capacity:
                metrics.INFERENCE_SKIPPED.labels("full").inc()
                raise QueueFull
            heapq.heappush(self._waiting, job)
            if job.priority is Priority.TURN:
                self._make_way()
            metrics.QUEUE.labels(_QUEUE).set(len(self._waiting))
            self._changed.notify()

    def _make_way(self) -> None:
        """Stop what runs, if a turn goes before it; the lock is held."""
        running = self._running
        if (
            running is not None
            and running.priority >= Priority.QUESTION
            and running.gave_way < _GIVES_WAY
            and not running.giving_way
        ):
            running.giving_way = True
            running.cancel.set()

    def _again(self, job: _Job) -> bool:
        """Queue a job anew that was stopped for a turn; tell whether it was."""
        with self._changed:
            if not job.giving_way or self._running is not job or self._closed:
                return False
            job.giving_way = False
            job.gave_way += 1
            # First the new token, then the look: whoever lets go of the job does it in the other
            # order, so that one of us sees the other.
            job.cancel = Cancel()
            if job.future.done():
                return False
            self._running = None
            heapq.heappush(self._waiting, job)
            metrics.INFERENCE_GAVE_WAY.inc()
            return True

    def _let_go(self, job: _Job) -> None:
        """Stop a job that nobody waits for any more."""
        if job.future.done() and not job.future.cancelled():
            return
        job.future.cancel()
        job.cancel.set()
        with self._changed:
            if self._running is job and self._thread is not None:
                job.loop.call_later(GRACE_S, self._replace_if_stuck, job, self._thread)

    def _replace_if_stuck(self, job: _Job, thread: threading.Thread) -> None:
        with self._changed:
            if self._running is not job or self._thread is not thread or self._closed:
                return
            self._running = None
            self._thread = self._start_thread()
        metrics.INFERENCE_STUCK.inc()
        _log.error("inference_stuck", extra={"thread": thread.name})

    def _start_thread(self) -> threading.Thread:
        name = f"inference-{next(self._numbers)}"
        thread = threading.Thread(target=self._loop, name=name, daemon=True)
        thread.start()
        return thread

    def _loop(self) -> None:
        while (job := self._next()) is not None:
            try:
                result = job.work(job.cancel)
            except InferenceCancelled as error:
                if self._again(job):
                    continue
                _settle(job, error=error)
            except BaseException as error:  # noqa: BLE001 - handed to the caller, who knows the job
                _settle(job, error=error)
            else:
                _settle(job, result=result)
            with self._changed:
                if self._running is not job:  # replaced meanwhile
                    return
                self._running = None

    def _next(self) -> _Job | None:
        with self._changed:
            while True:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return None
                job = heapq.heappop(self._waiting)
                metrics.QUEUE.labels(_QUEUE).set(len(self._waiting))
                if job.cancel.is_set or job.deadline.passed:
                    metrics.INFERENCE_SKIPPED.labels("late").inc()
                    _settle(job, error=TooLate())
                    continue
                self._running = job
                return job


def _settle(job: _Job, *, result: object = None, error: BaseException | None = None) -> None:
    def settle() -> None:
        if job.future.done():
            return
        if error is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(error)

    # A loop that is closed has nobody left who waits.
    if not job.loop.is_closed():
        job.loop.call_soon_threadsafe(settle)
