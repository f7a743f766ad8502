"""Marks of wordings and items."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.slow.marks import SIZE, item_mark, name_of, pack, unpack, wording


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Do you ship?", "do you  ship", id="case, space, question mark"),
        pytest.param("do you ship, to Kenya!", "Do you ship to Kenya.", id="punctuation"),
        pytest.param("क्या आप खुले हैं?", "क्या आप खुले हैं।", id="danda"),
        pytest.param("هل تفتحون؟", "هل تفتحون", id="Arabic question mark"),
        pytest.param("open at ९", "open at 9", id="digits"),
        pytest.param("o\u200bpen", "open", id="zero width"),
        pytest.param("cafe\u0301", "café", id="decomposed"),
    ],
)
def test_written_otherwise_is_one_wording(one: str, other: str) -> None:
    """What is only written otherwise is the same question."""
    assert wording(one) == wording(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("costs 1.5", "costs 15", id="decimal point"),
        pytest.param("10% off", "10 off", id="percent"),
        pytest.param("कर", "कार", id="vowel sign"),
        pytest.param("is [NAME] open", "is name open", id="tag"),
        pytest.param("can I", "can i not", id="words"),
        pytest.param("c++ course", "c course", id="plus"),
    ],
)
def test_heard_otherwise_is_another_wording(one: str, other: str) -> None:
    """What a listener would hear stays."""
    assert wording(one) != wording(other)


@pytest.mark.parametrize("text", ["", "?!", " … ", "\u200f", "؟"])
def test_nothing_said_has_no_wording(text: str) -> None:
    """Signs alone are no question."""
    assert wording(text) == ""


@given(st.text(max_size=60))
def test_wording_is_its_own_wording(text: str) -> None:
    """A form is the form of itself, whatever the text."""
    assert wording(wording(text)) == wording(text)


@given(st.lists(st.binary(min_size=SIZE, max_size=SIZE), max_size=5))
def test_packed_marks_come_back(marks: list[bytes]) -> None:
    """Marks survive the record."""
    assert unpack(pack(marks)) == marks


@pytest.mark.parametrize("text", ["not base64!", "AAAA", "é"])
def test_broken_marks_are_none(text: str) -> None:
    """A record that somebody broke holds no marks, and stops nothing."""
    assert unpack(text) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(("a", "bc", 1), ("ab", "c", 1), id="moved letter"),
        pytest.param(("a", "b", 1), ("a", "b", 11), id="seq"),
        pytest.param(("a\n", "b", 1), ("a", "\nb", 1), id="newline"),
    ],
)
def test_items_are_told_apart(one: tuple[str, str, int], other: tuple[str, str, int]) -> None:
    """Ids with any characters make no two items one."""
    assert item_mark(*one) != item_mark(*other)


def test_names_are_the_same_everywhere() -> None:
    """A re-run names gaps as the first run did."""
    assert name_of("gap", "t", "x") == name_of("gap", "t", "x") != name_of("gap", "tx", "")
