"""What a dead letter says of a record, and how it is counted and logged."""

import logging
import time

from topics.dead_letter import DeadLetter, dead_letter
from workers import metrics
from workers.stream.consume import Record

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


def letter_of(record: Record, reason: str) -> DeadLetter:
    """Write the dead letter of a record, refused now; no user text in the reason."""
    return dead_letter(
        topic=record.topic,
        partition=record.partition,
        offset=record.offset,
        key=record.key,
        value=record.value,
        reason=reason,
        refused_at_ms=int(time.time() * 1e3),
    )


def note_letter(record: Record, fault: str) -> None:
    """Count and log a dead letter that was stored."""
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
