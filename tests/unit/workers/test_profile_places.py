"""Places in JSON texts."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from workers.profile_places import places, printable, written

_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def paths(value, path=()):
    """Every path of a value, its own first."""
    yield path
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in parts:
            yield from paths(inner, (*path, key))


@given(_JSON, st.sampled_from([None, 0, 2]), st.booleans())
def test_every_part_has_its_place(value, indent, ascii_only):
    """
    Whatever a text holds, marks and quotes in strings included, each part is found, in order.
    """
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    found = places(text)

    assert list(found.lines) == list(paths(value))
    assert found.repeated == ()


@given(st.lists(st.text(), max_size=8))
def test_lines(values):
    """
    With one value a line, the position is the line; line breaks of other alphabets are none.
    """
    text = "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in values) + "\n]"

    found = places(text)

    assert [found.line((index,)) for index in range(len(values))] == list(range(2, len(values) + 2))


def test_what_is_missing_is_shown_where_it_belongs():
    """
    A part that is not there has the line of what it should be in.
    """
    found = places('{"a":\n [1,\n {"b": 2}]}')

    assert found.line(("a", 1, "c", 0)) == 3
    assert found.line(("x",)) == 1


def test_repeated_keys():
    """
    A key counts within its own object only, and after its escapes are read.
    """
    found = places('{"a": {"a": 1},\n "b": [{"a": 1}, {"a": 2}],\n "\\u0061": 3}')

    assert found.repeated == (3,)


def test_written():
    """
    Paths are written as people write them.
    """
    assert written(("intents", 2, "examples", 0)) == "intents[2].examples[0]"
    assert written((0, "router")) == "[0].router"
    assert written(()) == ""
    assert written(("a\u202eb",)) == "a\\u202eb"


def test_printable():
    """
    Letters of every script stay; what moves or hides others is written as its code.
    """
    assert printable("घंटे hours ساعات") == "घंटे hours ساعات"
    assert printable("a\x1b[31m\u200f\u0000") == "a\\u001b[31m\\u200f\\u0000"
