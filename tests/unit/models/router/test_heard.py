"""The languages that a router was made for."""

import pytest

from models.router.heard import LEAST_HEARD, Heard, listen, phrases_like
from models.router.phrases import Phrases, prepare
from models.script import Writing, writing

ENGLISH, HINGLISH = Writing("latin", "en"), Writing("latin", "hinglish")
UNSURE, HINDI, ARABIC = Writing("latin"), Writing("devanagari", "hi"), Writing("arabic", "ar")
DIGITS = Writing("none")


def heard(**counts) -> Heard:
    names = {"en": ENGLISH, "hinglish": HINGLISH, "unsure": UNSURE, "hi": HINDI}
    return Heard((), {names[name]: count for name, count in counts.items()})


@pytest.mark.parametrize(
    ("counts", "said", "expected"),
    [
        pytest.param({"en": 200}, ENGLISH, True, id="English on English"),
        pytest.param({"en": 200}, HINDI, False, id="Hindi on English"),
        pytest.param({"en": 200}, HINGLISH, False, id="Hinglish on English"),
        pytest.param({"en": 200, "unsure": 60}, HINGLISH, False, id="short phrases are English"),
        pytest.param({"en": 12, "unsure": 10}, ENGLISH, True, id="short English phrases count"),
        pytest.param({"en": 40, "hinglish": 40}, HINGLISH, True, id="both"),
        pytest.param({"unsure": 25}, HINGLISH, True, id="nothing is sure"),
        pytest.param({"en": 19}, UNSURE, False, id="one too few"),
        pytest.param({"en": 20}, UNSURE, True, id="just enough"),
        pytest.param({"hi": 20}, DIGITS, True, id="digits fit every language"),
        pytest.param({"hi": 20}, ARABIC, False, id="Arabic on Hindi"),
        pytest.param({}, ENGLISH, False, id="nothing at all"),
    ],
)
def test_a_threshold_holds_for_the_languages_it_was_chosen_on(counts, said, expected):
    """
    A turn needs enough validation phrases in its language.
    """
    assert heard(**counts).validated(said) is expected


def test_unsure_phrases_are_shared_out_once():
    """
    What could be either is not counted for both languages.
    """
    counts = {ENGLISH: 30, HINGLISH: 10, UNSURE: 20}

    assert phrases_like(counts, ENGLISH) + phrases_like(counts, HINGLISH) == 60
    assert phrases_like(counts, UNSURE) == 60


def test_examples_and_validation_phrases_are_taken_down():
    """
    An intent answers in the languages of its own examples, whatever the others have.
    """
    found = listen(
        prepare(
            Phrases(
                intents={
                    "hours": ["when do you open tomorrow", "आप कब खुलते हैं"],
                    "price": ["how much is it for a month"],
                },
                validation={"hours": ["at what time do you open", "متى تفتحون الأبواب"]},
            )
        )
    )

    assert found.answers(0, writing("दुकान कब खुलती है"))
    assert not found.answers(1, writing("कितना पैसा लगेगा"))
    assert found.answers(1, writing("what does it cost"))
    assert not found.answers(0, writing("متى تفتحون"))
    assert sum(found.validation.values()) == 2
    assert found.validation[writing("متى تفتحون الأبواب")] == 1


def test_what_denies_is_taken_down_from_all_phrases_of_an_intent():
    """
    Validation phrases are what callers say for an intent as much as examples are.
    """
    found = listen(
        prepare(
            Phrases(
                intents={"login": ["i can not log in"], "refund": ["i want my money back"]},
                validation={"login": ["help me to log in"], "refund": ["money back please"]},
            )
        )
    )

    assert found.denying == (frozenset([True, False]), frozenset([False]))
    assert found.agrees(0, "why doesn't it let me in")
    assert not found.agrees(1, "i do not want my money back")
    assert found.agrees(1, "please give me my money")


def test_as_many_as_the_threshold_needs():
    """
    The bound is not a second opinion on what is enough.
    """
    assert LEAST_HEARD == 20
