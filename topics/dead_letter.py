"""`dead.letters`: records that could not be used, with where they came from."""

import base64
import hashlib
from dataclasses import dataclass
from typing import Literal

from topics.fields import Count, EpochMs

#: A dead letter carries at most this much of the record, bytes, so that it always fits a topic
#: bounded at 1 MiB a message; the source offset finds the rest, size and digest prove it.
MAX_VALUE_BYTES = 524_288
#: And at most this much of the key, bytes: more than any key of ours has.
MAX_KEY_BYTES = 8_192


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """One record that was refused or failed; the reason holds no user text."""

    #: Topic that it came from.
    topic: str
    #: Partition that it came from.
    partition: Count
    #: Offset that it came from.
    offset: Count
    #: Why it was refused: field and kind of fault.
    reason: str
    #: The first 524,288 bytes of the record's value, base64; null for a null value.
    value_base64: str | None = None
    #: The first 8,192 bytes of the record's key, base64; null for a null key.
    key_base64: str | None = None
    #: Size of the whole value, bytes.
    value_bytes: Count = 0
    #: SHA-256 of the whole value.
    value_sha256: str | None = None
    #: The value above is cut; the whole one is at the source offset while that topic keeps it.
    value_truncated: bool = False
    #: When it was refused, Unix epoch, milliseconds.
    refused_at_ms: EpochMs
    #: Version of this event's format.
    schema_version: Literal[1] = 1


def dead_letter(
    *,
    topic: str,
    partition: int,
    offset: int,
    key: bytes | None,
    value: bytes | None,
    reason: str,
    refused_at_ms: int,
) -> DeadLetter:
    """Make the dead letter of one record."""
    raw = value or b""
    return DeadLetter(
        topic=topic,
        partition=partition,
        offset=offset,
        reason=reason,
        value_base64=None if value is None else _base64(raw[:MAX_VALUE_BYTES]),
        key_base64=None if key is None else _base64(key[:MAX_KEY_BYTES]),
        value_bytes=len(raw),
        value_sha256=None if value is None else hashlib.sha256(raw).hexdigest(),
        value_truncated=len(raw) > MAX_VALUE_BYTES,
        refused_at_ms=refused_at_ms,
    )


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
