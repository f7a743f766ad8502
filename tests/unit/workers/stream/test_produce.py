"""Tests of the publisher."""

import asyncio
import inspect
from types import SimpleNamespace

import aiokafka.errors
import pytest
from faust.exceptions import NotReady, ProducerSendError

from workers.errors import BrokerUnavailable, RecordRefused
from workers.stream.produce import REFUSALS, Publisher, broker_errors

KAFKA_ERRORS = sorted(
    {
        kind
        for _, kind in inspect.getmembers(aiokafka.errors, inspect.isclass)
        if issubclass(kind, aiokafka.errors.KafkaError)
    },
    key=lambda kind: kind.__name__,
)


class FakeProducer:
    """Buffers a record at once and stores it when told to."""

    def __init__(self):
        self.sent = []
        self.stored = asyncio.get_running_loop().create_future()

    async def send(self, *record, **_options):
        """Take a record into the buffer."""
        self.sent.append(record)
        return self.stored


@pytest.fixture
async def producer():
    """Give a producer that stores nothing yet."""
    return FakeProducer()


def publisher(producer, *, produce_s=5.0):
    """Make a publisher on a fake app."""
    return Publisher(
        SimpleNamespace(producer=producer, settings=SimpleNamespace(produce_s=produce_s))
    )


class TestPublish:
    async def test_returns_only_when_the_record_is_stored(self, producer):
        """
        A record that is merely buffered is not yet published.
        """
        task = asyncio.create_task(publisher(producer).publish("t", key=b"k", value=b"v"))
        await asyncio.sleep(0)
        buffered = (list(producer.sent), task.done())

        producer.stored.set_result(None)
        await task

        assert buffered == ([("t", b"k", b"v")], False)

    async def test_raises_when_it_takes_too_long(self, producer):
        """
        A broker that never answers costs the stated time.
        """
        with pytest.raises(BrokerUnavailable, match="TimeoutError"):
            await publisher(producer, produce_s=0.005).publish("t", key=None, value=b"v")

    async def test_raises_when_the_broker_refuses(self, producer):
        """
        What the broker answers to the buffered record reaches the caller.
        """
        producer.stored.set_exception(aiokafka.errors.NotEnoughReplicasError())

        with pytest.raises(BrokerUnavailable, match="NotEnoughReplicasError"):
            await publisher(producer).publish("t", key=None, value=b"v")


class TestBrokerErrors:
    @pytest.mark.parametrize(
        "kind", [pytest.param(kind, id=kind.__name__) for kind in KAFKA_ERRORS]
    )
    def test_every_kafka_error_is_translated(self, kind):
        """
        No error of aiokafka leaves this layer, and its text, which may quote a record, neither.
        """
        error = kind.__new__(kind)
        error.args = ("said by a caller",)

        with pytest.raises((BrokerUnavailable, RecordRefused)) as caught, broker_errors():
            raise error

        assert (kind.__name__, isinstance(error, REFUSALS)) == (
            str(caught.value),
            isinstance(caught.value, RecordRefused),
        )

    @pytest.mark.parametrize(
        "error",
        [
            pytest.param(NotReady("not started"), id="not started"),
            pytest.param(ConnectionResetError(), id="network"),
            pytest.param(TimeoutError(), id="too slow"),
            pytest.param(ProducerSendError("said by a caller"), id="send"),
        ],
    )
    def test_other_errors_of_a_send(self, error):
        """
        Faust's and the network's errors are the broker's absence too.
        """
        with pytest.raises(BrokerUnavailable, match=f"^{type(error).__name__}$"), broker_errors():
            raise error

    def test_faust_hides_the_cause(self):
        """
        Faust wraps aiokafka's error; what counts is the error inside.
        """
        wrapped = ProducerSendError("said by a caller")
        wrapped.__cause__ = aiokafka.errors.MessageSizeTooLargeError()

        with pytest.raises(RecordRefused, match=r"^MessageSizeTooLargeError$"), broker_errors():
            raise wrapped

    def test_our_own_errors_pass(self):
        """
        A mistake of ours is not blamed on the broker.
        """
        with pytest.raises(KeyError), broker_errors():
            raise KeyError
