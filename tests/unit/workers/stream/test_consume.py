"""Tests of the agent driver."""

import asyncio
import logging
from functools import partial

import pytest

from workers.errors import BrokerUnavailable
from workers.stream import consume as driver
from workers.stream.consume import Record, StrayCancellation, consume


class Calls:
    """A handler or disposer that notes its calls and answers with errors given beforehand."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.records = []
        self.errors = []

    async def __call__(self, record, error=None):
        """Take a record."""
        self.records.append(record)
        self.errors.append(error)
        answer = self.answers.pop(0) if self.answers else None
        if answer is not None:
            raise answer


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(driver, "RETRY_PAUSES_S", (0.0,))


class TestHandle:
    async def test_gives_the_record_as_it_came(self, app, make_event):
        """
        The handler sees raw bytes, the place and the times of the record.
        """
        handler = Calls()
        event = make_event(7, topic="t", value=None, key=b"\xff")

        await driver._handle(app, event, handler, Calls())

        assert [
            Record(
                topic="t",
                partition=0,
                offset=7,
                timestamp_ms=1500,
                key=b"\xff",
                value=None,
                fetched_s=event.message.fetched_s,
            )
        ] == handler.records

    async def test_marks_the_event_when_the_handler_returns(self, app, make_event):
        """
        An event is handled only after its handler returned.
        """
        event = make_event()
        during = []

        async def handler(_record):
            during.append(event.handled)

        await driver._handle(app, event, handler, Calls())

        assert (during, event.handled) == ([False], True)

    async def test_gives_a_failed_record_to_on_failure(self, app, make_event):
        """
        What a handler raises goes to `on_failure` with its record, and the event is done.
        """
        error = ValueError("text of a caller")
        event, disposed = make_event(), Calls()

        await driver._handle(app, event, Calls(error), disposed)

        assert ([error], True) == (disposed.errors, event.handled)

    async def test_logs_a_failure_by_place_and_type_only(self, app, make_event, caplog):
        """
        Neither the error's text nor the record is logged: both may be user text.
        """
        caplog.set_level(logging.DEBUG)
        event = make_event(7, topic="t", value=b"said by a caller")

        await driver._handle(app, event, Calls(ValueError("said by a caller")), Calls())

        logged = vars(caplog.records[0])
        assert tuple(logged[name] for name in ("topic", "partition", "offset", "error")) == (
            "t",
            0,
            7,
            "ValueError",
        )
        assert "said by" not in caplog.text + repr(logged)

    async def test_does_not_mark_an_event_that_nobody_could_dispose_of(self, app, make_event):
        """
        If `on_failure` fails too, the agent ends with its error and the event comes again.
        """
        event = make_event()

        with pytest.raises(OSError, match="disk"):
            await driver._handle(app, event, Calls(ValueError()), Calls(OSError("disk")))

        assert not event.handled

    @pytest.mark.parametrize(
        ("handler", "disposed"),
        [
            pytest.param(Calls(BrokerUnavailable(), BrokerUnavailable()), Calls(), id="in handler"),
            pytest.param(
                Calls(ValueError(), ValueError()), Calls(BrokerUnavailable()), id="in on_failure"
            ),
        ],
    )
    async def test_tries_again_while_the_broker_is_away(self, app, make_event, handler, disposed):
        """
        A record is not at fault for a broker that takes no results: it waits, unmarked.
        """
        event = make_event()

        await driver._handle(app, event, handler, disposed)

        assert event.handled
        assert len(handler.records) > 1

    async def test_a_stray_cancellation_is_a_failure(self, app, make_event):
        """
        Something cancelled under the handler does not end the agent.
        """
        event, disposed = make_event(), Calls()

        await driver._handle(app, event, Calls(asyncio.CancelledError()), disposed)

        assert event.handled
        assert isinstance(disposed.errors[0], StrayCancellation)

    async def test_a_cancelled_agent_marks_nothing(self, app, make_event):
        """
        An agent that is stopped leaves its event to come again.
        """
        event, disposed = make_event(), Calls()
        started = asyncio.Event()

        async def hang(_record):
            started.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(driver._handle(app, event, hang, disposed))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert (event.handled, disposed.records) == (False, [])

    async def test_holds_the_event_in_hand(self, app, make_event):
        """
        A stop and the watchdog see what a handler works on, and nothing after it.
        """
        during = []

        async def handler(_record):
            during.append(len(app.in_hand))

        await driver._handle(app, make_event(), handler, Calls())

        assert (during, len(app.in_hand)) == ([1], 0)


class TestConsume:
    async def test_registers_one_agent_of_raw_bytes(self, app):
        """
        One agent a topic, one event at a time, no codec but bytes.
        """
        consume(app, "t", Calls(), on_failure=Calls(), name="reader")

        agent = app.agents["reader"]
        schema = agent.channel.schema
        assert (agent.concurrency, tuple(agent.channel.topics)) == (1, ("t",))
        assert ("raw", "raw", bytes, bytes) == (
            schema.key_serializer,
            schema.value_serializer,
            schema.key_type,
            schema.value_type,
        )

    @pytest.mark.parametrize(
        "value",
        [
            pytest.param(None, id="tombstone"),
            pytest.param(b"", id="empty"),
            pytest.param(b"\xff\xfe{", id="no text"),
        ],
    )
    async def test_no_bytes_fail_before_the_handler(self, app, make_message, value):
        """
        Faust decodes nothing, so no value can crash an agent before our code sees it.
        """
        consume(app, "t", Calls(), on_failure=Calls(), name="reader")

        event = await app.agents["reader"].channel.decode(
            make_message(topic="t", value=value), propagate=True
        )

        assert value == event.value


class TestTogether:
    """Several records at once, in order within a key."""

    async def drive(self, app, events, handler, together):
        """Handle events as the agent of a topic does; tells what was acknowledged, in order."""
        acked = []

        async def stream():
            for event in events:
                yield event
                event.ack()  # as Faust does when it is asked for the next one

        for event in events:
            event.ack = lambda event=event: acked.append(event) if event.handled else None
        handle = partial(self.handle, app, handler)
        await driver._drive_together(stream(), handle, together)
        return acked

    async def handle(self, app, handler, event):
        await driver._handle(app, event, handler, Calls())

    async def test_at_once_up_to_the_bound(self, app, make_event):
        """
        As many records are in work as the bound says, and no more.
        """
        running, most = 0, 0

        async def handler(_record):
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            running -= 1

        events = [make_event(number, key=b"%d" % number) for number in range(20)]
        await self.drive(app, events, handler, 4)

        assert most == 4
        assert all(event.handled for event in events)

    async def test_in_order_within_a_key(self, app, make_event):
        """
        Records of one call are handled one after the other, whatever each of them takes.
        """
        order, pauses = [], iter([5, 0, 3, 0, 1, 0])

        async def handler(record):
            order.append(("begin", record.key, record.offset))
            for _ in range(next(pauses)):
                await asyncio.sleep(0)
            order.append(("end", record.key, record.offset))

        events = [make_event(number, key=b"ab"[number % 2 :][:1]) for number in range(6)]
        await self.drive(app, events, handler, 6)

        for key, offsets in ((b"a", (0, 2, 4)), (b"b", (1, 3, 5))):
            own = [(what, offset) for what, of, offset in order if of == key]
            assert own == [(what, offset) for offset in offsets for what in ("begin", "end")]
        assert order[1][:2] == ("begin", b"b")  # while the first of the other call is in work

    async def test_each_event_is_acknowledged_once_it_is_handled(self, app, make_event):
        """
        The acknowledgement that came too early is made up for.
        """
        events = [make_event(number, key=b"%d" % number) for number in range(5)]

        async def handler(record):
            for _ in range(5 - record.offset):
                await asyncio.sleep(0)

        acked = await self.drive(app, events, handler, 5)

        assert {event.message.offset for event in acked} == set(range(5))

    async def test_a_fault_that_nobody_could_dispose_of_ends_the_agent(self, app, make_event):
        """
        As for one record at a time: the process ends, and what is not handled comes again.
        """
        stuck = asyncio.Event()

        async def handler(record):
            if record.offset:
                raise ValueError
            await stuck.wait()

        events = [make_event(number, key=b"%d" % number) for number in range(2)]

        async def handle(event):
            await driver._handle(app, event, handler, Calls(OSError("disk")))

        async def stream():
            for event in events:
                yield event

        with pytest.raises(ExceptionGroup) as excinfo:
            await driver._drive_together(stream(), handle, 2)

        assert excinfo.group_contains(OSError, match="disk")
        assert not any(event.handled for event in events)
