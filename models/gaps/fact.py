"""What a question asks for: a price, a time, a place; by its words, in four languages."""

from collections.abc import Sequence
from enum import StrEnum

from models.kb.words import words


class Fact(StrEnum):
    """What a question asks for."""

    PRICE = "price"
    TIME = "time"
    PLACE = "place"
    DOCUMENTS = "documents"
    CONTACT = "contact"
    ANSWER = "answer"


_ASKS: dict[Fact, frozenset[str]] = {
    fact: frozenset(words(text))
    for fact, text in {
        Fact.PRICE: """
            cost costs price prices fee fees charge charges much rate rates cheaper
            कितने कितना कीमत दाम शुल्क फीस चार्ज किराया जुर्माना पैसे kitne kitna keemat
            kiraya paise
            كام بكام سعر تكلفة رسوم كم بكم غرامة قد
        """,
        Fact.TIME: """
            when long open opens close closes hours time days
            कब समय टाइम दिन kab samay din khulta khulti
            امتى متى ساعات مواعيد ميعاد وقت يفتح تفتح بتفتح بتقفل مدة يوم ايام
        """,
        Fact.PLACE: "where address branch कहाँ पता शाखा kahan pata فين وين اين عنوان فرع منين",
        Fact.DOCUMENTS: """
            documents document papers proof दस्तावेज़ कागज़ कागज kagaz kaagaz اوراق مستندات ورق
            الأوراق
        """,
        Fact.CONTACT: "phone number email contact फ़ोन नंबर ईमेल رقم ايميل تواصل",
    }.items()
}


def facts(said: Sequence[str]) -> frozenset[Fact]:
    """Give what words, as search compares them, ask for; several where they ask several things."""
    return frozenset(fact for fact, cues in _ASKS.items() if not cues.isdisjoint(said))


def asked_fact(questions: Sequence[str]) -> Fact:
    """Give what most of some questions ask for."""
    counts = dict.fromkeys(_ASKS, 0)
    for question in questions:
        for fact in facts(words(question)):
            counts[fact] += 1
    best = max(counts, key=lambda fact: counts[fact])
    return best if counts[best] * 2 > len(questions) else Fact.ANSWER
