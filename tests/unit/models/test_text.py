import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models.text import MAX_CHARS, MAX_MARKS, MAX_RAW_CHARS, clean, letter_scripts, match_key

#: Characters that have caused trouble, more often than hypothesis would find them.
AWKWARD = (
    "a é\u0301\u0300\u0316کيक\u093c\u094dषह\u200c\u200d\u200b\ufeff\u202e\u00ad０Ａ"
    "\ud800\U000e0041👨ـﻻ\t\u3164."
)


class TestClean:
    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            pytest.param("  not \t now\n", "not now", id="whitespace"),
            pytest.param("cafe\u0301", "café", id="NFD"),
            pytest.param("Ｈｅｌｌｏ　１２３", "Hello 123", id="full width"),
            pytest.param("c\u200ban\ufeffc\u2060el", "cancel", id="zero-width spaces and BOM"),
            pytest.param("re\u00adfund", "refund", id="soft hyphen"),
            pytest.param("\u202eyes\u202c \u2066no\u2069", "yes no", id="bidi controls"),
            pytest.param("\u061cنعم\u200f", "نعم", id="Arabic bidi marks"),
            pytest.param("ok\U000e0041\U000e0042\U000e007f", "ok", id="tag characters"),
            pytest.param("a\x00b\x1bc", "abc", id="control characters"),
            pytest.param("yes\ud800\udfff no", "yes no", id="lone surrogates"),
            pytest.param("مـــرحبا", "مرحبا", id="tatweel"),
            pytest.param("ﻣﺮﺣﺒﺎ ﻻ", "مرحبا لا", id="Arabic presentation forms"),
            pytest.param("ﬁne", "fine", id="ligature"),
            pytest.param("👍\ufe0f", "👍", id="variation selector"),
            pytest.param("\u3164\u2800", "", id="blank letters"),
            pytest.param("\u200b\u200e\ufeff", "", id="empty after cleaning"),
            pytest.param("é", "é", id="accents stay"),
            pytest.param("x²", "x²", id="no compatibility folding beyond that"),
        ],
    )
    def test_one_form(self, raw, expected):
        """
        What is invisible or a mere shape becomes one text.
        """
        assert clean(raw).text == expected

    @pytest.mark.parametrize(
        ("raw", "expected"),
        [
            pytest.param("क्\u200dष", "क्\u200dष", id="joiner in a Devanagari cluster"),
            pytest.param("श्री\u200cमान", "श्री\u200cमान", id="non-joiner in Devanagari"),
            pytest.param("می\u200cخواهم", "می\u200cخواهم", id="non-joiner in Arabic script"),
            pytest.param("क्\u200d\u200d\u200cष", "क्\u200dष", id="a row of joiners is one"),
            pytest.param("can\u200dcel", "cancel", id="joiner in Latin"),
            pytest.param("हाँ\u200d", "हाँ", id="joiner at the end"),
            pytest.param("नहीं \u200cजी", "नहीं जी", id="joiner after a space"),
            pytest.param("👨\u200d👩", "👨👩", id="joiner between emoji"),
            pytest.param("e\u200d\u0301", "é", id="composes when the joiner is gone"),
        ],
    )
    def test_joiners(self, raw, expected):
        """
        Joiners stay where they change a word, and only there.
        """
        assert clean(raw).text == expected

    @pytest.mark.parametrize("mark", ["\u0301", "\u064e", "\u093c", "\u0e47"])
    def test_combining_storm(self, mark):
        """
        A letter carries a bounded number of marks.
        """
        text = clean("k" + mark * 500 + " ok").text

        assert len(text) <= MAX_MARKS + 4
        assert text.endswith(" ok")

    @pytest.mark.parametrize(
        "raw",
        [
            pytest.param("a" * 100_000, id="100,000 characters"),
            pytest.param("\u200b" * 1_000_000, id="a million zero-width characters"),
            pytest.param("\u0301" * (MAX_RAW_CHARS + 1), id="a storm just over the cap"),
        ],
    )
    def test_far_too_long(self, raw):
        """
        Raw text beyond the cap is refused without being looked at.
        """
        cleaned = clean(raw)

        assert cleaned.too_long
        assert cleaned.text == ""

    def test_too_long_after_cleaning(self):
        """
        Cleaned text beyond its cap is marked and cut.
        """
        cleaned = clean("word " * (MAX_CHARS // 5 + 1))

        assert cleaned.too_long
        assert len(cleaned.text) <= MAX_CHARS

    def test_longest(self):
        """
        Text of exactly the longest length is eligible.
        """
        assert not clean("a" * MAX_CHARS).too_long

    @example("\u200b" * 4 + "e\u200d\u0301")
    @given(st.text(AWKWARD, max_size=60) | st.text(max_size=60))
    def test_idempotent(self, raw):
        """
        Cleaning cleaned text changes nothing.
        """
        once = clean(raw).text

        assert clean(once).text == once

    @given(st.text(AWKWARD, max_size=60) | st.text(max_size=60))
    def test_canonical_equivalence(self, raw):
        """
        Canonically equal texts are cleaned to one text.
        """
        decomposed = unicodedata.normalize("NFD", raw)

        assert clean(decomposed).text == clean(unicodedata.normalize("NFC", raw)).text

    @given(st.text(AWKWARD, max_size=60) | st.text(max_size=60))
    def test_encodable(self, raw):
        """
        Cleaned text is NFC and can be encoded, whatever came in.
        """
        text = clean(raw).text

        assert unicodedata.is_normalized("NFC", text)
        assert text.encode().decode() == text


class TestMatchKey:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            pytest.param("Yes", "yes", id="case"),
            pytest.param("not now.", "not now", id="full stop"),
            pytest.param("ठीक है।", "ठीक है", id="danda"),
            pytest.param("शुक्रिया ॥", "शुक्रिया", id="double danda"),
            pytest.param("ok...", "ok", id="dots"),
            pytest.param("don’t", "don't", id="apostrophe"),
            pytest.param("غرفة ٣", "غرفة 3", id="Arabic-Indic digits"),
            pytest.param("कमरा ३", "कमरा 3", id="Devanagari digits"),
            pytest.param("شكراً", "شكرا", id="final tanween"),
            pytest.param("STRASSE", "straße", id="full case folding"),
        ],
    )
    def test_same(self, one, other):
        """
        What a listener cannot hear has no key of its own.
        """
        assert match_key(one) == match_key(other)

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            pytest.param("yes?", "yes", id="question mark"),
            pytest.param("हाँ?", "हाँ", id="question mark in Hindi"),
            pytest.param("نعم؟", "نعم", id="Arabic question mark"),
            pytest.param("paypal", "p\u0430yp\u0430l", id="Cyrillic a"),
            pytest.param("OK", "\u039fK", id="Greek Omicron"),
            pytest.param("no", "n\u043e", id="Cyrillic o"),
            pytest.param("i", "\u0456", id="Ukrainian i"),
            pytest.param("room 3", "room 4", id="digit"),
            pytest.param("not now", "now", id="negation"),
        ],
    )
    def test_different(self, one, other):
        """
        What says something else, or is written in other letters, has another key.
        """
        assert match_key(clean(one).text) != match_key(clean(other).text)

    @given(st.text(AWKWARD, max_size=40) | st.text(max_size=40))
    def test_canonically_equal_text_has_one_key(self, raw):
        """
        NFC and NFD of a text have one key.
        """
        forms = (unicodedata.normalize(form, raw) for form in ("NFC", "NFD"))

        assert len({match_key(clean(form).text) for form in forms}) == 1


class TestLetterScripts:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            pytest.param("cancel", {"latin"}, id="Latin"),
            pytest.param("naïve", {"latin"}, id="Latin with accents"),
            pytest.param("नहीं", {"devanagari"}, id="Devanagari"),
            pytest.param("لا", {"arabic"}, id="Arabic"),
            pytest.param("میں", {"arabic"}, id="Urdu"),
            pytest.param("मेरा order", {"devanagari", "latin"}, id="Hindi and Latin"),
            pytest.param("app لا", {"arabic", "latin"}, id="Arabic and Latin"),
            pytest.param("p\u0430y", {"latin", "other"}, id="Cyrillic among Latin"),
            pytest.param("வேண்டும்", {"other"}, id="Tamil"),
            pytest.param("𝐲𝐞𝐬", {"other"}, id="mathematical letters"),
            pytest.param("12 ٣ ४ 👍 !", set(), id="no letters"),
            pytest.param("", set(), id="empty"),
        ],
    )
    def test_scripts(self, text, expected):
        """
        The scripts of the letters are told, and digits have none.
        """
        assert letter_scripts(text) == expected
