"""What an answer judge reads of question and entry."""

import pytest

from models.kb.reading import MAX_ENTRY_CHARS, entry_texts, long_text, question_text
from models.kb.shown import Shown


def entry(content, title="Gold plan"):
    return Shown(title=title, content=content, category="sport", lang="en")


def test_title_and_content():
    """They are one text; category and language are not read."""
    assert entry_texts(entry("It costs 9 pounds.")) == ("Gold plan. It costs 9 pounds.",)


@pytest.mark.parametrize(
    ("title", "content", "expected"),
    [
        pytest.param("", "x", "x", id="no title"),
        pytest.param("x", " \n", "x", id="no content"),
        pytest.param("", "", "", id="nothing"),
        pytest.param("\u202egold\u202c", "a\u200bb\ufeff", "gold. ab", id="bidi and zero width"),
        pytest.param("", "क्‍षेत्र", "क्‍षेत्र", id="a joiner that changes the word stays"),
        pytest.param("ﷺ", "ﻻ", "صلى الله عليه وسلم. لا", id="presentation forms"),
    ],
)
def test_cleaned(title, content, expected):
    """What is read is in its one form, and there is always a text."""
    assert entry_texts(entry(content, title)) == (expected,)


@pytest.mark.parametrize("parts", [2, 3, 4])
def test_parts_keep_every_word(parts):
    """A long entry in parts has each word once, in order, and each part the title."""
    words = [f"w{number}" for number in range(200)]
    content = " ".join(word + "." * (place % 7 == 6) for place, word in enumerate(words))

    found = entry_texts(entry(content), parts)

    assert len(found) == parts
    assert all(text.startswith("Gold plan. ") for text in found)
    joined = " ".join(text.removeprefix("Gold plan. ") for text in found)
    assert joined == content
    assert max(len(text.split()) for text in found) < 2 * 200 / parts


def test_sentences_stay_whole():
    """A part ends where a sentence does, in every script."""
    half = " ".join(["क"] * 30)

    assert entry_texts(entry(f"{half}। {half} {half}। {half}।", ""), 2) == (
        f"{half}।",
        f"{half} {half}। {half}।",
    )


def test_a_sentence_without_end_is_cut():
    """Text without any full stop still comes in parts."""
    found = entry_texts(entry(" ".join(["word"] * 100), ""), 4)

    assert [len(text.split()) for text in found] == [25] * 4


def test_nothing_is_endless():
    """A text of any length is read up to a limit, a word of any length too."""
    found = entry_texts(entry("x" * 10_000_000, "T" * 10_000_000))

    assert len(found[0]) < 200
    assert len(entry_texts(entry("y " * 1_000_000))[0]) <= MAX_ENTRY_CHARS + 20
    assert len(entry_texts(entry("ﷺ " * 10_000))[0]) <= MAX_ENTRY_CHARS + 20
    assert len(long_text("ﷺ " * 10_000)) <= MAX_ENTRY_CHARS
    assert len(question_text("z " * 1_000_000)) <= 400


def test_more_parts_than_words():
    """A short entry has no empty parts."""
    assert entry_texts(entry("one two", ""), 4) == ("one", "two")
