"""Takes works out of the backlog, one after the other, and does with each what is to be done."""

import asyncio
import logging
import time
import traceback

from topics.codec import DecodeError
from topics.gap_action import GapAction
from topics.review import ReviewItem
from workers import metrics
from workers.deadline import Deadline
from workers.letters import fault_of
from workers.slow.actions import Actions
from workers.slow.backlog import Backlog, Work
from workers.slow.errors import OwnershipLost
from workers.slow.intake import Intake
from workers.slow.keeper import Keeper, Source
from workers.slow.outbox import Outbox
from workers.slow.review import Finding, Reviewer, review
from workers.stream.consume import Record

_log = logging.getLogger(__name__)


class Applier:
    """Reviews items, some of them at once, and applies them in their order."""

    def __init__(
        self,
        backlog: Backlog,
        *,
        reviewer: Reviewer,
        keeper: Keeper,
        actions: Actions,
        outbox: Outbox,
        together: int,
        patience_s: float,
    ) -> None:
        self._backlog = backlog
        self._reviewer = reviewer
        self._keeper = keeper
        self._actions = actions
        self._outbox = outbox
        self._slots = asyncio.Semaphore(together)
        self._patience_s = patience_s

    def begin(self, work: Work) -> None:
        """Begin the review of an item, as soon as there is a slot."""
        if isinstance(work.event, ReviewItem):
            work.review = asyncio.create_task(
                self._review(work.event, work.record),
                name=f"review {work.record.partition}/{work.record.offset}",
            )

    async def apply_all(self, intake: Intake) -> None:
        """
        Apply works in their order; runs until the intake is closed, and then to the end of the work
        in hand.

        Raises:
            OwnershipLost: the partitions may be another worker's by now.

        """
        while not intake.closed:
            work = await self._backlog.first()
            term = intake.term
            if work.review is not None:
                # Not under the lock: a handover does not wait for a judge.
                await asyncio.wait([work.review])
            async with intake.applying:
                if term != intake.term:
                    continue
                if work.review is not None and work.review.cancelled():
                    self.begin(work)  # something that it awaited was cancelled under it
                    continue
                await self._apply(work)
                if term == intake.term:
                    self._backlog.done(work)
                    intake.handled(work.record)

    async def _review(self, item: ReviewItem, record: Record) -> Finding:
        async with self._slots:
            started_s = time.monotonic()
            # By the record's age: what has waited for long enough waits no longer.
            waited_s = max(0.0, time.time() - record.timestamp_ms / 1e3)
            give_up = Deadline.after(max(0.0, self._patience_s - waited_s))
            finding = await review(self._reviewer, item, give_up)
            metrics.REVIEW_SECONDS.observe(time.monotonic() - started_s)
            return finding

    async def _apply(self, work: Work) -> None:
        record, event = work.record, work.event
        try:
            if isinstance(event, DecodeError):
                await self._outbox.refuse(record, event.reason, fault_of(event.reason))
            elif isinstance(event, GapAction):
                await self._actions.apply(event)
            elif work.review is not None:
                source = Source(record.partition, record.offset, record.timestamp_ms)
                await self._keeper.settle(event, work.review.result(), source)
        except OwnershipLost:
            raise
        except Exception as error:  # noqa: BLE001 - the one catch-all: the next record is due
            # Neither its text nor its traceback: both may hold what a caller said.
            kind = type(error).__name__
            _log.error(
                "slow_record_failed",
                extra={
                    "topic": record.topic,
                    "partition": record.partition,
                    "offset": record.offset,
                    "error": kind,
                    "where": _where(error),
                },
            )
            await self._outbox.refuse(record, f"handling failed: {kind}", "failed")


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno}" if frames else ""
