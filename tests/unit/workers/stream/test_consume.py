"""Tests of the agent driver."""

import asyncio
import logging

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
