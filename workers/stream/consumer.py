"""
The consumer: hands records to the agents in order and commits only the handled prefix.

Faust's own bookkeeping (lists of acknowledged offsets, gap intervals, read offsets) is not used.
What is overridden, and why each is needed, stands at the method.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import aiokafka
from aiokafka.errors import ConsumerStoppedError, KafkaError
from aiokafka.structs import OffsetAndMetadata, TopicPartition
from faust.transport.drivers import aiokafka as driver
from faust.types import TP, ConsumerMessage, Message

from workers.stream.acks import FetchedMessage

if TYPE_CHECKING:
    from workers.stream.app import StreamApp

_log = logging.getLogger(__name__)
#: For what Faust's own code logs from within our classes: its texts are not our event names.
_FAUST_LOG = logging.getLogger("faust.transport")

#: How long one commit may take before it counts as failed, seconds; the next one tries again.
COMMIT_LIMIT_S = 5.0
#: How long the pump waits for records in one go, seconds.
_POLL_S = 1.0
#: The same while an agent's buffer is full, seconds: nobody wakes a waiting fetch when it empties.
_POLL_UNDER_PRESSURE_S = 0.02


class Membership(NamedTuple):
    """What we are in the group at one moment; a commit is only good as long as we are the same."""

    generation: int
    member_id: str
    #: aiokafka makes a new one at each rebalance. The embedded broker repeats generations.
    assignment: Any

    def may_commit(self, wanted: Collection[Any], *, now: "Membership") -> bool:
        """Tell whether offsets that were ready at this moment may be committed now."""
        return (
            now[:2] == self[:2]
            and now.assignment is self.assignment
            # A consumer outside the group: brokers take its commits unchecked.
            and now.generation >= 0
            and now.assignment is not None
            and now.assignment.tps.issuperset(wanted)
        )


class ReadState(NamedTuple):
    """How far one partition has been read."""

    #: Offset that is read next; None until the group's commit is known.
    position: int | None
    #: Offset after the partition's newest record, when the broker last answered a fetch.
    end: int | None
    #: When that was, Unix epoch, milliseconds.
    fetched_at_ms: int | None


class ConsumerThread(driver.AIOKafkaConsumerThread):
    """The thread in which aiokafka talks to the group and fetches."""

    logger = _FAUST_LOG
    mundane_level = "debug"
    app: "StreamApp"

    def _create_worker_consumer(self, transport: driver.Transport) -> aiokafka.AIOKafkaConsumer:
        """Build as Faust does, but for the fetch wait, which it fixes at 1.5 s."""
        consumer = super()._create_worker_consumer(transport)
        consumer._fetch_max_wait_ms = self.app.settings.fetch_wait_ms  # noqa: SLF001 - no option
        return consumer

    def membership(self) -> Membership:
        """Return what we are in the group now."""
        consumer = self._ensure_consumer()
        coordinator = consumer._coordinator  # noqa: SLF001 - not offered otherwise
        subscription = consumer._subscription.subscription  # noqa: SLF001
        return Membership(
            coordinator.generation,
            coordinator.member_id,
            None if subscription is None else subscription.assignment,
        )

    @property
    def assigned(self) -> bool:
        """Whether there is an assignment, of any size."""
        return self._assignment is not None

    @property
    def _assignment(self) -> Any:
        if self._consumer is None:
            return None
        subscription = self._consumer._subscription.subscription  # noqa: SLF001 - not offered
        return None if subscription is None else subscription.assignment

    def read_state(self) -> dict[TP, ReadState]:
        """Return how far each partition that is ours has been read, as the last fetch told it."""
        assignment = self._assignment
        if assignment is None:
            return {}
        states = {TP(*tp): assignment.state_value(tp) for tp in assignment.tps}
        return {
            tp: ReadState(
                state._position,  # noqa: SLF001 - the property asserts that there is one
                state.highwater,
                state.timestamp,
            )
            for tp, state in states.items()
            if state is not None
        }

    async def commit_as(self, membership: Membership, offsets: Mapping[TP, int]) -> bool:
        """
        Commit once, and only as the member that read the records.

        aiokafka's own commit tries again without limit and puts the generation of *that* moment
        into each try. A try that outlives a rebalance, as in a process that was frozen, then writes
        old offsets over those of the partition's new owner.

        Returns:
            Whether the broker took the offsets. Failures are logged and not raised: the run of
            handled records stays, so the next commit carries them too.

        """
        return cast("bool", await self.call_thread(self._commit_as, membership, offsets))

    async def _commit_as(self, membership: Membership, offsets: Mapping[TP, int]) -> bool:
        consumer = self._ensure_consumer()
        coordinator = consumer._coordinator  # noqa: SLF001
        wanted = {TopicPartition(*tp): OffsetAndMetadata(at, "") for tp, at in offsets.items()}
        try:
            async with asyncio.timeout(COMMIT_LIMIT_S), coordinator._commit_lock:  # noqa: SLF001
                if not membership.may_commit(wanted, now=self.membership()):
                    _log.warning("commit_refused_no_longer_member")
                    return False
                await coordinator._do_commit_offsets(None, wanted)  # noqa: SLF001
        except (KafkaError, TimeoutError) as error:
            _log.warning("commit_failed", extra={"error": type(error).__name__})
            return False
        return True

    async def _fetch_records(
        self, consumer: aiokafka.AIOKafkaConsumer, *args: Any, **kwargs: Any
    ) -> Any:
        """Raise what aiokafka's background tasks died of; Faust never asks, and waits forever."""
        consumer._coordinator.check_errors()  # noqa: SLF001
        if consumer._fetcher.error_future.done():  # noqa: SLF001
            consumer._fetcher.error_future.result()  # noqa: SLF001
        return await super()._fetch_records(consumer, *args, **kwargs)

    def on_crash(self, msg: str, *fmt: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Log the kind of error; mode prints its text and a traceback to standard error."""
        _log.error("consumer_thread_crashed", exc_info=True)


class Consumer(driver.Consumer):
    """Faust's consumer with our commit rule."""

    logger = _FAUST_LOG
    mundane_level = "debug"
    app: "StreamApp"
    _thread: ConsumerThread

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: Since when no record may reach an agent, on `time.monotonic()`; None while they may.
        self.flow_stopped_s: float | None = time.monotonic()
        #: Since when they may, on `time.monotonic()`; None while they may not.
        self.flows_since_s: float | None = None
        #: Set once, when the worker stops: a rebalance that ends later must not start it again.
        self.intake_closed = False
        self._acked_one = asyncio.Event()

    def _new_consumer_thread(self) -> ConsumerThread:
        return ConsumerThread(self, loop=self.loop, beacon=self.beacon)

    @property
    def has_assignment(self) -> bool:
        """Whether the group has dealt out its partitions to us; it may be none of them."""
        return self._thread.assigned

    def read_state(self) -> dict[TP, ReadState]:
        """Return how far each partition that is ours has been read."""
        return self._thread.read_state()

    # Records in

    def _to_message(self, tp: TP, record: Any) -> ConsumerMessage:
        """Make the message one that can carry the commit rule."""
        plain = super()._to_message(tp, record)
        message = FetchedMessage.from_message(plain, tp)
        message.generation_id = plain.generation_id
        return cast("FetchedMessage", message)

    async def _drain_messages(self, fetcher: Any) -> None:
        """
        Pump fetched records into the agents' buffers, in order, noting each one first.

        Faust's own pump drops every record below its read offset, which loses those of a log that
        was cut or made anew, and starts four tasks a record.
        """
        try:
            while not (self.should_stop or fetcher.should_stop):
                async for _tp, message in self.getmany(timeout=_POLL_S):
                    self.app.prefix.fetched(cast("FetchedMessage", message))
                    await self.callback(message)
        except (ConsumerStoppedError, asyncio.CancelledError):
            if not self.app.should_stop:
                raise

    async def _getmany(self, active_partitions: set[TP] | None, timeout: float) -> Any:  # noqa: ASYNC109
        """
        Fetch only for agents with room for a whole poll, so that none holds up the others.

        Faust's own signals for a full buffer are per partition, though partitions share a buffer;
        the pump then waits at a full one, or sleeps for a second where all are full.
        """
        active = active_partitions or set()
        fetchable = {tp for tp in active if self.app.has_room(tp.topic)}
        if not fetchable:
            self._acked_one.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._acked_one.wait(), timeout)
            return {}
        if len(fetchable) < len(active):
            timeout = min(timeout, _POLL_UNDER_PRESSURE_S)
        return await super()._getmany(fetchable, timeout)

    def on_buffer_full(self, tp: TP) -> None:
        """Do nothing: `_getmany` looks at the room itself."""

    def on_buffer_drop(self, tp: TP) -> None:
        """Do nothing, as above."""

    # Flow

    def stop_flow(self) -> None:
        """Let no more records through."""
        super().stop_flow()
        self.flows_since_s = None
        if self.flow_stopped_s is None:
            self.flow_stopped_s = time.monotonic()

    def resume_flow(self) -> None:
        """Let records through again, unless the worker is stopping."""
        if self.intake_closed:
            return
        super().resume_flow()
        self.flow_stopped_s = None
        if self.flows_since_s is None:
            self.flows_since_s = time.monotonic()

    def close_intake(self) -> None:
        """Let no more records through, ever."""
        self.intake_closed = True
        self.stop_flow()

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Hand over: finish what is in hand within the limit, commit, and forget all partitions."""
        try:
            await super().on_partitions_revoked(revoked)
        finally:
            self.app.prefix.clear()

    # Records out

    def ack(self, message: Message) -> bool:
        """Note that every agent is done with the record."""
        if message.acked:
            return False
        message.acked = True
        self._unacked_messages.discard(message)
        self.app.prefix.handled(cast("FetchedMessage", message))
        self._acked_one.set()
        return True

    async def force_commit(self, topics: Any = None, start_new_transaction: bool = True) -> bool:  # noqa: ARG002, FBT001, FBT002
        """Commit the handled prefix; only where the broker took it, it counts as committed."""
        offsets = self.app.prefix.committable()
        if not offsets:
            return False
        membership = self._thread.membership()
        try:
            # The thread has its own limit; this one is for a thread that no longer answers.
            async with asyncio.timeout(2 * COMMIT_LIMIT_S):
                taken = await self._thread.commit_as(membership, offsets)
        except TimeoutError:
            _log.warning("commit_unanswered")
            return False
        if taken:
            self.app.prefix.committed(offsets)
        return taken

    async def commit_now(self) -> bool:
        """Commit what is handled by now; `commit` does nothing if another one is under way."""
        await self.maybe_wait_for_commit_to_finish()
        return await self.commit()

    async def wait_empty(self) -> None:
        """Finish what is in hand within the limit, and commit; Faust waits without a limit."""
        # A worker that stops has waited already.
        limit_s = 0.0 if self.intake_closed else self.app.settings.handover_s
        if not await self.app.in_hand.wait_empty(limit_s):
            _log.warning("handover_with_event_in_hand")
        await self.commit_now()

    def verify_event_path(self, now: float, tp: TP) -> None:
        """Do nothing: the watchdog looks at progress; this one reads another thread's state."""


class Transport(driver.Transport):
    """Faust's aiokafka transport with our consumer."""

    Consumer = Consumer
