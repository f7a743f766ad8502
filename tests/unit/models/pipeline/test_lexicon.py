import random

import pytest

from models.language_words import pieces
from models.pipeline.lexicon import STEP, Table, draw, rows
from models.pipeline.lexicon_corpus import blend, stranger, training_half
from models.pipeline.lexicon_romanise import romanise, variants


@pytest.fixture
def rng():
    """Chance that is the same in each run."""
    return random.Random(1)  # noqa: S311


class TestRomanise:
    @pytest.mark.parametrize(
        ("word", "expected"),
        [
            pytest.param("नमक", "namak", id="last vowel unspoken"),
            pytest.param("करना", "karnaa", id="inner vowel unspoken"),
            pytest.param("क्या", "kyaa", id="cluster"),
            pytest.param("नहीं", "naheen", id="nasal"),
            pytest.param("ज़रूर", "zaroor", id="nukta"),
            pytest.param("আমার", "aamaar", id="Bengali"),
            pytest.param("order", "", id="no Indian script"),
        ],
    )
    def test_plain(self, word, expected):
        """
        A word is spelt in Latin letters as it sounds.
        """
        assert romanise(word) == expected

    def test_variants(self, rng):
        """
        The plain spelling comes first, then different loose ones.
        """
        spellings = variants("क्या", rng, 4)

        assert spellings[0] == "kyaa"
        assert "kya" in spellings
        assert len(set(spellings)) == len(spellings)


class TestDraw:
    def test_quota(self, rng):
        """
        A corpus gives as many phrases as it should, real ones and bags of its words.
        """
        corpus = stranger("xx", 200, ["uno dos"], {"tres": 1.0, "cuatro": 2.0}, 0.5)

        phrases = list(draw(corpus, ["refund"], rng))

        assert len(phrases) == 200
        assert "uno dos" in phrases
        assert {word for phrase in phrases for word in phrase.split()} == {
            "uno", "dos", "tres", "cuatro",
        }  # fmt: skip

    def test_mixed_keeps_a_word(self, rng):
        """
        English words come in, but never in place of all words.
        """
        corpus = stranger("xx", 100, ["uno dos tres"], {}, 1.0, mixed=1.0)

        phrases = list(draw(corpus, ["refund"], rng))

        assert any("refund" in phrase for phrase in phrases)
        assert all(set(phrase.split()) - {"refund"} for phrase in phrases)


class TestRows:
    def test_whole_score(self):
        """
        A word's row holds its own weight and that of its runs, in sixteenths.
        """
        runs = dict.fromkeys(pieces("uno"), -0.5)
        table = Table(words={"uno": -1.0}, runs=runs, bias=0.25, loss=0.1)

        found = {key: value for kind, key, value in rows(table, frozenset()) if kind == "word"}

        assert found["uno"] == round((-1.0 - 0.5 * len(runs) ** 0.5) * STEP)

    def test_light_words_are_left_out(self):
        """
        A word that adds next to nothing to its runs has no row.
        """
        table = Table(words={"uno": 0.1}, runs={}, bias=0.0, loss=0.1)

        assert [kind for kind, _, _ in rows(table, frozenset())] == ["bias"]

    def test_claimed_words(self):
        """
        Words that English claims are never below zero.
        """
        table = Table(words={"will": -2.0}, runs={}, bias=0.0, loss=0.1)

        assert ("word", "will", 0) in list(rows(table, frozenset(["will"])))


def test_blend():
    """
    Shares count, not the sizes of the lists.
    """
    mixed = blend(({"a": 1.0}, 0.5), ({"b": 300.0, "c": 100.0}, 0.5))

    assert mixed == {"a": 0.5, "b": 0.375, "c": 0.125}


def test_halves():
    """
    Surrounding space does not move a row from one half to the other.
    """
    rows_of_a_set = [f"row {number}" for number in range(200)]

    assert 60 < sum(map(training_half, rows_of_a_set)) < 140
    assert all(training_half(row) == training_half(f" {row}\n") for row in rows_of_a_set)
