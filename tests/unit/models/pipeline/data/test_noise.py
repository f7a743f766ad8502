"""Noise that keeps labels true."""

import pytest

from models.pipeline.data.noise import noisy
from models.pipeline.data.overlap import words
from tests.unit.models.pipeline.data.factory import make_rng

NEGATIONS = {
    "en": ("I don't want the loan", {"not", "don't", "dont"}),
    "hi": ("मुझे लोन नहीं चाहिए", {"नहीं", "नही"}),
    "hinglish": ("mujhe loan nahi chahiye", {"nahi", "nahin", "nai"}),
    "ar-EG": ("انا مش عايز القرض", {"مش", "مِش"}),
}


@pytest.mark.parametrize("variant", NEGATIONS)
def test_a_negation_is_never_lost(variant):
    """Whatever the noise, the word that decides is still there."""
    text, kept = NEGATIONS[variant]

    for seed in range(200):
        found = noisy(text, variant, make_rng(seed), changes=3)
        # a letter may be drawn out, so compare with runs folded
        folded = {_folded(word) for word in {*words(found), *found.lower().split()}}
        assert folded & {_folded(word) for word in kept}, found


def _folded(word):
    return "".join(char for place, char in enumerate(word) if not place or char != word[place - 1])


@pytest.mark.parametrize("variant", NEGATIONS)
def test_noise_does_something(variant):
    """Most draws change the text."""
    text, _ = NEGATIONS[variant]

    changed = sum(noisy(text, variant, make_rng(seed)) != text for seed in range(50))

    assert changed > 30


def test_digits_stay():
    """A drawn-out letter never touches a text with a number."""
    for seed in range(100):
        assert "5:30" in noisy("call me at 5:30 pm", "en", make_rng(seed), changes=3)
