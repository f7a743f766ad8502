"""Tests of the acknowledgement that counts only for handled events."""

import asyncio

import pytest

from tests.waiting import wait_until
from workers.stream.acks import HandledEvent

pytestmark = pytest.mark.usefixtures("consumer")


@pytest.fixture
def event(app, make_event):
    """Give an event whose record was noted by the commit rule."""
    made = make_event()
    app.prefix.fetched(made.message)
    return made


class TestAck:
    def test_is_refused_before_the_event_is_handled(self, app, event):
        """
        Faust's acknowledgements of crashed, cancelled and skipped events do not count.
        """
        acked = event.ack()

        assert (acked, event.message.acked, app.prefix.committable()) == (False, False, {})

    def test_counts_afterwards(self, app, event):
        """
        A handled event is acknowledged and may be passed by a commit.
        """
        event.mark_handled()

        acked = event.ack()

        assert (True, {event.message.tp: 1}) == (acked, app.prefix.committable())

    def test_counts_once(self, app, make_event):
        """
        A record that two agents read is not passed because one of them acknowledges twice.
        """
        first = make_event()
        first.message.incref()
        second = HandledEvent(app, None, None, None, first.message)
        app.prefix.fetched(first.message)
        first.mark_handled()
        first.ack()
        first.ack()

        with_one = app.prefix.committable()
        second.mark_handled()
        second.ack()

        assert ({}, {first.message.tp: 1}) == (with_one, app.prefix.committable())

    async def test_leaving_the_block_is_no_handling(self, app, event):
        """
        Faust acknowledges at the end of `async with event`, also after an error.
        """
        async with event:
            pass

        assert app.prefix.committable() == {}


class TestStream:
    """Faust's own loop over events, whose acknowledgements are the ones to be refused."""

    async def test_a_crashed_loop_acknowledges_nothing(self, app, event):
        """
        An error in the loop over the stream leaves the event to come again.
        """
        app.flow_control.resume()
        stream = app.stream(app.channel())
        stream.channel.queue.put_nowait(event)

        async def crash():
            async for _ in stream.events():
                raise ValueError("crash")

        with pytest.raises(ValueError, match="crash"):
            await crash()
        await stream.stop()

        assert app.prefix.committable() == {}

    async def test_a_handled_event_is_acknowledged_by_the_next_turn(self, app, event, make_event):
        """
        Once the agent marks an event, Faust's acknowledgement at the next turn counts.
        """
        app.flow_control.resume()
        stream = app.stream(app.channel())
        stream.channel.queue.put_nowait(event)
        stream.channel.queue.put_nowait(make_event(1))
        events = aiter(stream.events())

        (await anext(events)).mark_handled()
        await anext(events)
        await stream.stop()

        assert {event.message.tp: 1} == app.prefix.committable()

    async def test_an_event_skipped_while_the_flow_is_suspended_stays(self, app, event, make_event):
        """
        Faust skips events during a rebalance and acknowledges them; none of them is passed.
        """
        stream = app.stream(app.channel())
        following = make_event(1)
        app.prefix.fetched(following.message)
        stream.channel.queue.put_nowait(event)
        waiting = asyncio.create_task(anext(aiter(stream.events())))
        await wait_until(stream.channel.queue.empty, "the event to be skipped")

        app.flow_control.resume()
        stream.channel.queue.put_nowait(following)
        passed = await waiting
        passed.mark_handled()
        passed.ack()
        await stream.stop()

        assert (following, {}) == (passed, app.prefix.committable())
