"""
Every mistake in the shape of a JSON value, not only the first one, each with its path.

The decoder of the topics stops at what it meets first and ignores fields that it does not know;
somebody who writes a file by hand wants all of it, and a misspelt field is a mistake there. What is
wrong is said without quoting any value.
"""

import dataclasses
import difflib
import re
import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any, NamedTuple

import msgspec

from workers.profile_places import Path

#: What JSON calls Python's types.
_NAMES = {
    "dict": "object",
    "list": "array",
    "str": "string",
    "bool": "true or false",
    "int": "whole number",
    "float": "number",
}
#: What JSON can escape and UTF-8 cannot write.
_HALF = "holds half a character (a lone surrogate)"
_PYTHON = re.compile(r"\b(str|bool|int|float)\b")


class Misshaped(NamedTuple):
    """One mistake."""

    path: Path
    reason: str


def misshaped(kind: Any, value: Any, path: Path = ()) -> Iterator[Misshaped]:
    """
    Find what keeps a value from being of a type.

    Args:
        kind: a type made of dataclasses, tuples, mappings and what msgspec checks by itself.
        value: as the JSON library read it.
        path: of the value.
    """
    inner, bounds = _unwrapped(kind)
    if dataclasses.is_dataclass(inner):
        yield from _fields(inner, value, path)
        return
    origin, arguments = typing.get_origin(inner), typing.get_args(inner)
    if origin not in {tuple, dict}:
        yield from _single(kind, value, path)
        return
    whole: Any = dict[str, Any] if origin is dict else list[Any]
    yield from _converted(typing.Annotated[whole, *bounds] if bounds else whole, value, path)
    if isinstance(value, dict) and origin is dict:
        for key, one in value.items():
            if not _is_unicode(key):
                yield Misshaped((*path, key), _HALF)
            yield from misshaped(arguments[1], one, (*path, key))
    elif isinstance(value, list) and origin is tuple:
        for position, one in enumerate(value):
            yield from misshaped(arguments[0], one, (*path, position))


def _unwrapped(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    if typing.get_origin(kind) is typing.Annotated:
        inner, *bounds = typing.get_args(kind)
        return inner, tuple(bounds)
    return kind, ()


def _fields(kind: Any, value: Any, path: Path) -> Iterator[Misshaped]:
    if not isinstance(value, dict):
        yield Misshaped(path, f"expected an object, got {_name(value)}")
        return
    hints = typing.get_type_hints(kind, include_extras=True)
    known = {one.name: one for one in dataclasses.fields(kind)}
    for name in value.keys() - known.keys():
        close = difflib.get_close_matches(name, known, 1)
        hint = f"; is it {close[0]}?" if close else ""
        yield Misshaped((*path, name), f"there is no such field{hint}")
    for name, one in known.items():
        if name in value:
            yield from misshaped(hints[name], value[name], (*path, name))
        elif one.default is one.default_factory is dataclasses.MISSING:
            yield Misshaped(path, f"{name} is missing")


def _single(kind: Any, value: Any, path: Path) -> Iterator[Misshaped]:
    inner, _ = _unwrapped(kind)
    if isinstance(inner, type) and issubclass(inner, Enum):
        if value not in [one.value for one in inner]:
            yield Misshaped(path, "must be one of " + ", ".join(one.value for one in inner))
        return
    wrong = list(_converted(kind, value, path))
    yield from wrong
    if not wrong and not _is_unicode(value):
        yield Misshaped(path, _HALF)


def _converted(kind: Any, value: Any, path: Path) -> Iterator[Misshaped]:
    try:
        msgspec.convert(value, type=kind, strict=True)
    except msgspec.ValidationError as error:
        yield Misshaped(path, _reason(str(error)))


def _reason(message: str) -> str:
    """Msgspec quotes a value only where it is outside a fixed set."""
    said = message.partition(" - at ")[0].replace("`", "")
    if not said.startswith("Expected"):
        return "wrong value"
    return _PYTHON.sub(lambda word: _NAMES[word.group()], said.replace("Expected", "expected", 1))


def _is_unicode(value: Any) -> bool:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
        return True
    if isinstance(value, dict):
        return all(_is_unicode(key) and _is_unicode(one) for key, one in value.items())
    return not isinstance(value, list) or all(map(_is_unicode, value))


def _name(value: Any) -> str:
    return _NAMES.get(type(value).__name__, "null")
