"""
Takes records from the broker into the backlog, and commits what was done with.

Partitions come and go. Before they go, the work in hand is finished or given up, the rest is handed
back, and what was done is committed. Before anything of new ones is taken, the gaps are read back:
whoever had them before has counted on.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.errors import CommitFailedError, IllegalStateError, KafkaError

from topics.codec import DecodeError, decode
from topics.gap_action import GapAction
from topics.review import ReviewItem
from workers import metrics
from workers.metrics import Behind
from workers.silence import Silence
from workers.slow.backlog import Backlog, Work
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

#: How long one look for records may take, milliseconds; also how soon a full queue is seen again.
_POLL_MS = 200
#: Records that one look brings, at most: what is fetched is in memory.
_POLL_RECORDS = 64
#: Pause after a failed look, seconds.
_PAUSE_S = 1.0
#: How often the broker is asked whether it is there while nothing is fetched, and how long its
#: answer may take, seconds.
_ASK_S = 3.0
_ANSWER_S = 5.0
#: How long partitions that go wait for the work in hand, seconds; less than the group waits.
HANDOVER_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Names of the topics that are read."""

    review: str
    actions: str


class Intake(ConsumerRebalanceListener):  # type: ignore[misc]
    """Fills the backlog; also what the consumer tells of partitions that come and go."""

    def __init__(
        self,
        consumer: AIOKafkaConsumer,
        backlog: Backlog,
        *,
        named: Named,
        begin: Callable[[Work], None],
        give_up: Callable[[], None],
        changing: asyncio.Lock,
        read_back: Callable[[], Awaitable[None]],
    ) -> None:
        self._consumer = consumer
        self._backlog = backlog
        self._named = named
        self._begin = begin
        self._give_up = give_up
        self._changing = changing
        self._read_back = read_back
        #: Held while something is applied, so that a handover can wait for it.
        self.applying = asyncio.Lock()
        #: Grows whenever partitions go: what was begun before is then none of ours.
        self.term = 0
        self.closed = False
        self._stale = True
        self._owned: frozenset[TopicPartition] = frozenset()
        self._next: dict[TopicPartition, int] = {}
        self._committed: dict[TopicPartition, int] = {}
        #: When what is handled first got ahead of the last commit, on `time.monotonic()`.
        self._waits_since_s: dict[TopicPartition, float] = {}
        self._silence = Silence()
        #: Whether records are asked for: a full queue, or gaps that are being read back, pause it.
        self._fetching = False

    @property
    def fetch_age_s(self) -> float:
        """Time since the broker last answered a fetch, or a question while nothing is fetched."""
        self._silence.listen(self._consumer)
        return self._silence.age_s

    @property
    def uncommitted_s(self) -> float | None:
        """For how long handled records have waited for a commit, seconds; None where none do."""
        since_s = min(self._waits_since_s.values(), default=None)
        return None if since_s is None else time.monotonic() - since_s

    @property
    def assigned(self) -> bool:
        """Whether the group has dealt out partitions, and their gaps are read back."""
        return bool(self._owned) and not self._stale

    @property
    def partitions(self) -> frozenset[int]:
        """The numbers of the partitions of items that are ours."""
        return frozenset(one.partition for one in self._owned if one.topic == self._named.review)

    async def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        """Finish or give up what is in hand, hand back the rest, commit what was done."""
        _ = revoked
        if self.closed:
            return  # the worker stops, and does all this itself
        self.term += 1
        try:
            async with asyncio.timeout(HANDOVER_S), self.applying, self._changing:
                self._stale = True  # from here on nobody begins a change
        except TimeoutError:
            # It may be about to store something; from here on it must not.
            _log.error("handover_with_work_in_hand")
            self._give_up()
        self._backlog.hand_back()
        await self.commit()
        self._owned = frozenset()
        self._next.clear()
        self._committed.clear()
        self._waits_since_s.clear()

    async def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        """Note what is ours now."""
        self._owned = frozenset(assigned)
        self._stale = True
        _log.info("slow_assigned", extra={"partitions": len(self._owned)})

    async def fill(self) -> None:
        """Fill the backlog; runs for ever."""
        while True:
            try:
                await self._look()
            except KafkaError as error:
                _log.error("slow_fetch_failed", extra={"error": type(error).__name__})
                await asyncio.sleep(_PAUSE_S)

    async def keep_asking(self) -> None:
        """Ask the broker whether it is there while nothing is fetched; runs for ever."""
        while True:
            await asyncio.sleep(_ASK_S)
            if not self._fetching and await self._answers():
                self._silence.heard()

    async def _answers(self) -> bool:
        partition = min(self._owned, default=TopicPartition(self._named.review, 0))
        try:
            async with asyncio.timeout(_ANSWER_S):
                await self._consumer.end_offsets([partition])
        except (KafkaError, TimeoutError):
            return False
        return True

    async def _look(self) -> None:
        if self._stale and self._owned:
            self._fetching = False
            term = self.term
            await self._read_back()
            self._stale = term != self.term
        ready = bool(self._owned) and not self._stale and self._backlog.room > 0
        self._flow(ready=ready)
        term = self.term
        count = max(1, min(_POLL_RECORDS, self._backlog.room))
        fetched = await self._consumer.getmany(timeout_ms=_POLL_MS, max_records=count)
        if not ready or term != self.term or self._stale:
            self._put_back(fetched)
            return
        for partition, records in fetched.items():
            for record in records:
                self._take(partition, record)

    def _flow(self, *, ready: bool) -> None:
        owned = tuple(self._owned & self._consumer.assignment())
        self._fetching = ready and bool(owned)
        self._silence.listen(self._consumer)
        if ready:
            self._consumer.resume(*owned)
        else:
            self._consumer.pause(*owned)
        metrics.REVIEW_PAUSED.set(bool(self._owned) and not self._backlog.room)

    def _put_back(self, fetched: dict[TopicPartition, list[object]]) -> None:
        """Records that came while partitions moved are read again, from the first of them on."""
        for partition, records in fetched.items():
            if partition in self._consumer.assignment() and records:
                self._consumer.seek(partition, records[0].offset)  # type: ignore[attr-defined]

    def _take(self, partition: TopicPartition, found: object) -> None:
        record = Record(
            topic=partition.topic,
            partition=partition.partition,
            offset=found.offset,  # type: ignore[attr-defined]
            timestamp_ms=found.timestamp,  # type: ignore[attr-defined]
            key=found.key,  # type: ignore[attr-defined]
            value=found.value,  # type: ignore[attr-defined]
            fetched_s=time.monotonic(),
        )
        self._next.setdefault(partition, record.offset)
        work = Work(record=record, event=self._event(record))
        self._backlog.put(work)
        self._begin(work)

    def _event(self, record: Record) -> ReviewItem | GapAction | DecodeError:
        try:
            if record.topic == self._named.actions:
                return decode(GapAction, record.value)
            return decode(ReviewItem, record.value)
        except DecodeError as error:
            return error

    def handled(self, record: Record) -> None:
        """Note that the oldest record of its partition is done with."""
        partition = TopicPartition(record.topic, record.partition)
        self._next[partition] = record.offset + 1
        self._waits_since_s.setdefault(partition, time.monotonic())

    async def commit(self) -> None:
        """Commit what is done with; what the broker does not take comes again, harmlessly."""
        moved = {
            partition: offset
            for partition, offset in self._next.items()
            if self._committed.get(partition) != offset and partition in self._owned
        }
        if not moved:
            return
        began_s = time.monotonic()
        try:
            await self._consumer.commit(moved)
        except (KafkaError, CommitFailedError, IllegalStateError) as error:
            _log.warning("slow_commit_failed", extra={"error": type(error).__name__})
        else:
            self._committed |= moved
            for partition, offset in moved.items():
                if self._next.get(partition) == offset:
                    self._waits_since_s.pop(partition, None)
                elif partition in self._waits_since_s:
                    self._waits_since_s[partition] = began_s

    async def keep_committing(self, every_s: float) -> None:
        """Commit again and again; runs for ever."""
        while True:
            await asyncio.sleep(every_s)
            await self.commit()

    def behind(self) -> Iterable[Behind]:
        """Tell how far each partition of ours is behind; a record counts until it is handled."""
        now_s = time.time()
        oldest: dict[TopicPartition, float] = {}
        for work in self._backlog:
            partition = TopicPartition(work.record.topic, work.record.partition)
            oldest.setdefault(partition, work.record.timestamp_ms / 1e3)
        for partition in sorted(self._owned & self._consumer.assignment()):
            end = self._consumer.highwater(partition)
            start = self._next.get(partition)
            if end is None or start is None:
                continue
            written_s = oldest.get(partition, now_s)
            yield Behind(
                topic=partition.topic,
                partition=str(partition.partition),
                records=max(0, end - start),
                oldest_s=max(0.0, now_s - written_s),
            )
