"""
Bytes to events and back, in one place.

* DecodeError   bytes on a topic are not the event we expect
"""

import json
import re
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import orjson

#: Larger records are refused before parsing, bytes. The largest honest event, 64 predictions with
#: their responses, stays well under it.
MAX_RECORD_BYTES = 1_048_576

#: The version of every event that this code writes and reads.
SCHEMA_VERSION = 1

E = TypeVar("E")


class DecodeError(Exception):
    """
    A record could not be read as an event.

    The raw bytes stay on the error for the dead letter; they never go into the message, because
    messages are logged and bytes may hold what a caller said. For the same reason nothing of the
    JSON library's own message is kept.
    """

    def __init__(self, reason: str, *, raw: bytes) -> None:
        super().__init__(reason)
        self.reason = reason
        self.raw = raw


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A null value on a compacted topic: whatever had this key is deleted."""


def decode(event: type[E], raw: bytes | None) -> E:
    """
    Read one event.

    Unknown fields are ignored. A missing or wrongly typed field, a version that we do not know, a
    duplicate key, a number that is not finite, text that is not valid Unicode: each is refused.

    Raises:
        DecodeError: with a reason that names the place and never quotes the input.

    """
    value = _parse(raw)
    try:
        return msgspec.convert(value, type=event, strict=True)
    except msgspec.ValidationError as error:
        raise DecodeError(_without_input(str(error)), raw=raw or b"") from None


def encode(event: object) -> bytes:
    """Write one event as compact UTF-8 JSON; fields that are None are left out."""
    fields = msgspec.to_builtins(event, builtin_types=())
    return orjson.dumps({name: value for name, value in fields.items() if value is not None})


def _parse(raw: bytes | None) -> Any:
    if not raw:
        raise DecodeError("empty record", raw=b"")
    if len(raw) > MAX_RECORD_BYTES:
        raise DecodeError("record too large", raw=raw)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise DecodeError("not valid JSON in UTF-8", raw=raw) from None
    if not isinstance(value, dict):
        raise DecodeError("not a JSON object", raw=raw)
    _refuse_duplicate_keys(raw)
    return value


class _DuplicateKey(Exception):
    """An object names one key twice; the two readers of a call could then disagree."""


def _unique(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _DuplicateKey


def _refuse_duplicate_keys(raw: bytes) -> None:
    # orjson silently keeps the last of two equal keys; the standard parser can look for them.
    try:
        json.loads(raw, object_pairs_hook=_unique, parse_int=_ignore, parse_float=_ignore)
    except _DuplicateKey:
        raise DecodeError("duplicate key", raw=raw) from None
    except (RecursionError, ValueError):
        raise DecodeError("nested too deeply", raw=raw) from None


def _ignore(_: str) -> None:
    return None


_INVALID_ENUM = re.compile(r"^Invalid enum value .* - at ", re.DOTALL)


def _without_input(message: str) -> str:
    """Msgspec quotes the value only for enums; its other messages hold types and places."""
    where = message.rpartition(" - at ")[2].strip("`")
    if _INVALID_ENUM.match(message):
        return (
            f"unknown schema version at {where}"
            if _is_version(where)
            else f"unknown value at {where}"
        )
    return message.replace("`", "")


def _is_version(where: str) -> bool:
    return where == "$.schema_version"
