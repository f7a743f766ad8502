"""What one word, or its place, makes of two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.contrast import conflict, read
from models.contrast.rules import Contrast

CONTRADICT = [
    # yes and no, and nothing else
    ("uh huh", "uh-uh", Contrast.ANSWER),
    ("yeah", "Nah.", Contrast.ANSWER),
    ("yes please", "no thank you", Contrast.ANSWER),
    ("हाँ जी", "नहीं जी", Contrast.ANSWER),
    ("haan ji", "nahi ji", Contrast.ANSWER),
    ("أيوه يا فندم", "لأ", Contrast.ANSWER),
    ("ايوة", "لا شكرا", Contrast.ANSWER),
    # opposites
    ("my son's fees are due", "My daughter’s fees are due.", Contrast.OPPOSITE),
    ("i want to check in", "I'd like to check out", Contrast.OPPOSITE),
    ("the front tyre is flat", "My rear tyre is flat", Contrast.OPPOSITE),
    ("i want to upgrade my data pack", "I'd like my data pack downgraded", Contrast.OPPOSITE),
    ("बेटे की फीस भरनी है", "बेटी की फ़ीस भरनी है", Contrast.OPPOSITE),
    ("bete ki fees bharni hai", "beti ki fees bharni hai", Contrast.OPPOSITE),
    ("mujhe dono chahiye", "mujhe koi ek chahiye", Contrast.OPPOSITE),
    ("عايز حاجة أرخص", "عايز حاجة أغلى", Contrast.OPPOSITE),
    ("النت فاصل", "التليفون فاصل", Contrast.OPPOSITE),
    ("عايز الاتنين", "عايز واحد من الاتنين", Contrast.OPPOSITE),
    # the same, denied
    ("please call me", "please don't call me", Contrast.DENIAL),
    ("i can come", "I cannot come", Contrast.DENIAL),
    ("मुझे यह चाहिए", "मुझे यह नहीं चाहिए", Contrast.DENIAL),
    ("mujhe yeh chahiye", "mujhe ye nahi chahiye", None),  # "yeh" and "ye" are too short to liken
    ("mujhe chahiye", "mujhe nahin chahiye", Contrast.DENIAL),
    ("عايز الغي الحجز", "مش عايز الغي الحجز", Contrast.DENIAL),
    ("بتوصل الطلب لحد البيت", "مبتوصلش الطلب لحد البيت", Contrast.DENIAL),
    # another thing is denied
    ("i want the charger not the headset", "I want the headset, not the charger", Contrast.SCOPE),
    ("ابغى الشاحن مو السماعة", "عايز السماعة مش الشاحن", Contrast.SCOPE),
    ("ألغي النت مش الموبايل", "الغي الجوال مب الانترنت", Contrast.SCOPE),
    # persons in each other's part
    ("i'll call you tomorrow", "you call me tomorrow", Contrast.PERSONS),
    ("he is my uncle", "I'm his uncle", Contrast.PERSONS),
    ("she owes me money", "i owe her money", Contrast.PERSONS),
    ("main aapko call karunga", "aap mujhe call karenge", Contrast.PERSONS),
    ("मैं उनको भेजूँगा", "वो मुझे भेजेंगे", Contrast.PERSONS),
    # other places
    (
        "the phone works but the internet keeps dropping",
        "the internet works but the phone keeps dropping",
        Contrast.ORDER,
    ),
    ("i fly from pune to delhi", "I fly from Delhi to Pune.", None),  # not two words: "to", "i"
    ("फोन ठीक है लेकिन इंटरनेट बंद है", "इंटरनेट ठीक है लेकिन फोन बंद है", Contrast.ORDER),
    ("النت شغال والكهربا قاطعة خالص", "الكهربا شغال والنت قاطعة خالص", None),
]

AGREE = [
    ("yes", "yeah"),
    ("no", "no problem"),
    ("problem", "no problem"),
    ("no, keep the bag closed", "keep it closed, no bag opened"),
    ("haan na", "nahi"),
    ("i am not outside", "i'm inside"),
    ("it is not expensive", "it's cheap"),
    ("call me tomorrow", "tomorrow call me"),
    ("monday or tuesday", "tuesday or monday"),
    ("kal aana", "aana kal"),
    ("no, i want the card", "i want the card, please"),
    ("can you call me back", "please ring me at the front desk"),
    ("बेटे और बेटी की फीस", "बेटी और बेटे की फीस"),
    ("my son and my daughter", "my daughter"),
    ("nahi nahi rehne dijiye", "nahi rehne dijiye"),
    ("مفروش", "شقة مفروشة"),
    ("مش عايز", "مش محتاج"),
    ("ok sure", "please go ahead"),
    ("aap mujhe call karo", "mujhe aap call karo"),
    ("you and i will come", "I and you will come"),
    ("can you send me your form", "could you send me your form"),
    ("i am his uncle", "I'm his uncle"),
    ("", ""),
    ("?", "yes"),
]


@pytest.mark.parametrize(("one", "other", "expected"), CONTRADICT)
def test_what_contradicts(one, other, expected):
    """Each is found in both orders."""
    assert conflict(read(one), read(other)) == expected
    assert conflict(read(other), read(one)) == expected


@pytest.mark.parametrize(("one", "other"), AGREE)
def test_what_may_be_meant_alike(one, other):
    """Nothing is said where nothing is certain."""
    assert conflict(read(one), read(other)) is None
    assert conflict(read(other), read(one)) is None


@pytest.mark.parametrize("pair", CONTRADICT)
def test_a_text_never_contradicts_itself(pair):
    """Whatever it holds."""
    for text in pair[:2]:
        assert conflict(read(text), read(f"{text}.")) is None


def test_zero_width_and_vowel_signs_change_nothing():
    """What the ear does not hear parts no words."""
    assert conflict(read("ब‍ेटे की फीस"), read("बेटी की फीस")) == Contrast.OPPOSITE
    assert conflict(read("أَرْخَص"), read("اغلي")) == Contrast.OPPOSITE


_SAID = st.lists(
    st.sampled_from(
        "not don't no yes uh huh i you me मैं आपको नहीं बेटा لا مش عايزش بره جوه a ’s".split()
    )
    | st.text(max_size=6)
).map(" ".join)


@given(_SAID, _SAID)
def test_whatever_is_said(one, other):
    """The order of two texts does not matter, and none contradicts itself."""
    left, right = read(one), read(other)
    assert conflict(left, right) == conflict(right, left)
    assert conflict(left, left) is None
