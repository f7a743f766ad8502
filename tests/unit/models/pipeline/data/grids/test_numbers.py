"""Numbers in words."""

import pytest

from models.pipeline.data.grids.numbers import in_words, other_digits


@pytest.mark.parametrize(
    ("number", "variant", "expected"),
    [
        (21, "en", "twenty-one"),
        (200_000, "en", "two lakh"),
        (35, "hi", "पैंतीस"),
        (1500, "hi", "एक हज़ार पाँच सौ"),
        (350_000, "hinglish", "teen lakh pachas hazaar"),
        (150, "ar-EG", "مية وخمسين"),
        (5000, "ar-EG", "خمس تلاف"),
        (5000, "ar-MSA", "خمسة آلاف"),
        (2500, "ar-MSA", "ألفين وخمسمئة"),
        (12, "ar-Gulf", "اتناشر"),
    ],
    ids=str,
)
def test_in_words(number, variant, expected):
    """A number is said as its speakers say it."""
    assert in_words(number, variant) == expected


def test_what_the_tables_lack_is_none():
    """No word is invented."""
    assert in_words(67, "hi") is None
    assert in_words(1067, "hinglish") is None


def test_other_digits():
    """Digits of the two other scripts."""
    assert other_digits(205, "hi") == "२०५"
    assert other_digits(205, "ar") == "٢٠٥"
