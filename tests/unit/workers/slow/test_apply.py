"""Works out of the backlog, in their order."""

import asyncio
from typing import Any, cast

import pytest

from tests.fakes.slow import Slow, make_action, make_item
from tests.fakes.stream import make_record
from tests.waiting import wait_until
from topics.codec import DecodeError
from topics.gap import GapState
from topics.gap_action import GapActionKind
from workers.errors import RecordRefused
from workers.slow.apply import Applier
from workers.slow.backlog import Backlog, Work


class FakeIntake:
    """Keeps the offsets that were handled."""

    def __init__(self) -> None:
        self.applying = asyncio.Lock()
        self.term = 0
        self.closed = False
        self.offsets: list[int] = []

    def handled(self, record):
        """Note an offset."""
        self.offsets.append(record.offset)


class FakeOutbox:
    """Keeps what was refused."""

    def __init__(self) -> None:
        self.refused: list[tuple[int, str, str]] = []

    async def refuse(self, record, reason, fault):
        """Note a refusal."""
        self.refused.append((record.offset, reason, fault))


class Desk:
    """An applier on fakes that runs."""

    def __init__(self, slow: Slow) -> None:
        self.slow = slow
        # Fakes have the interface that is used, not the types.
        self.intake = intake = cast("Any", FakeIntake())
        self.outbox = outbox = cast("Any", FakeOutbox())
        self.backlog = Backlog(16)
        self.applier = Applier(
            self.backlog,
            reviewer=slow.reviewer,
            keeper=slow.keeper,
            actions=slow.actions,
            outbox=outbox,
            together=2,
            patience_s=0,
        )
        self.task = asyncio.create_task(self.applier.apply_all(intake))

    def put(self, *events: Any) -> None:
        """Put records of these events."""
        for event in events:
            offset = len(self.intake.offsets) + len(self.backlog)
            work = Work(record=make_record(offset=offset, topic="kb.review"), event=event)
            self.backlog.put(work)
            self.applier.begin(work)

    async def until_done(self) -> None:
        """Wait until the backlog is empty."""
        await wait_until(lambda: not len(self.backlog), "the backlog to be empty")


@pytest.fixture
async def desk(inference):
    """Give a running applier, and stop it at the end."""
    made = Desk(Slow(inference))
    yield made
    made.task.cancel()
    await asyncio.wait([made.task])
    assert made.task.cancelled()


async def test_order_is_kept(desk):
    """Whatever is ready first, records are applied, and handled, in their order."""
    desk.put(*(make_item(f"question {number}", call_id=str(number)) for number in range(10)))
    await desk.until_done()

    assert desk.intake.offsets == list(range(10))
    assert [one.call_id for one in desk.slow.stores.reviewed()] == [str(n) for n in range(10)]


async def test_items_actions_and_what_is_neither(desk):
    """Each record ends where it belongs, and none stops the others."""
    (gap_id,) = await desk.slow.ask("a")
    desk.put(
        DecodeError("not a JSON object", raw=b""),
        make_action(gap_id, GapActionKind.DISMISSED),
        make_item("b", call_id="b"),
    )
    await desk.until_done()

    assert desk.outbox.refused == [(0, "not a JSON object", "no_json_object")]
    assert desk.slow.gap(gap_id).state is GapState.DISMISSED
    assert desk.intake.offsets == [0, 1, 2]


async def test_what_fails_is_named_and_passed(desk, monkeypatch):
    """A fault of this code, or a record that cannot be stored, costs one dead letter."""

    async def broken(*_):
        raise RecordRefused("secret 98765")

    monkeypatch.setattr(desk.slow.keeper, "settle", broken)
    desk.put(make_item("a"))
    await desk.until_done()

    assert desk.outbox.refused == [(0, "handling failed: RecordRefused", "failed")]


async def test_failing_model_is_named_and_passed(desk, monkeypatch):
    """A question that no model of this process can take does not hold up the others."""
    monkeypatch.setattr("workers.slow.running._PAUSE_S", 0.0)
    desk.slow.encoder.failing = True
    desk.put(make_item("a"))
    await desk.until_done()

    assert desk.outbox.refused == [(0, "handling failed: InferenceError", "failed")]


async def test_review_that_was_cancelled_under_it_begins_anew(desk):
    """A stray cancellation costs time, and no item."""
    desk.put(make_item("a"))
    work = await desk.backlog.first()
    work.review.cancel()
    await desk.until_done()

    assert len(desk.slow.stores.reviewed()) == 1


async def test_what_was_handed_back_is_not_applied(desk):
    """When partitions go, work that is under way leaves no trace."""
    async with desk.intake.applying:
        desk.put(make_item("a"))
        await asyncio.wait([(await desk.backlog.first()).review])
        desk.intake.term += 1
        desk.backlog.hand_back()
    desk.put(make_item("b", call_id="b"))
    await desk.until_done()

    assert [one.masked_question for one in desk.slow.stores.reviewed()] == ["b"]
