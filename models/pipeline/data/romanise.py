"""
Devanagari to the Latin letters that people type: "मुझे नहीं पता" to "mujhe nahi pata".

There is no one spelling, so the caller may pass a random source and get one of the usual
ones. Schwas are dropped at the end of a word and between a vowel and a consonant that
carries one, which is right for most words and never changes what a word means.
"""

import random
import re
import unicodedata

_CONSONANTS = {
    "क": "k", "ख": "kh", "ग": "g", "घ": "gh", "ङ": "n", "च": "ch", "छ": "chh", "ज": "j",
    "झ": "jh", "ञ": "n", "ट": "t", "ठ": "th", "ड": "d", "ढ": "dh", "ण": "n", "त": "t",
    "थ": "th", "द": "d", "ध": "dh", "न": "n", "प": "p", "फ": "ph", "ब": "b", "भ": "bh",
    "म": "m", "य": "y", "र": "r", "ल": "l", "व": "v", "श": "sh", "ष": "sh", "स": "s", "ह": "h",
}  # fmt: skip
_NUKTA = {"क": "q", "ख": "kh", "ग": "g", "ज": "z", "फ": "f", "ड": "d", "ढ": "dh"}
_VOWELS = {
    "अ": "a", "आ": "aa", "इ": "i", "ई": "ee", "उ": "u", "ऊ": "oo", "ऋ": "ri", "ए": "e",
    "ऐ": "ai", "ओ": "o", "औ": "au", "ऑ": "o", "ऍ": "e",
}  # fmt: skip
_SIGNS = {
    "ा": "aa", "ि": "i", "ी": "ee", "ु": "u", "ू": "oo", "ृ": "ri", "े": "e", "ै": "ai",
    "ो": "o", "ौ": "au", "ॉ": "o", "ॅ": "e",
}  # fmt: skip
_NUKTA_SIGN, _VIRAMA, _NASAL = "\u093c", "\u094d", "ँंः"
_FIXED = {
    "नहीं": ("nahi", "nahin", "nai"),
    "हाँ": ("haan", "han", "ha"),
    "हां": ("haan", "han", "ha"),
    "मैं": ("main", "mein", "mai"),
    "में": ("me", "mein"),
    "है": ("hai", "h"),
    "हैं": ("hain", "hai"),
    "हूँ": ("hoon", "hun", "hu"),
    "क्या": ("kya",),
    "यह": ("yeh", "ye"),
    "वह": ("woh", "wo"),
    "पर": ("par", "pe"),
    "ज़रूर": ("zaroor", "jarur"),
    "बहुत": ("bahut", "bohot"),
}
_LETTER = re.compile("[ऀ-ॿ]+")


def romanise(text: str, rng: random.Random | None = None) -> str:
    """
    Return a Hindi text in Latin letters; what is not Devanagari stays.

    Args:
        text: any text.
        rng: chooses among the usual spellings; without it always the first one.
    """
    text = unicodedata.normalize("NFD", text.replace("।", "."))
    text = text.translate({0x966 + digit: str(digit) for digit in range(10)})
    return _LETTER.sub(lambda match: _word(unicodedata.normalize("NFD", match[0]), rng), text)


def _word(word: str, rng: random.Random | None) -> str:
    fixed = _FIXED_NFD.get(word)
    if fixed:
        return rng.choice(fixed) if rng else fixed[0]
    return _spell(_drop_schwas(_sounds(word)), rng)


_FIXED_NFD = {unicodedata.normalize("NFD", key): value for key, value in _FIXED.items()}


def _sounds(word: str) -> list[str]:
    """Return consonants, vowels and "A" for each schwa that the letters imply."""
    sounds: list[str] = []
    for place, char in enumerate(word):
        if char in _CONSONANTS:
            after = word[place + 1 : place + 2]
            nukta = after == _NUKTA_SIGN
            sounds.append(_NUKTA.get(char, _CONSONANTS[char]) if nukta else _CONSONANTS[char])
            follower = word[place + 2 : place + 3] if nukta else after
            if follower not in _SIGNS and follower != _VIRAMA:
                sounds.append("A")
        elif char in _VOWELS:
            sounds.append(_VOWELS[char])
        elif char in _SIGNS:
            sounds.append(_SIGNS[char])
        elif char in _NASAL:
            sounds.append("n" if char != "ः" else "h")
    return sounds


def _drop_schwas(sounds: list[str]) -> list[str]:
    """Drop the schwa of the last letter and every second one between open syllables."""
    kept = list(sounds)
    if len(kept) > 2 and kept[-1] == "A":  # noqa: PLR2004 - one-letter words keep it
        kept.pop()
    vowels = {"A", *_SIGNS.values()}
    place = len(kept) - 2
    while place > 1:
        around = kept[place - 2 : place + 3]
        if (
            kept[place] == "A"
            and len(around) == 5  # noqa: PLR2004 - vowel, consonant, schwa, consonant, vowel
            and around[0] in vowels
            and around[1] not in vowels
            and around[3] not in vowels
            and around[4] in vowels
        ):
            del kept[place]
            place -= 1
        place -= 1
    return kept


def _spell(sounds: list[str], rng: random.Random | None) -> str:
    text = "".join("a" if sound == "A" else sound for sound in sounds)
    text = re.sub("aa$", "a", text)
    text = re.sub("een?$", lambda match: match[0].replace("ee", "i"), text)
    text = re.sub("chchh", "chh", text)
    if rng:
        swaps = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("chh", "ch"), ("v", "w"), ("z", "j"))
        for old, new in swaps:
            if rng.random() < 0.5:  # noqa: PLR2004 - a coin
                text = text.replace(old, new)
    return text
