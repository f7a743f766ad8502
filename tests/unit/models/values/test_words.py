"""The tables: every number has its words, no spelling belongs to two numbers."""

from collections import defaultdict

import pytest

from models.values.lexicon import WORDS
from models.values.spelling import fold, key, spellings
from models.values.words import numbers_ar, numbers_en, numbers_hi, numbers_hinglish

BELOW_A_HUNDRED = range(100)


class TestTables:
    @pytest.mark.parametrize(
        "cardinals",
        [
            pytest.param(numbers_hi.CARDINALS, id="hindi"),
            pytest.param(numbers_hinglish.CARDINALS, id="hinglish"),
        ],
    )
    def test_every_number_below_a_hundred(self, cardinals):
        """
        Hindi has a word of its own for each number below a hundred.
        """
        assert sorted(cardinals) == list(BELOW_A_HUNDRED)

    @pytest.mark.parametrize(
        "cardinals",
        [
            pytest.param(numbers_en.CARDINALS, id="english"),
            pytest.param(numbers_hi.CARDINALS, id="hindi"),
            pytest.param(numbers_hinglish.CARDINALS, id="hinglish"),
            pytest.param(numbers_ar.CARDINALS, id="arabic"),
        ],
    )
    def test_one_spelling_one_number(self, cardinals):
        """
        No spelling stands for two numbers of a language.
        """
        values = defaultdict(set)
        for value, words in cardinals.items():
            for word in spellings(words):
                values[key(word)].add(value)

        assert {word: found for word, found in values.items() if len(found) > 1} == {}

    def test_keys_are_folded(self):
        """
        Every key of the lexicon is spelt as texts are looked up.
        """
        assert [word for word in WORDS if key(word) != word] == []


class TestSpellings:
    @pytest.mark.parametrize(
        ("pattern", "expected"),
        [
            pytest.param("do", ["do"], id="plain"),
            pytest.param("p(a|aa)nch", ["panch", "paanch"], id="choice"),
            pytest.param("ch(|h)e", ["che", "chhe"], id="optional letter"),
            pytest.param("a(b|c)(d|e) f", ["abd", "abe", "acd", "ace", "f"], id="two choices"),
        ],
    )
    def test_writes_out(self, pattern, expected):
        """
        A pattern stands for every combination of its choices.
        """
        assert list(spellings(pattern)) == expected


class TestFold:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("Plain ASCII 123", id="ascii"),
            pytest.param("İstanbul ẞ Éa", id="latin whose lower case may be longer"),
            pytest.param("١٢٣ ۴۵ ७८९", id="digits"),
            pytest.param("خَمْسَةٌ وَعِشْرُونَ إلى", id="arabic with vowel signs"),
            pytest.param("हज़ार पाँच", id="devanagari with nukta"),
        ],
    )
    def test_keeps_every_place(self, text):
        """
        Folding changes no length, so that spans are those of the text.
        """
        assert len(fold(text)) == len(text)

    def test_folds_forms_of_one_word(self):
        """
        Hamza, ta marbuta, vowel signs, nukta and digits of all scripts are one spelling.
        """
        assert key("أربعة") == key("اربعه")
        assert key("خَمْسَةٌ") == key("خمسة")
        assert key("हज़ार") == key("हजार")
        assert fold("١٢۳४") == "1234"
