"""Passages: what of an entry is encoded."""

from models.kb.passages import MAX_PASSAGES, PASSAGE_WORDS, passages


def test_a_short_entry_is_one_passage():
    """Title and content stand together."""
    assert passages("Gold plan", "It costs 9 pounds. Pay by card.") == [
        "Gold plan. It costs 9 pounds. Pay by card."
    ]


def test_sentences_stay_whole():
    """A sentence that does not fit begins a passage, and each passage has the title."""
    sentence = " ".join(["word"] * (PASSAGE_WORDS - 1)) + "."

    found = passages("Title", f"{sentence} {sentence} end")

    assert found == [f"Title. {sentence}", f"Title. {sentence} end"]


def test_a_long_sentence_is_cut():
    """Every word is in a passage, none in two."""
    content = " ".join(f"w{number}" for number in range(3 * PASSAGE_WORDS + 1))

    found = passages("", content)

    assert [len(text.split()) for text in found] == [*[PASSAGE_WORDS] * 3, 1]
    assert " ".join(found) == content


def test_other_full_stops():
    """Danda and Arabic question mark end a sentence, a line break does too."""
    half = " ".join(["क"] * (PASSAGE_WORDS - 5))

    assert len(passages("", f"{half}। {half}")) == 2
    assert len(passages("", f"{half}؟ {half}\n{half}")) == 3


def test_nothing_is_endless():
    """A text of any length and a word of any length give passages of a few characters."""
    found = passages("T" * 10_000, "x" * 5000 + " " + "y " * 100_000)

    assert len(found) == MAX_PASSAGES
    assert all(0 < len(text) <= 400 for text in found)


def test_an_empty_entry_has_a_passage():
    """There is always a vector."""
    assert passages("", " ") == [""]
    assert len(passages("Title", "")) == 1
