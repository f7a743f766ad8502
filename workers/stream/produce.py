"""
The producer: a record is stored when `publish` returns, and if it is not, `publish` raises in time.

Records go to Faust's producer directly. Its topics would add nothing but a log line with the whole
message when a send fails.
"""

import asyncio
import contextlib
from collections.abc import Iterator

import aiokafka.errors
from faust.exceptions import NotReady, ProducerSendError

from workers.errors import BrokerUnavailable, EdgeError, RecordRefused
from workers.stream.app import StreamApp

#: What aiokafka raises for the record's own sake; everything else is the broker's state.
REFUSALS = (
    aiokafka.errors.MessageSizeTooLargeError,
    aiokafka.errors.RecordListTooLargeError,
    aiokafka.errors.InvalidTimestampError,
)


class Publisher:
    """Stores records; any number of calls may be under way."""

    def __init__(self, app: StreamApp) -> None:
        self._app = app

    async def publish(self, topic: str, *, key: bytes | None, value: bytes | None) -> None:
        """
        Store one record.

        It may be stored although this raises: the answer may be lost, or come late.

        Args:
            topic: name of a topic that exists.
            key: decides the partition; None for any.
            value: the record; None deletes the key from a compacted topic.

        Raises:
            BrokerUnavailable: it was not stored within the setting `produce_s`.
            RecordRefused: it can never be stored.

        """
        with broker_errors():
            async with asyncio.timeout(self._app.settings.produce_s):
                # The first await only buffers it; the second one waits until it is stored.
                stored = await self._app.producer.send(
                    topic, key, value, partition=None, timestamp=None, headers=None
                )
                await stored


@contextlib.contextmanager
def broker_errors() -> Iterator[None]:
    """
    Translate what aiokafka, Faust and the network raise.

    Raises:
        BrokerUnavailable: the broker is not there, too slow or not willing.
        RecordRefused: the record is at fault.

    """
    try:
        yield
    except ProducerSendError as error:
        raise _translated(error.__cause__ or error) from error
    except (aiokafka.errors.KafkaError, NotReady, OSError, TimeoutError) as error:
        raise _translated(error) from error


def _translated(error: BaseException) -> EdgeError:
    # Only the kind: the text of some of them quotes the record.
    kind = type(error).__name__
    return RecordRefused(kind) if isinstance(error, REFUSALS) else BrokerUnavailable(kind)
