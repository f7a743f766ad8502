"""Which utterances deny something."""

import pytest

from models.router.polarity import denies
from models.text import clean

DENYING = [
    "i do not want a refund",
    "I don't want that",
    "i don\u2019t want that",
    "i dont want that",
    "you can't do this",
    "no refund please",
    "it never arrived",
    "without a receipt",
    "NOT today",
    "मुझे रिफंड नहीं चाहिए",
    "कॉल मत करो",
    "मैं न आऊँगा",
    "mujhe refund nahi chahiye",
    "call mat karo",
    "abhi na karo",
    "لا أريد ذلك",
    "لَا أريد ذلك",
    "لم يصل الطرد",
    "مش عايز كده",
    "ماوصلش الطلب",
    "معنديش وقت",
    "أبداً",
    "no",
]
AFFIRMING = [
    "i want a refund",
    "is there a notary nearby",
    "i know nothings",
    "a knot in the rope",
    "you know the note",
    "you will do it, no",
    "मुझे रिफंड चाहिए",
    "ठीक है ना",
    "mujhe refund chahiye",
    "theek hai na",
    "nahar ke paas",
    "ما هي ساعات العمل",
    "متى يصل المعاش",
    "السلام عليكم",
    "",
    "٣ ५ 7",
]


@pytest.mark.parametrize("text", DENYING)
def test_denying(text):
    """
    In every language, however it is written.
    """
    assert denies(clean(text).text)


@pytest.mark.parametrize("text", AFFIRMING)
def test_affirming(text):
    """
    Words that only look like a denial, and tags that ask for agreement, are none.
    """
    assert not denies(clean(text).text)


def test_no_word_of_denial_in_any_other():
    """
    Only whole words count.
    """
    assert not denies("cannoli notice nonetheless nowadays matter")
