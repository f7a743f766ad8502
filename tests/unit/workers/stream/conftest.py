"""An app without a broker, and records on their way through it."""

import pytest
from faust.types import TP

from workers.stream.acks import FetchedMessage, HandledEvent
from workers.stream.app import new_app
from workers.stream.settings import StreamSettings


@pytest.fixture
def settings():
    """Give settings of a broker that nobody asks."""
    return StreamSettings(brokers="127.0.0.1:1", group="g")


@pytest.fixture
async def app(settings):
    """Give an app that is not started."""
    return new_app(settings)


@pytest.fixture
async def consumer(app):
    """Give the app's consumer, not started."""
    made = app.consumer
    yield made
    made._thread.thread_loop.close()


@pytest.fixture
def make_message():
    """Make a record as the consumer hands it on."""

    def make(offset=0, *, topic="a", value=b"v", key=b"k"):
        return FetchedMessage(
            topic, 0, offset, 1.5, 0, None, key, value, None, tp=TP(topic, 0), generation_id=0
        )

    return make


@pytest.fixture
def make_event(app, make_message):
    """Make an event of a record that one agent is to handle."""

    def make(offset=0, **overrides):
        message = make_message(offset, **overrides)
        message.incref()
        return HandledEvent(app, message.key, message.value, None, message)

    return make
