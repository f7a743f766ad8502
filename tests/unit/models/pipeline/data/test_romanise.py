"""Devanagari to Latin letters."""

import pytest

from models.pipeline.data.romanise import romanise
from tests.unit.models.pipeline.data.factory import make_rng


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("मुझे नहीं पता", "mujhe nahi pata", id="schwa dropped at the end"),
        pytest.param("नमक", "namak", id="schwa kept between consonants"),
        pytest.param("ज़रूर", "zaroor", id="nukta"),
        pytest.param("OTP २५ है।", "OTP 25 hai.", id="Latin, digits and danda"),
        pytest.param("कर", "kar", id="two letters"),
    ],
)
def test_romanise(text, expected):
    """The plain spelling is the one that people type."""
    assert romanise(text) == expected


def test_a_random_source_gives_other_usual_spellings():
    """Several spellings, all in Latin letters."""
    found = {romanise("मैं नहीं आऊँगा", make_rng(seed)) for seed in range(20)}

    assert len(found) > 3
    assert all(text.isascii() for text in found)


def test_composed_and_decomposed_text_are_one():
    """The nukta may be its own character or part of the letter."""
    assert romanise("\u095b\u0930\u0942\u0930") == romanise("\u091c\u093c\u0930\u0942\u0930")
