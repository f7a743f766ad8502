"""Word overlap and AUC."""

import pytest

from models.pipeline.data.overlap import auc, band, jaccard, words


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        pytest.param("Yes, please!", "yes please", 1.0, id="case and punctuation"),
        pytest.param("yes please", "no please", 1 / 3, id="one of three"),
        pytest.param("हाँ जी", "जी नहीं", 1 / 3, id="Devanagari marks stay in their word"),
        pytest.param("تمام كده", "مش تمام كده", 2 / 3, id="Arabic"),
        pytest.param("?!", "...", 0.0, id="no words at all"),
    ],
)
def test_jaccard(a, b, expected):
    """Overlap is shared words over all words, whatever the script."""
    assert jaccard(a, b) == pytest.approx(expected)


def test_words_keep_vowel_signs():
    """A Devanagari word is one word, not its letters."""
    assert words("मुझे नहीं पता") == {"मुझे", "नहीं", "पता"}


def test_auc_of_a_perfect_a_reversed_and_a_blind_score():
    """AUC is 1 when positives score higher, 0 when lower, a half when scores say nothing."""
    assert auc([3.0, 2.0, 1.0], [1, 1, 0]) == 1.0
    assert auc([1.0, 2.0, 3.0], [1, 1, 0]) == 0.0
    assert auc([1.0, 1.0, 1.0], [1, 0, 0]) == 0.5


def test_auc_counts_ties_half():
    """A positive tied with one negative and above another wins three quarters."""
    assert auc([1.0, 1.0, 0.0], [1, 0, 0]) == 0.75


def test_auc_of_one_label_is_unknown():
    """Without both labels there is nothing to rank."""
    assert auc([1.0, 2.0], [1, 1]) is None


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [(0.0, 0), (0.1, 1), (0.2, 1), (0.5, 3), (0.81, 5), (1.0, 5)],
    ids=str,
)
def test_band(overlap, expected):
    """Bands are fifths, and nothing shared is a band of its own."""
    assert band(overlap) == expected
