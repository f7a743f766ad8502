"""The first step."""

import pytest

from models.text import MAX_CHARS, MAX_RAW_CHARS
from workers.slow.masked import language_of, masked_question


@pytest.mark.parametrize(
    ("question", "secret"),
    [
        pytest.param("my number is 98765 43210", "98765", id="digits"),
        pytest.param("call me on " + "\u200b".join("9876543210"), "98765", id="zero width"),
        pytest.param("मेरा नंबर ९८७६५४३२१० है", "९८७६", id="Devanagari"),
        pytest.param("رقمي ٠١٠١٢٣٤٥٦٧٨", "٠١٢٣", id="Arabic"),
        pytest.param(
            "my number is nine eight seven six five four three two one zero",
            "seven six",
            id="spoken",
        ),
        pytest.param("mail me at jo.khan@example.com", "khan", id="mail"),
        pytest.param("\u202e my number is 98765 43210 \u202c", "43210", id="bidi"),
    ],
)
def test_personal_data_goes(question, secret):
    """Whatever the script and however it is written, it is not there any more."""
    masked = masked_question(question)

    assert secret not in masked
    assert "[" in masked


@pytest.mark.parametrize("before", range(MAX_RAW_CHARS - 40, MAX_RAW_CHARS + 2, 3))
def test_cut_leaves_no_half_of_a_number(before):
    """Where a long question is cut in the middle of a number, none of its digits is left."""
    question = "x" * before + " my phone number is 98765 43210 " + "y " * 1_000
    masked = masked_question("hello " * 10 + question[60:])

    assert not any(letter.isdigit() for letter in masked)


def test_long_one_is_bounded():
    """A very long question is cut, after it was masked."""
    assert len(masked_question("do you ship to kenya " * 50_000)) <= MAX_CHARS


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u200e", "\ud800", "\x00"])
def test_nothing_is_nothing(text):
    """What holds nothing becomes nothing."""
    assert masked_question(text) == ""


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("do you ship to [ADDRESS]", "en", id="English"),
        pytest.param("क्या आप रविवार को खुले हैं", "hi", id="Hindi"),
        pytest.param("aap kab khulte ho", "hinglish", id="Hinglish"),
        pytest.param("هل تفتحون يوم الجمعة", "ar", id="Arabic"),
        pytest.param("[PHONE]", "und", id="a tag alone"),
        pytest.param("¿cuándo abren ustedes los domingos?", "und", id="a stranger"),
    ],
)
def test_language(text, language):
    """Tags speak for no language."""
    assert language_of(text) == language
