"""
Gaps and the entries that change under them: what an entry answers now is covered, what one answered
and none does any more is open again, and suggestions follow the entries that they quote.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models.errors import InferenceError
from models.kb import Found, Shown, shown
from topics.gap import Gap, GapReason, GapState
from workers import metrics
from workers.deadline import Deadline
from workers.slow.book import Book
from workers.slow.gap import core, judged
from workers.slow.keeper import Keeper
from workers.slow.review import NEAR, Reviewer, look
from workers.slow.suggesting import with_suggestion

_log = logging.getLogger(__name__)

#: Wordings of a gap that are judged: the most asked, one of each language first.
_ASKED = 3


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the entries of now say of a gap."""

    #: The entry that answers it; None where none does.
    entry_id: str | None
    #: False where nobody could judge.
    judged: bool
    #: The nearest entries of its most asked wording, nearest first.
    near: tuple[Shown, ...] = ()


class Rejudging:
    """Looks for gaps whose entries have changed, and judges them anew."""

    def __init__(
        self,
        book: Book,
        keeper: Keeper,
        reviewer: Reviewer,
        *,
        is_ours: Callable[[str], bool],
    ) -> None:
        self._book = book
        self._keeper = keeper
        self._reviewer = reviewer
        self._knowledge = reviewer.knowledge
        self._is_ours = is_ours

    async def keep_up(self, every_s: float) -> None:
        """Look again and again; runs for ever."""
        shown_before: set[tuple[str, str]] = set()
        while True:
            await asyncio.sleep(every_s)
            for tenant_id in self._book.tenants():
                await self._tenant(tenant_id)
            counts = self._book.states()
            for labels in shown_before | counts.keys():
                metrics.GAPS.labels(*labels).set(counts[labels])
            shown_before |= counts.keys()

    async def _tenant(self, tenant_id: str) -> None:
        for gap_id in [gap.gap_id for gap in self._book.of(tenant_id).gaps()]:
            state = self._knowledge.state(tenant_id)
            gap = self._book.of(tenant_id).final(gap_id)
            if gap is None or gap.memory.judged == state or not self._is_ours(tenant_id):
                continue
            try:
                judgement = await self.judge(gap)
            except InferenceError as error:
                _log.error("gap_not_judged", extra={"error": type(error).__name__})
                return
            if self._reviewer.judge.present and not judgement.judged:
                return  # the judge is away; its next time is ours
            await self._put(gap, judgement, state)

    async def judge(self, gap: Gap) -> Judgement:
        """
        Judge a gap by the entries of now; changes nothing.

        A gap is answered where its most asked wording is, and half of those that are judged.

        Raises:
            InferenceError: the encoder failed.

        """
        changed = self._knowledge.changed(gap.tenant_id, gap.memory.judged)
        if gap.state is GapState.COVERED and changed is not None and gap.entry_id not in changed:
            return Judgement(gap.entry_id, judged=True)
        near: tuple[Shown, ...] = ()
        answers: list[str | None] = []
        for member in core(gap)[:_ASKED]:
            _, found = await look(self._reviewer, gap.tenant_id, member.text)
            near = near or tuple(shown(one.entry) for one in found[:NEAR])
            read = found if changed is None else _changed(gap, found, changed)
            said = await self._reviewer.judge.first_answer(
                member.text, [shown(one.entry) for one in read], Deadline.after(0)
            )
            if not said.judged:
                return Judgement(None, judged=False, near=near)
            answers.append(None if said.place is None else read[said.place].entry.entry_id)
        answered = [one for one in answers if one is not None]
        whole = bool(answers) and answers[0] is not None and 2 * len(answered) >= len(answers)
        return Judgement(answers[0] if whole else None, judged=True, near=near)

    async def _put(self, gap: Gap, judgement: Judgement, state: str) -> None:
        """Take a judgement over, unless the gap became something else meanwhile."""
        async with self._keeper.changing:
            now = self._book.of(gap.tenant_id).get(gap.gap_id)
            if now is None or now.merged_into is not None or not self._is_ours(gap.tenant_id):
                return
            if now.memory.actions != gap.memory.actions:
                return  # somebody acted; it is looked at again
            fresh = judged(
                now,
                by=state,
                entry_id=judgement.entry_id,
                reason=GapReason.MISSING_KNOWLEDGE if judgement.judged else now.reason,
                known=judgement.judged,
            )
            await self._keeper.put(await with_suggestion(fresh, judgement.near))
        if fresh.state is not now.state:
            covered = fresh.state is GapState.COVERED
            metrics.GAP_EVENTS.labels("covered" if covered else "reopened").inc()


def _changed(gap: Gap, found: Sequence[Found], changed: frozenset[str]) -> Sequence[Found]:
    """The entries that may say something new; all of them where the one that covered it changed."""
    if gap.state is GapState.COVERED:
        return found
    return [one for one in found if one.entry.entry_id in changed]
