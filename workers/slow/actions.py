"""`kb.gap.actions` in: what people, and the worker itself, decide about gaps."""

import logging

from topics.gap import Gap, GapState
from topics.gap_action import GapAction, GapActionKind
from workers import metrics
from workers.slow.book import Book
from workers.slow.gap import acted, merged, split
from workers.slow.keeper import Keeper
from workers.slow.suggesting import with_suggestion

_log = logging.getLogger(__name__)

_STATES = {
    GapActionKind.ADDED: GapState.ADDED,
    GapActionKind.DISMISSED: GapState.DISMISSED,
    GapActionKind.REOPEN: GapState.OPEN,
}


class Actions:
    """Applies actions; each once, however often it comes."""

    def __init__(self, book: Book, keeper: Keeper) -> None:
        self._book = book
        self._keeper = keeper

    async def apply(self, action: GapAction) -> None:
        """
        Apply one action. What cannot be done is logged and counted, and changes nothing.

        Raises:
            RecordRefused: a record can never be stored.

        """
        async with self._keeper.changing:
            outcome = await self._apply(action)
        metrics.GAP_EVENTS.labels(outcome).inc()
        _log.info("gap_action", extra={"kind": action.kind.value, "outcome": outcome})

    async def _apply(self, action: GapAction) -> str:
        ledger = self._book.of(action.tenant_id)
        named = ledger.get(action.gap_id)
        gap = ledger.final(action.gap_id)
        if named is None or gap is None:
            return "unknown_gap"
        if action.action_id in {*named.memory.actions, *gap.memory.actions}:
            return "repeated"
        if action.kind is GapActionKind.MERGE:
            return await self._merge(action, gap)
        if action.kind is GapActionKind.SPLIT:
            return await self._split(action, gap)
        # An entry that was written, or is wanted again, is judged anew by whoever judges gaps.
        fresh = acted(gap, action.action_id, state=_STATES[action.kind], entry_id=action.entry_id)
        await self._keeper.put(await self._with_quotes(fresh))
        return action.kind.value

    async def _merge(self, action: GapAction, gap: Gap) -> str:
        into = self._book.of(action.tenant_id).final(action.into or "")
        if into is None:
            return "unknown_gap"
        if into.gap_id == gap.gap_id:
            return "repeated"
        vectors = self._book.of(action.tenant_id).vectors(gap)
        whole, left = merged(into, gap)
        # The first record is the merge; the second one follows from it, also after a crash.
        await self._keeper.put(
            await self._with_quotes(acted(whole, action.action_id)), vectors=vectors
        )
        await self._keeper.put(acted(left, action.action_id))
        return "merge"

    async def _split(self, action: GapAction, gap: Gap) -> str:
        ledger = self._book.of(action.tenant_id)
        again = 0
        parts = split(gap, action.example or "")
        while parts is not None and (before := ledger.get(parts[0].gap_id)) is not None:
            if before.merged_into is None:
                return "not_split"
            again += 1
            parts = split(gap, action.example or "", again=again)
        if parts is None:
            return "not_split"
        child, parent = parts
        vectors = ledger.vectors(gap)
        await self._keeper.put(await self._with_quotes(child), vectors=vectors)
        await self._keeper.put(await self._with_quotes(acted(parent, action.action_id)))
        return "split"

    @staticmethod
    async def _with_quotes(gap: Gap) -> Gap:
        """Keep the quotes of a gap's suggestion out until it is judged anew: they may not fit."""
        return await with_suggestion(gap, ())
