"""Records that could not be used go to `dead.letters`, each with where it came from and why."""

import logging
import time

from topics.codec import DecodeError, encode
from topics.dead_letter import dead_letter
from topics.names import DEAD_LETTERS
from workers import metrics
from workers.stream.consume import Record
from workers.stream.produce import Publisher

_log = logging.getLogger(__name__)


#: Kinds of fault that label the metric, by how the codec's reasons begin.
_FAULTS = {
    "null record": "empty",
    "empty record": "empty",
    "record too large": "too_large",
    "too many parts": "too_large",
    "nested too deeply": "too_large",
    "not ": "no_json_object",
    "duplicate key": "no_json_object",
    "integer of ": "no_json_object",
    "Object missing": "missing_field",
    "unknown schema version": "unknown_version",
}
#: Of every other reason: a field's type, bound or choice.
_OTHER_FAULT = "wrong_value"


def fault_of(reason: str) -> str:
    """Name the kind of fault of a refused record."""
    return next(
        (fault for begin, fault in _FAULTS.items() if reason.startswith(begin)), _OTHER_FAULT
    )


class DeadLetters:
    """Publishes dead letters."""

    def __init__(self, publisher: Publisher, prefix: str) -> None:
        self._publisher = publisher
        self._topic = prefix + DEAD_LETTERS.name

    async def refuse(self, record: Record, error: DecodeError) -> None:
        """
        Publish the dead letter of a record that is not the event we expect.

        Raises:
            BrokerUnavailable: it could not be stored; the record must not be committed.

        """
        await self._send(record, error.reason, fault_of(error.reason))

    async def failed(self, record: Record, error: BaseException) -> None:
        """
        Publish the dead letter of a record whose handling failed; the error is named by type only.

        Raises:
            BrokerUnavailable: it could not be stored; the record must not be committed.

        """
        await self._send(record, f"handling failed: {type(error).__name__}", "failed")

    async def _send(self, record: Record, reason: str, fault: str) -> None:
        letter = dead_letter(
            topic=record.topic,
            partition=record.partition,
            offset=record.offset,
            key=record.key,
            value=record.value,
            reason=reason,
            refused_at_ms=int(time.time() * 1e3),
        )
        await self._publisher.publish(self._topic, key=None, value=encode(letter))
        metrics.DEAD_LETTERS.labels(record.topic, fault).inc()
        _log.warning(
            "dead_letter",
            extra={
                "topic": record.topic,
                "partition": record.partition,
                "offset": record.offset,
                "fault": fault,
            },
        )
