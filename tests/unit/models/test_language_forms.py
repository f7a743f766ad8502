import pytest

from models.language import allowed
from models.language_forms import floor, gain_as_hindi
from models.text import clean


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ياريت", id="if only"),
        pytest.param("هكون موجود", id="Egyptian future"),
        pytest.param("بيهنج", id="Egyptian present"),
        pytest.param("مقدرش", id="denied"),
        pytest.param("الموبايل بتاعها", id="of hers"),
        pytest.param("शायद आ जाऊँ", id="subjunctive"),
        pytest.param("आप आएँ", id="polite subjunctive"),
        pytest.param("नाम, कृपया", id="please"),
        pytest.param("फोन नंबर", id="borrowed"),
        pytest.param("pitaji ne kholi thi dukaan", id="romanised past"),
        pytest.param("unhone mujhe di thi", id="short verbs like strangers'"),
    ],
)
def test_spoken_forms_are_allowed(text):
    """
    Forms that callers say and written text lacks do not make strangers of them.
    """
    assert allowed(clean(text).text).allowed


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("بيا اينجا", id="Persian bi-"),
        pytest.param("مادرش بيمار است", id="Persian his"),
        pytest.param("هيچ كس نيست", id="Persian h-"),
        pytest.param("हजुर म भोलि आऊँ", id="Nepali optative"),
        pytest.param("के गरूँ", id="Nepali verb"),
        pytest.param("कृपया सांगा", id="Marathi please"),
        pytest.param("फोन करा", id="Marathi borrowed"),
        pytest.param("mi kal pasun thambli ahe", id="romanised Marathi"),
        pytest.param("baba ne dili hoti ti mi vikli", id="Marathi ne"),
        pytest.param("je ne le sais pas", id="French ne"),
        pytest.param("non ne so di piu", id="Italian ne"),
    ],
)
def test_strangers_with_like_forms_bypass(text):
    """
    Strangers whose words look like those forms stay out.
    """
    assert not allowed(clean(text).text).allowed


def test_listed_word_has_no_floor_by_its_form():
    """
    A form counts for words that the table has not seen.
    """
    assert floor("بيعلق", "arabic", listed=False) == 0
    assert floor("بيعلق", "arabic", listed=True) is None


def test_no_gain_without_a_hindi_sentence():
    """
    Particles spelt like strangers' words gain only in a sentence that is surely Hindi.
    """
    assert gain_as_hindi(["ne", "di"], [-24, -47]) == 0
    assert gain_as_hindi(["Maine", "di"], [30, -47]) > 0
