"""
Bytes to events and back, in one place.

* DecodeError   bytes on a topic are not the event we expect
"""

import dataclasses
import json
import math
import re
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import orjson

#: Larger records are refused before parsing, bytes. The largest honest event, 64 predictions with
#: their responses, stays well under it.
MAX_RECORD_BYTES = 1_048_576

#: Objects and lists may lie this deep in each other; events need four, the rest is for prepared
#: responses. Far below what the JSON libraries allow, so that we can always write what we read.
MAX_DEPTH = 64

#: Objects, lists and keys together: more than any prepared response holds, and few enough that one
#: hostile record cannot hold up the turns behind it, measured 25 ms.
MAX_PARTS = 50_000

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
    duplicate key, a number that is not finite or has more than 64 bits, text that is not valid
    Unicode: each is refused.

    Raises:
        DecodeError: with a reason that names the place and never quotes the input.

    """
    value = _parse(raw)
    try:
        return msgspec.convert(value, type=event, strict=True)
    except msgspec.ValidationError as error:
        raise DecodeError(_without_input(str(error)), raw=raw or b"") from None


def decode_compacted(event: type[E], raw: bytes | None) -> E | Tombstone:
    """
    Read one record of a compacted topic, where a null value deletes.

    Raises:
        DecodeError: as `decode`.

    """
    return Tombstone() if raw is None else decode(event, raw)


def encode(event: object) -> bytes:
    """
    Write one event as compact UTF-8 JSON; fields that are None are left out.

    Raises:
        ValueError: a number is not finite; JSON has no such number and would say null.

    """
    return orjson.dumps(_plain(event))


#: Values that JSON writes as they are, looked up before anything slower.
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is float:
        if not math.isfinite(value):
            raise ValueError("a number that is not finite cannot be written")
        return value
    if kind is dict:
        return {key: _plain(each) for key, each in value.items()}
    if kind is tuple or kind is list:
        return [_plain(each) for each in value]
    if dataclasses.is_dataclass(kind):
        present = ((name, getattr(value, name)) for name in kind.__dataclass_fields__)
        return {name: _plain(each) for name, each in present if each is not None}
    return value


def _parse(raw: bytes | None) -> Any:
    if raw is None:
        raise DecodeError("null record", raw=b"")
    if not raw:
        raise DecodeError("empty record", raw=raw)
    if len(raw) > MAX_RECORD_BYTES:
        raise DecodeError("record too large", raw=raw)
    if sum(map(raw.count, _PART_MARKS)) > MAX_PARTS:
        raise DecodeError("too many parts", raw=raw)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise DecodeError("not valid JSON in UTF-8", raw=raw) from None
    if not isinstance(value, dict):
        raise DecodeError("not a JSON object", raw=raw)
    if _too_deep(raw, value):
        raise DecodeError("nested too deeply", raw=raw)
    _refuse_what_orjson_hides(raw)
    return value


#: Bytes that begin an object or a list or follow a key. In text they count too: text with so many
#: of them is no turn of a call either.
_PART_MARKS = (b"{", b"[", b":")


def _too_deep(raw: bytes, value: Any) -> bool:
    if raw.count(b"{") + raw.count(b"[") <= MAX_DEPTH:
        return False
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for each in level
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, dict | list)
        ]
    return bool(level)


class _Hidden(Exception):
    """Something that orjson reads as something else."""


def _unique(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise _Hidden("duplicate key")


#: Longest integer text that surely fits 64 bits.
_SAFE_DIGITS = 18


def _in_64_bits(text: str) -> None:
    if len(text) > _SAFE_DIGITS and not -(2**63) <= int(text) < 2**64:
        raise _Hidden("integer of more than 64 bits")


def _ignore(_: str) -> None:
    return None


_SECOND_READER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_in_64_bits, parse_float=_ignore
)


def _refuse_what_orjson_hides(raw: bytes) -> None:
    # orjson silently keeps the last of two equal keys, so that two readers of one record could
    # disagree on its tenant, and rounds large integers. The standard parser can look for both.
    try:
        _SECOND_READER.decode(raw.decode())
    except _Hidden as hidden:
        raise DecodeError(str(hidden), raw=raw) from None
    except (RecursionError, ValueError):
        raise DecodeError("not valid JSON in UTF-8", raw=raw) from None


#: What msgspec says about types, bounds and missing fields; none of it quotes a value.
_QUOTES_NOTHING = re.compile(r"(Expected `|Object missing required field `)")


def _without_input(message: str) -> str:
    """Msgspec quotes values that are outside a set; what else it may quote is not worth a leak."""
    if _QUOTES_NOTHING.match(message):
        return message.replace("`", "")
    where = message.rpartition(" - at ")[2].strip("`")
    if where == "$.schema_version":
        return f"unknown schema version at {where}"
    return f"unknown value at {where}"
