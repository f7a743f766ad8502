"""Words for the schemas, out of the source."""

import dataclasses
import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from enum import Enum, StrEnum

import pytest

import topics
from topics.notes import notes


@dataclass
class _Noted:
    """A class with every case."""

    #: One line.
    one: int
    #: Two lines,
    #: joined.
    two: int = 2

    #: Above a blank line: not its own.

    bare: int = 3
    # An ordinary comment.
    ordinary: int = 4
    value: str = "#: not a note"  #: nor this
    after: int = 5


class _Letter(StrEnum):
    #: The first.
    A = "a"
    B = "b"


def _classes() -> list[type]:
    modules = [
        importlib.import_module(f"topics.{found.name}")
        for found in pkgutil.iter_modules(topics.__path__)
    ]
    return [
        each
        for module in modules
        for _, each in inspect.getmembers(module, inspect.isclass)
        if each.__module__ == module.__name__
    ]


_EVENTS = [each for each in _classes() if dataclasses.is_dataclass(each)]
_ENUMS = [each for each in _classes() if issubclass(each, Enum)]


def test_notes_stand_directly_above() -> None:
    """A note is the unbroken run of `#:` lines above a name, joined to one line."""
    assert notes(_Noted) == {"one": "One line.", "two": "Two lines, joined."}


def test_enum_members_have_notes() -> None:
    """Members are read as fields are."""
    assert notes(_Letter) == {"A": "The first."}


def test_class_without_source_is_an_error() -> None:
    """What was not written in a file cannot be read."""
    made = dataclasses.make_dataclass("Made", [("x", int)])

    with pytest.raises((OSError, TypeError)):
        notes(made)


@pytest.mark.parametrize("event", _EVENTS, ids=lambda event: event.__name__)
def test_every_field_has_a_note(event: type) -> None:
    """No field of any event goes out without a word on it."""
    names = {field.name for field in dataclasses.fields(event)}

    assert names == set(notes(event))
    assert all(note.endswith((".", "`.")) for note in notes(event).values())


@pytest.mark.parametrize("enum", _ENUMS, ids=lambda enum: enum.__name__)
def test_every_enum_member_has_a_note(enum: type[Enum]) -> None:
    """No value of any enum goes out without a word on it."""
    assert set(enum.__members__) == set(notes(enum))
