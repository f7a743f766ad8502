"""
What speech recognition and typing do to a turn without changing what it says.

Every change here keeps the label of a pair: fillers, stutters, casing, punctuation, spelling
variants, missing marks, and in Hindi the grammatical gender of the speaker. Words that could be an
answer by themselves ("okay", "जी", "تمام") are never used as fillers.
"""

import random
import re
import unicodedata
from collections.abc import Callable

from models.pipeline.data.row import LANGUAGE_OF

_FILLERS = {
    "en": ("uh", "um", "well", "so", "you know", "I mean", "like", "er", "look", "listen"),
    "hi": ("मतलब", "देखिए", "उम्म", "अरे", "सुनिए", "वो क्या है", "भाई"),
    "hinglish": ("matlab", "dekho", "umm", "arey", "suniye", "yaar", "bhai", "actually"),
    "ar-EG": ("يعني", "بص", "طب", "والله", "يا فندم", "اسمع"),
    "ar-MSA": ("يعني", "في الواقع", "اسمع", "في الحقيقة"),
    "ar-Gulf": ("يعني", "والله", "طال عمرك", "اسمع", "يا أخي"),
    "ar-LEV": ("يعني", "والله"),
}
_TAILS = {
    "en": ("you know", "to be honest", "if you ask me", "like I said"),
    "hi": ("समझे आप", "सच में", "भाई"),
    "hinglish": ("yaar", "sach me", "na", "bhai"),
    "ar-EG": ("يا فندم", "والله", "بصراحة"),
    "ar-MSA": ("بصراحة", "في الحقيقة"),
    "ar-Gulf": ("والله", "بصراحة", "طال عمرك"),
    "ar-LEV": ("والله",),
}
_GENDER = {
    "hi": (
        ("रहा हूँ", "रही हूँ"), ("सकता", "सकती"), ("चाहता", "चाहती"), ("करूँगा", "करूँगी"),
        ("आऊँगा", "आऊँगी"), ("लूँगा", "लूँगी"), ("दूँगा", "दूँगी"), ("पाऊँगा", "पाऊँगी"),
        ("चुका हूँ", "चुकी हूँ"), ("बताऊँगा", "बताऊँगी"), ("जाऊँगा", "जाऊँगी"),
    ),
    "hinglish": (
        ("raha hoon", "rahi hoon"), ("raha hun", "rahi hun"), ("sakta", "sakti"),
        ("chahta", "chahti"), ("karunga", "karungi"), ("aaunga", "aaungi"), ("lunga", "lungi"),
        ("dunga", "dungi"), ("paunga", "paungi"), ("chuka hoon", "chuki hoon"),
        ("batata", "batati"), ("jaunga", "jaungi"),
    ),
}  # fmt: skip
_SPELLING = {
    "hinglish": (
        ("nahi", "nahin"), ("nahi", "nai"), ("hai", "h"), ("hoon", "hu"), ("mujhe", "mujhko"),
        ("theek", "thik"), ("haan", "han"), ("kya", "kia"), ("bahut", "bohot"), ("aap", "ap"),
        ("chahiye", "chaiye"), ("mein", "me"), ("accha", "acha"), ("baad", "bad"),
        ("paise", "paisey"), ("kijiye", "kijie"), ("kahan", "kaha"), ("karo", "kro"),
    ),
    "en": (
        ("going to", "gonna"), ("want to", "wanna"), ("I'm", "I am"), ("don't", "do not"),
        ("can't", "cannot"), ("you", "ya"), ("because", "cause"), ("it's", "it is"),
        ("I'll", "I will"), ("won't", "will not"), ("isn't", "is not"), ("haven't", "have not"),
    ),
    "hi": (("हाँ", "हां"), ("ज़", "ज"), ("फ़", "फ"), ("क्या", "क्या"), ("नहीं", "नही"), ("ँ", "ं")),
    "ar": (
        ("أ", "ا"), ("إ", "ا"), ("آ", "ا"), ("ة", "ه"), ("ى", "ي"), ("ئ", "ي"),
        ("دلوقتي", "دلوقت"), ("مش", "مِش"), ("النهارده", "انهارده"),
    ),
}  # fmt: skip

Change = Callable[[str, str, random.Random], str]


def noisy(text: str, variant: str, rng: random.Random, *, changes: int = 2) -> str:
    """
    Return a text as it may arrive, with the same meaning.

    Args:
        text: a turn.
        variant: its variant, a key of `LANGUAGE_OF`.
        rng: source of every choice.
        changes: how many changes are tried; one that does not apply changes nothing.
    """
    for change in rng.choices(_CHANGES, k=changes):
        text = change(text, variant, rng)
    return text


def _filler(text: str, variant: str, rng: random.Random) -> str:
    first = text[:1].lower() if text[:2] != "I " and text[:2] != "I'" else text[:1]
    return f"{rng.choice(_FILLERS[variant])} {first}{text[1:]}"


def _tail(text: str, variant: str, rng: random.Random) -> str:
    return f"{text.rstrip('.?!')} {rng.choice(_TAILS[variant])}"


def _stutter(text: str, _: str, rng: random.Random) -> str:
    found = text.split()
    place = rng.randrange(len(found))
    return " ".join([*found[: place + 1], *found[place:]])


def _case(text: str, variant: str, rng: random.Random) -> str:
    if LANGUAGE_OF[variant] not in ("en", "hinglish"):
        return _punctuation(text, variant, rng)
    return rng.choice((text.lower(), text.capitalize(), text.upper()))


def _punctuation(text: str, variant: str, rng: random.Random) -> str:
    if rng.random() < 0.5:  # noqa: PLR2004 - a coin
        return re.sub(r"[,.;!?،؟।]", "", text)
    mark = {"hi": "।"}.get(variant, ".")
    return text if text[-1] in ".?!؟।" else text + mark


def _spelling(text: str, variant: str, rng: random.Random) -> str:
    table = _SPELLING.get(variant) or _SPELLING["ar"]
    for old, new in rng.sample(table, len(table)):
        pattern = rf"\b{re.escape(old)}\b" if old.isascii() else re.escape(old)
        changed = re.sub(pattern, new, text)
        if changed != text:
            return unicodedata.normalize("NFC", changed)
    return text


def _gender(text: str, variant: str, _: random.Random) -> str:
    for male, female in _GENDER.get(variant, ()):
        if male in text:
            return text.replace(male, female)
        if female in text:
            return text.replace(female, male)
    return text


def _elongate(text: str, variant: str, rng: random.Random) -> str:
    letters = {"hi": "ाीे", "en": "aeo", "hinglish": "aei"}.get(variant, "اوي")
    places = [place for place, char in enumerate(text) if char in letters and place]
    if not places or any(char.isdigit() for char in text):
        return text
    place = rng.choice(places)
    return text[:place] + text[place] + text[place:]


_CHANGES: tuple[Change, ...] = (
    _filler, _filler, _tail, _stutter, _case, _punctuation, _spelling, _spelling, _gender, _gender,
    _elongate,
)  # fmt: skip
