"""Hypothesis strategies for whole events, made from their types and bounds."""

import dataclasses
import types
import typing
from enum import Enum
from typing import Any

from hypothesis import strategies as st
from msgspec import Meta

_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_SHORT = 4

#: Any JSON value that fits 64 bits.
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | _FINITE | st.text(),
    lambda inner: (
        st.lists(inner, max_size=_SHORT) | st.dictionaries(st.text(), inner, max_size=_SHORT)
    ),
    max_leaves=6,
)


def events(event: type) -> st.SearchStrategy[Any]:
    """Make any event of this type, optional fields included."""
    hints = typing.get_type_hints(event, include_extras=True)
    return st.builds(event, **{name: _values(hint) for name, hint in hints.items()})


def _values(hint: Any, meta: Meta | None = None) -> st.SearchStrategy[Any]:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _values(args[0], args[1])
    if origin is not None:
        return _made_of(origin, args)
    if hint is Any:
        return JSON
    if dataclasses.is_dataclass(hint):
        return events(typing.cast("type", hint))
    return _single(hint, meta or Meta())


def _made_of(origin: Any, args: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    makers: dict[Any, Any] = {
        typing.Literal: lambda: st.sampled_from(args),
        typing.Union: lambda: st.one_of([_values(each) for each in args]),
        types.UnionType: lambda: st.one_of([_values(each) for each in args]),
        tuple: lambda: st.lists(_values(args[0]), max_size=_SHORT).map(tuple),
        dict: lambda: st.dictionaries(st.text(), _values(args[1]), max_size=_SHORT),
    }
    return typing.cast("st.SearchStrategy[Any]", makers[origin]())


def _single(hint: type, meta: Meta) -> st.SearchStrategy[Any]:
    if issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    # Bounded floats are kept off their edges, since some bounds are exclusive.
    highest = 1.0 if meta.le is None else float(meta.le)
    return {
        str: st.text(min_size=meta.min_length or 0, max_size=meta.max_length),
        int: st.integers(_whole(meta.ge), _whole(meta.le)),
        float: _FINITE if meta.le is None else st.floats(0.01, highest),
        bool: st.booleans(),
        types.NoneType: st.none(),
    }[hint]


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)
