"""
Which records are utterances, by the contract alone.

Written apart from `topics/`, with the standard parser, so that the codec is not its own judge.
"""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

_MAX_RECORD_BYTES = 1_048_576
_MAX_ID = 256
_MAX_SEQ = 2_147_483_647
_MAX_MS = 253_402_300_799_999
_SMALLEST_INT, _LARGEST_INT = -(2**63), 2**64 - 1


def problem(value: bytes | None) -> str | None:
    """Name what is wrong with a record as an utterance; None if it is one."""
    if not value:
        return "empty"
    if len(value) > _MAX_RECORD_BYTES:
        return "too large"
    try:
        event = json.loads(
            value.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except (ValueError, RecursionError):
        return "not plain JSON"
    if not isinstance(event, dict):
        return "not an object"
    if not all(_is_plain(leaf) for leaf in _leaves(event)):
        return "a number or a text that JSON cannot carry"
    wrong = [name for name, rule in _RULES.items() if not rule(event.get(name, _MISSING))]
    return f"field {wrong[0]}" if wrong else None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("duplicate key")
    return fields


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _leaves(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        else:
            yield value


def _is_plain(leaf: Any) -> bool:
    if isinstance(leaf, str):
        return not any("\ud800" <= character <= "\udfff" for character in leaf)
    if isinstance(leaf, float):
        return math.isfinite(leaf)
    if isinstance(leaf, int):
        return _SMALLEST_INT <= leaf <= _LARGEST_INT
    return True


class _Missing:
    """No such field."""


_MISSING = _Missing()


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= _MAX_ID


def _is_int(value: Any, upper: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= upper


def _is_optional_text(value: Any) -> bool:
    return value is _MISSING or value is None or isinstance(value, str)


_RULES: dict[str, Callable[[Any], bool]] = {
    "tenant_id": _is_id,
    "agent_id": _is_id,
    "call_id": _is_id,
    "seq": lambda value: _is_int(value, _MAX_SEQ),
    "text": lambda value: isinstance(value, str),
    "said_at_ms": lambda value: _is_int(value, _MAX_MS),
    "language": _is_optional_text,
    "agent_text": _is_optional_text,
    "schema_version": lambda value: value is _MISSING or (_is_int(value, 1) and value == 1),
}
