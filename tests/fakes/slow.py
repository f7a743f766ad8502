"""The slow path on fakes, and factories for what it takes."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from models.errors import InferenceError
from models.kb import Index, Tombstone
from models.kb.limits import Limits
from tests.fakes.kb import FakeAnswerModel
from tests.fakes.models import FakeEncoder
from topics.codec import decode
from topics.gap import Gap
from topics.gap_action import GapAction, GapActionKind
from topics.review import ReviewCause, ReviewItem
from topics.reviewed import ReviewedItem
from workers.deadline import Deadline
from workers.inference import Inference
from workers.kb.judges import NoJudge, OnnxJudge
from workers.slow.actions import Actions
from workers.slow.book import Book
from workers.slow.gap import Asked
from workers.slow.judging import PatientJudge
from workers.slow.keeper import Keeper, Source
from workers.slow.knowledge import Knowledge
from workers.slow.marks import item_mark
from workers.slow.rejudge import Rejudging
from workers.slow.review import Finding, Reviewer, review
from workers.slow.standing import Place, Standing

LIMITS = Limits(tenant=1_000, all=1_000)
NOON_MS = 1_796_040_000_000


class Said(NamedTuple):
    """What the decider says of a pair."""

    same: bool
    chance: float
    why: str


class FakeDecider:
    """Says that questions are one if a group of its table has both; names what rules them out."""

    def __init__(
        self,
        *groups: Iterable[str],
        entities: Iterable[frozenset[str]] = (),
        chance: float = 0.97,
    ) -> None:
        self.chance = chance
        self.groups = [frozenset(group) for group in groups]
        self.entities = set(entities)
        self.asked: list[tuple[str, str]] = []
        self.failing = False

    def decide(self, pairs: Sequence[Any]) -> list[Said]:
        """Decide from the table."""
        if self.failing:
            raise InferenceError("broken")
        self.asked += [(one.text, other.text) for one, other in pairs]
        return [self._one(one.text, other.text) for one, other in pairs]

    def _one(self, one: str, other: str) -> Said:
        if frozenset((one, other)) in self.entities:
            return Said(same=False, chance=0.0, why="entity")
        same = one == other or any({one, other} <= group for group in self.groups)
        return Said(same=same, chance=self.chance if same else 0.1, why="judged")


class MemoryStores:
    """Keeps every record, and the last of each gap, as a broker that compacts does."""

    def __init__(self) -> None:
        self.records: list[tuple[str, bytes, bytes | None]] = []
        #: Raises this after so many more records, as a worker that is killed.
        self.dies_after: int | None = None

    async def store(self, topic: str, *, key: bytes, value: bytes | None) -> Place:
        """Keep one record."""
        if self.dies_after == 0:
            raise KilledError
        if self.dies_after is not None:
            self.dies_after -= 1
        self.records.append((topic, key, value))
        return Place(0, len(self.records) - 1)

    def gaps(self) -> list[Gap]:
        """Return the last record of each gap."""
        last = {key: value for topic, key, value in self.records if topic == "kb.gaps"}
        return [decode(Gap, value) for value in last.values() if value is not None]

    def reviewed(self) -> list[ReviewedItem]:
        """Return all results."""
        return [
            decode(ReviewedItem, value)
            for topic, _, value in self.records
            if topic == "kb.reviewed"
        ]

    def actions(self) -> list[GapAction]:
        """Return all actions."""
        return [
            decode(GapAction, value)
            for topic, _, value in self.records
            if topic == "kb.gap.actions"
        ]


class KilledError(Exception):
    """The worker is no more."""


class Slow:
    """All thinking of a slow worker on fakes; `again` begins anew with what is stored."""

    def __init__(
        self,
        inference: Inference,
        *,
        decider: FakeDecider | None = None,
        known: Mapping[str, Any] | None = None,
        vectors: Mapping[str, Sequence[float]] | None = None,
        judge: bool = True,
    ) -> None:
        self.inference = inference
        # Fakes have the interface that is used, not the types.
        self.stores: Any = MemoryStores()
        self.decider: Any = decider
        self.encoder: Any = FakeEncoder(vectors)
        self.model = model = cast("Any", FakeAnswerModel(known))
        self.index = Index(self.encoder)
        self.judge = PatientJudge(OnnxJudge(model, inference) if judge else NoJudge())
        self.offset = 0
        self._wire()

    def _wire(self) -> None:
        self.book = Book(self.encoder, self.inference)
        self.standing = Standing()
        self.keeper = Keeper(
            self.book,
            decider=self.decider,
            inference=self.inference,
            stores=self.stores,
            prefix="",
            standing=self.standing,
        )
        self.actions = Actions(self.book, self.keeper)
        self.reviewer = Reviewer(
            judge=self.judge,
            index=self.index,
            knowledge=Knowledge(self.index, self.judge.name),
            encoder=self.encoder,
            inference=self.inference,
            classifier=None,
        )
        self.rejudging = Rejudging(self.book, self.keeper, self.reviewer, is_ours=lambda _: True)

    async def again(self) -> list[Gap]:
        """Begin anew with what is stored; returns what was owed."""
        self.stores.dies_after = None
        self._wire()
        owed = await self.book.load(self.stores.gaps())
        for gap in owed:
            await self.keeper.put(gap)
        return owed

    async def take(self, item: ReviewItem, *, offset: int | None = None) -> Finding:
        """Review and settle an item; the next one on the topic unless an offset is given."""
        if offset is None:
            offset = self.offset
            self.offset += 1
        finding = await review(self.reviewer, item, Deadline.after(0))
        await self.keeper.settle(item, finding, Source(0, offset, NOON_MS + offset))
        return finding

    async def ask(self, *questions: str, tenant_id: str = "t") -> list[str | None]:
        """Take a question of a call of its own each; returns the gap of each."""
        for question in questions:
            await self.take(make_item(question, call_id=f"call {self.offset}", tenant_id=tenant_id))
        return [one.gap_id for one in self.stores.reviewed()[-len(questions) :]]

    async def act(self, gap_id: str, kind: GapActionKind, **fields: Any) -> GapAction:
        """Apply an action."""
        action = make_action(gap_id, kind, **fields)
        await self.actions.apply(action)
        return action

    async def entries(self, *changes: Any) -> None:
        """Change entries; a string deletes."""
        self.index.update([Tombstone("t", one) if isinstance(one, str) else one for one in changes])

    async def rejudge(self) -> None:
        """Judge every gap anew whose entries changed."""
        for tenant_id in self.book.tenants():
            await self.rejudging._tenant(tenant_id)

    def gap(self, gap_id: str | None) -> Gap:
        """Return a gap as it is stored."""
        (found,) = [gap for gap in self.stores.gaps() if gap.gap_id == gap_id]
        return found

    def open_gaps(self) -> list[Gap]:
        """Return the gaps that are not a part of another."""
        return [gap for gap in self.stores.gaps() if gap.merged_into is None]


def make_item(question: str, **overrides: Any) -> ReviewItem:
    """Make an item that was not judged in time."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "a",
        "call_id": "c",
        "seq": 0,
        "cause": ReviewCause.LATE,
        "asked_at_ms": NOON_MS,
    } | overrides
    return ReviewItem(question=question, **fields)


def make_action(gap_id: str, kind: GapActionKind, **overrides: Any) -> GapAction:
    """Make an action."""
    fields: dict[str, Any] = {
        "action_id": f"action {time.monotonic_ns()}",
        "tenant_id": "t",
        "decided_at_ms": NOON_MS,
    } | overrides
    return GapAction(gap_id=gap_id, kind=kind, **fields)


def make_asked(text: str, number: int = 0, **overrides: Any) -> Asked:
    """Make a question to be counted; the number tells items apart."""
    fields: dict[str, Any] = {
        "text": text,
        "language": "en",
        "at_ms": NOON_MS + number,
        "item": item_mark("t", f"call {number}", 0),
        "partition": 0,
        "offset": number,
        "recorded_at_ms": NOON_MS + number,
    } | overrides
    return Asked(**fields)
