"""Words, pieces and sounds: what search takes as one and the same."""

import pytest

from models.kb.sounds import sound, sounds
from models.kb.words import SCRIPTS, normalise, pieces, script, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("اشتِراكٌ", "اشتراك", id="short vowels"),
        pytest.param("إلغاء أمس آخر", "الغاء امس اخر", id="alef forms"),
        pytest.param("مستشفى", "مستشفي", id="dotless ya"),
        pytest.param("مدة", "مده", id="ta marbuta"),
        pytest.param("رسـوم", "رسوم", id="tatweel"),
        pytest.param("مسؤول هيئة", "مسوول هييه", id="hamza on its chair"),
        pytest.param("کتاب پاکی", "كتاب پاكي", id="Persian kaf and ya"),
        pytest.param("ﻻ ﷲ", "لا الله", id="presentation forms"),
        pytest.param("٩٠٠ ۹۰۰ ९००", "900 900 900", id="digits"),
        pytest.param("1,450 ١٬٤٥٠ 1,20,000", "1450 1450 120000", id="thousands"),
        pytest.param("क़िस्त फ़ीस ज़रूरी", "किस्त फीस जरूरी", id="nukta"),
        pytest.param("\u0958", "क", id="nukta in one character"),
        pytest.param("हिन्दी सम्बन्ध", "हिंदी संबंध", id="nasals"),
        pytest.param("पाँच", "पांच", id="chandrabindu"),
        pytest.param("पीन", "पिन", id="long i"),
        pytest.param("कॉफ़ी डॉक्टर", "कोफी डोक्टर", id="candra o"),
        pytest.param("क्‍या", "क्या", id="joiner"),
        pytest.param("Café CRÈME", "cafe creme", id="accents and case"),
        pytest.param("Ｇｏｌｄ", "gold", id="full width"),
    ],
)
def test_one_form(one, other):
    """Spellings of one word are one word."""
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("بنك", "بنت", id="another consonant"),
        pytest.param("दाम", "काम", id="another letter"),
        pytest.param("1450", "1540", id="another number"),
        pytest.param("13:30", "1330", id="a clock time is no thousand"),
    ],
)
def test_other_words_stay_apart(one, other):
    """What is another word is not folded into one."""
    assert words(one) != words(other)


@pytest.mark.parametrize("word", ["الاشتراك", "والاشتراك", "بالاشتراك", "للاشتراك", "اشتراك"])
def test_the_article_does_not_count(word):
    """A noun is found with and without article and the particles before it."""
    assert words(word) == ["اشتراك"]


def test_a_short_word_keeps_its_letters():
    """What only begins like an article is left whole where little would remain."""
    assert words("الم الله") == ["الم", "له"]


def test_words_are_cut_at_what_is_no_letter():
    """Vowel signs belong to their word; punctuation of all scripts does not."""
    assert words("कितने की है? कीमत।") == [*words("कितने"), *words("की"), *words("है"), *words("कीमत")]
    assert words("كم، السعر؟ (gold-plan)") == ["كم", "سعر", "gold", "plan"]
    assert words(" …!؟ ") == []


def test_pieces():
    """A word counts as a whole and by its pieces; a short one only as a whole."""
    assert pieces("to plan") == ["to", "plan", "_pla", "plan", "lan_"]
    assert set(pieces("cancellation")) & set(pieces("cancelled")) >= {"_can", "ance", "cell"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("dokki", "الدقي", id="Dokki"),
        pytest.param("platinum", "प्लैटिनम", id="platinum"),
        pytest.param("kitne ka", "कितने का", id="Hindi in two scripts"),
        pytest.param("gold", "जोल्ड", id="gold"),
        pytest.param("card", "كارد", id="card"),
        pytest.param("phone", "فون", id="phone"),
    ],
)
def test_sounds_cross_scripts(one, other):
    """A name sounds alike in two scripts."""
    assert sounds(one) == sounds(other) != []


def test_sounds_of_long_words_count_by_their_beginning_too():
    """Endings differ between languages: "platinum", "بلاتينيوم"."""
    assert sound("platinum") == "BLTNM"
    assert sounds("platinum") == ["BLTNM", "BLT"]
    assert sounds("a i o the") == []


def test_script():
    """Most letters decide; each script has its number, and what has no letters too."""
    numbers = [script(text) for text in ("gold", "سعر gold الاشتراك", "गोल्ड plan का दाम", "7 ?")]

    assert numbers == [0, 1, 2, 3]
    assert SCRIPTS == 4
