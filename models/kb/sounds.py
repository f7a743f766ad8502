"""
The sounds that words are compared by across scripts: consonants in a few classes, vowels left out.

"Dokki" and "الدقي", "platinum" and "بلاتينيوم", "gold" and "गोल्ड", and Hindi in either script share
no letter but sound alike: names and borrowed words are what a question and an entry in two
languages have in common.
"""

import re

from models.kb.words import words

#: Letters of each class, in Latin, Arabic and Devanagari. H, Arabic ain and half vowels are heard
#: too differently to count.
_CLASSES = {
    "B": "bp بپ पबभ",
    "D": "d دضذ दडधढ",
    "F": "fvw فڤ फव",
    "G": "gj جغگ गघजझ",
    "K": "ckq كقخ कख",
    "L": "l ل लळ",
    "M": "m م म",
    "N": "n ن नणञङ\u0902",
    "R": "r ر र",
    "S": "sz سصزظش सशषचछ",
    "T": "t تطث टठतथ",
}
_SOUND = {
    letter: sound for sound, letters in _CLASSES.items() for letter in letters if letter != " "
}
#: Latin spellings of two letters that are one sound, or a letter that is two.
_SPELLINGS = re.compile("ph|sh|ch|c(?=[eiy])|x")
_SPELT = {"ph": "f", "sh": "s", "ch": "s", "c": "s", "x": "ks"}
#: A word of fewer sounds could be any word; one of more counts by its beginning too, as endings
#: differ between languages.
_LEAST, _BEGINNING = 2, 3


def sounds(text: str) -> list[str]:
    """Return the sounds of each word of a text that has enough of them; raw text will do."""
    found = []
    for word in words(text):
        heard = sound(word)
        if len(heard) >= _LEAST:
            found.append(heard)
        if len(heard) > _BEGINNING:
            found.append(heard[:_BEGINNING])
    return found


def sound(word: str) -> str:
    """Return the consonants of a normalised word by class, doubled ones once."""
    spelt = _SPELLINGS.sub(lambda match: _SPELT[match[0]], word)
    classes = [_SOUND.get(letter, "") for letter in spelt]
    heard = [one for one in classes if one]
    return "".join(one for at, one in enumerate(heard) if at == 0 or heard[at - 1] != one)
