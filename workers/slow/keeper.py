"""
What a finding, an action or a new judgement does to the gaps: one change after the other.

A change is worked out, stored on `kb.gaps`, and only then made here. So a worker that is killed at
any moment finds on the topic what it had done, and what it had not it does again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from models.encoder import Vectors
from models.errors import InferenceError
from models.gaps.same import Asked as AskedPair
from models.gaps.same import SameQuestion
from models.kb import Shown
from models.runtime import Cancel
from topics.codec import DecodeError, Tombstone, decode_compacted, encode
from topics.gap import Gap, GapReason, GapState
from topics.gap_action import GapAction, GapActionKind
from topics.names import GAP_ACTIONS, GAPS, REVIEWED
from topics.review import ReviewItem
from topics.reviewed import ReviewedItem, ReviewResult
from workers import metrics
from workers.inference import Inference
from workers.slow.book import Book
from workers.slow.gap import Asked, core, counted, found
from workers.slow.grouping import Agreement, agreeing, are_one
from workers.slow.ledger import Ledger
from workers.slow.marks import item_mark, name_of, wording
from workers.slow.review import Finding
from workers.slow.running import run
from workers.slow.standing import Place, Standing
from workers.slow.suggesting import with_suggestion
from workers.stream.consume import Record

_log = logging.getLogger(__name__)

T = TypeVar("T")

#: Name of the decider among the components that can be degraded.
COMPONENT = "same_question"
#: What belongs into a gap, and why it is one.
_REASONS = {
    ReviewResult.MISSING_KNOWLEDGE: GapReason.MISSING_KNOWLEDGE,
    ReviewResult.NOT_JUDGED: GapReason.NOT_JUDGED,
}
#: How often we look at what came on the gaps' topic, seconds.
_LOOK_S = 0.5
#: How often a gap is stored again over another worker's records: one that wakes up sends one or
#: two; one that goes on and on is a second owner, against whom nothing is won.
_AGAIN = 8
#: Count from which on a gap is held against the others again, each time that it has doubled.
_LOOK_AGAIN = 4
#: States between which gaps are merged without being asked.
_UNDECIDED = frozenset({GapState.OPEN, GapState.COVERED})


class Stores(Protocol):
    """Stores a record, however long the broker takes."""

    async def store(self, topic: str, *, key: bytes, value: bytes | None) -> Place:
        """
        Store one record, or a tombstone; returns where it lies.

        Raises:
            RecordRefused: it can never be stored.

        """


@dataclass(frozen=True, slots=True)
class Source:
    """Where an item lies on `kb.review`."""

    partition: int
    offset: int
    #: When it was written, Unix epoch, milliseconds.
    recorded_at_ms: int


class Keeper:
    """Keeps the gaps."""

    def __init__(
        self,
        book: Book,
        *,
        decider: SameQuestion | None,
        inference: Inference,
        stores: Stores,
        prefix: str,
        standing: Standing,
    ) -> None:
        self._book = book
        self._decider = decider
        self._inference = inference
        self._stores = stores
        self._standing = standing
        self._gaps = prefix + GAPS.name
        self._reviewed = prefix + REVIEWED.name
        self._actions = prefix + GAP_ACTIONS.name
        #: One change at a time; whoever changes gaps holds it from the look to the record.
        self.changing = asyncio.Lock()
        self._proposed: set[str] = set()
        metrics.DEGRADED.labels(COMPONENT).set(decider is None)

    async def settle(self, item: ReviewItem, finding: Finding, source: Source) -> None:
        """
        Count a reviewed item, once however often it comes, and publish its result.

        Raises:
            RecordRefused: a record can never be stored.

        """
        async with self.changing:
            reason = _REASONS.get(finding.result)
            gap = None if reason is None else await self._count(item, finding, source, reason)
            await self._publish(item, finding, gap)
        metrics.REVIEWED.labels(finding.result).inc()

    async def put(self, gap: Gap, *, vectors: dict[str, Vectors] | None = None) -> Gap:
        """
        Store a gap and take it over; only while `changing` is held.

        Args:
            gap: the record.
            vectors: of wordings that the ledger may not have, by text.

        """
        ledger = self._book.of(gap.tenant_id)
        gap = replace(gap, updated_at_ms=int(time.time() * 1e3))
        new = dict(vectors or {})
        missing = [text for text in ledger.unknown(gap) if text not in new]
        if missing:
            new |= await self._book.vectors(missing)
        key = gap.gap_id.encode()
        self._standing.stored(key, await self._stores.store(self._gaps, key=key, value=encode(gap)))
        ledger.put(gap, new)
        return gap

    async def keep_standing(self, ours: Callable[[], frozenset[int]]) -> None:
        """
        See to it that the last record of each gap of ours is the one that we stored; runs for ever.

        Args:
            ours: the partitions of items that are ours; none while their gaps are being read back.

        """
        while True:
            await asyncio.sleep(_LOOK_S)
            if len(self._standing) and ours():
                await self.put_right(ours)

    async def put_right(self, ours: Callable[[], frozenset[int]]) -> None:
        """Store our record of a gap again where another worker has put one after it."""
        async with self.changing:
            partitions = ours()
            if not partitions:
                return  # they went meanwhile; whoever has them now reads the topic from its start
            for record in self._standing.foreign():
                await self._put_right(record, partitions)

    async def _put_right(self, record: Record, partitions: frozenset[int]) -> None:
        key = record.key or b""
        mine, theirs = self._book.find(key.decode("utf-8", "replace")), _gap(record)
        said = theirs or mine
        if said is None or said.memory.partition not in partitions or mine == theirs:
            return
        place = {"partition": record.partition, "offset": record.offset}
        if self._standing.again(key) > _AGAIN:
            _log.error("gap_contested", extra=place)
            metrics.GAP_EVENTS.labels("contested").inc()
            return
        _log.warning("gap_stored_again", extra=place)
        metrics.GAP_EVENTS.labels("restored").inc()
        if mine is None:
            # A question that we have counted elsewhere, or are going to count.
            await self._stores.store(self._gaps, key=key, value=None)
        else:
            await self.put(mine)

    async def _count(
        self, item: ReviewItem, finding: Finding, source: Source, reason: GapReason
    ) -> Gap | None:
        """Count a question in its gap; return that, or None where it is not known any more."""
        ledger = self._book.of(item.tenant_id)
        mark = item_mark(item.tenant_id, item.call_id, item.seq)
        same = ledger.of_wording(finding.text)
        before = ledger.of_item(mark)
        if before is not None or ledger.has_counted(
            source.partition, source.offset, source.recorded_at_ms
        ):
            metrics.REVIEW_REPEATED.inc()
            return same or before
        latest_ms = max(source.recorded_at_ms, ledger.latest_ms(source.partition))
        asked = Asked(
            text=finding.text,
            language=finding.language,
            at_ms=_plausible(item.asked_at_ms, source.recorded_at_ms),
            item=mark,
            partition=source.partition,
            offset=source.offset,
            recorded_at_ms=latest_ms,
        )
        if same is not None:
            return await self._grow(same, asked, finding, reason)
        vector = finding.vector
        if vector is None:
            (vector,) = (await self._book.vectors([finding.text])).values()
        near = ledger.near(vector, finding.language)
        agreed = await self._agreeing(ledger, AskedPair(finding.text, vector), near)
        if not agreed:
            name = _new_name(ledger, item.tenant_id, finding.text)
            gap = found(item.tenant_id, name, asked, reason=reason, judged_by=finding.judged_by)
            metrics.GAP_EVENTS.labels("found").inc()
            return await self._put_grown(gap, finding.near, {finding.text: vector})
        gap = counted(agreed[0].gap, asked, reason=reason)
        gap = await self._put_grown(gap, finding.near, {finding.text: vector})
        await self._propose_merges(ledger, gap, [one.gap for one in agreed[1:]])
        return gap

    async def _grow(self, gap: Gap, asked: Asked, finding: Finding, reason: GapReason) -> Gap:
        """Count a question that was asked in just these words before."""
        grown = counted(gap, asked, reason=reason)
        if grown.state is not gap.state:
            grown = await self._put_grown(grown, finding.near, {})
        else:
            grown = await self.put(grown)
        if grown.count >= _LOOK_AGAIN and grown.count.bit_count() == 1:
            await self._look_again(grown)
        return grown

    async def _look_again(self, gap: Gap) -> None:
        """Hold a gap against the others anew: both may have more wordings than when it began."""
        ledger = self._book.of(gap.tenant_id)
        vectors = ledger.vectors(gap)
        others: dict[str, Gap] = {}
        for one in core(gap):
            near = ledger.near(vectors[one.text], one.language)
            near.pop(gap.gap_id, None)
            agreed = await self._agreeing(ledger, AskedPair(one.text, vectors[one.text]), near)
            others |= {found.gap.gap_id: found.gap for found in agreed}
        await self._propose_merges(ledger, gap, list(others.values()))

    async def _put_grown(self, gap: Gap, near: Sequence[Shown], vectors: dict[str, Vectors]) -> Gap:
        return await self.put(await with_suggestion(gap, near), vectors=vectors)

    async def _agreeing(
        self, ledger: Ledger, asked: AskedPair, near: Mapping[str, float]
    ) -> list[Agreement]:
        decider = self._decider
        if decider is None or not near:
            return []

        def work(_: Cancel) -> list[Agreement]:
            return agreeing(decider, ledger, asked, near)

        return await self._decided(work, [])

    async def _propose_merges(self, ledger: Ledger, gap: Gap, others: Sequence[Gap]) -> None:
        """Ask for merges by actions, as people do: applied in one place, and on record."""
        decider = self._decider
        for other in others:
            young, old = sorted((gap, other), key=_age, reverse=True)
            action_id = name_of("merge", gap.tenant_id, young.gap_id, old.gap_id)
            if decider is None or action_id in self._proposed or not _may_merge(young, old):
                continue

            def work(
                _: Cancel, young: Gap = young, old: Gap = old, decider: SameQuestion = decider
            ) -> bool:
                return are_one(decider, ledger, young, old)

            if await self._decided(work, default=False):
                action = GapAction(
                    action_id=action_id,
                    tenant_id=gap.tenant_id,
                    gap_id=young.gap_id,
                    kind=GapActionKind.MERGE,
                    into=old.gap_id,
                    decided_at_ms=int(time.time() * 1e3),
                )
                await self._stores.store(
                    self._actions, key=gap.tenant_id.encode(), value=encode(action)
                )
                self._proposed.add(action_id)

    async def _decided(self, work: Callable[[Cancel], T], default: T) -> T:
        """Let the decider work; where it fails, what is not identical falls apart, visibly."""
        try:
            decided = await run(self._inference, work)
        except InferenceError as error:
            _log.error("same_question_failed", extra={"error": type(error).__name__})
            metrics.DEGRADED.labels(COMPONENT).set(1)
            return default
        metrics.DEGRADED.labels(COMPONENT).set(0)
        return decided

    async def _publish(self, item: ReviewItem, finding: Finding, gap: Gap | None) -> None:
        reviewed = ReviewedItem(
            tenant_id=item.tenant_id,
            call_id=item.call_id,
            seq=item.seq,
            masked_question=finding.text,
            result=finding.result,
            entry_id=finding.entry_id,
            rank=finding.rank,
            gap_id=None if gap is None else gap.gap_id,
            reviewed_at_ms=int(time.time() * 1e3),
        )
        await self._stores.store(
            self._reviewed, key=item.tenant_id.encode(), value=encode(reviewed)
        )


#: How far before and after its record an item may say that it was asked, milliseconds.
_BEFORE_MS, _AFTER_MS = 24 * 3_600_000, 300_000


def _plausible(asked_at_ms: int, recorded_at_ms: int) -> int:
    """When a question was asked: by its own clock, unless that is plainly wrong."""
    if recorded_at_ms - _BEFORE_MS <= asked_at_ms <= recorded_at_ms + _AFTER_MS:
        return asked_at_ms
    return max(0, recorded_at_ms)


def _new_name(ledger: Ledger, tenant_id: str, text: str) -> str:
    """Name a new gap by its first wording, so that a re-run gives the same names."""
    form = wording(text)
    name = name_of("gap", tenant_id, form)
    number = 1
    while ledger.get(name) is not None:
        number += 1
        name = name_of("gap", tenant_id, form, str(number))
    return name


def _gap(record: Record) -> Gap | None:
    """Read a record of a gap; None where it is a tombstone, or no gap at all."""
    try:
        gap = decode_compacted(Gap, record.value)
    except DecodeError:
        return None
    return None if isinstance(gap, Tombstone) else gap


def _age(gap: Gap) -> tuple[int, str]:
    return gap.first_seen_ms, gap.gap_id


def _may_merge(one: Gap, other: Gap) -> bool:
    """Tell whether nobody has decided otherwise: by a state, or by a split."""
    if {one.state, other.state} - _UNDECIDED and one.state is not other.state:
        return False
    origins = {one.split_from, other.split_from} - {None}
    return not origins & {one.gap_id, other.gap_id} and not (
        one.split_from is not None and one.split_from == other.split_from
    )
