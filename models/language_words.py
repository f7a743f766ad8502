"""
Words as the language guard sees them: cut per script and folded to one spelling.

Folding drops what recognisers and keyboards write in several ways (accents, vowel points, nukta,
Persian or Urdu shapes of Arabic letters, drawn-out letters), so that a word has one entry in the
table. What folding drops is judged before, as letters: see `language.py`.
"""

import re
import unicodedata
from typing import NamedTuple

from models.text import letter_scripts

_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏɐ-ʯ\u0300-\u036fḀ-ỿ"
_DEVANAGARI = "\u0900-\u0963\u0970-\u097f\ua8e0-\ua8ff\u200c\u200d"
_ARABIC = (
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ef\u06fa-\u06ff\u0750-\u077f"
    "\u08a0-\u08ff\u200c"
)

#: A word of each script. Latin words may hold digits ("3ayz", "2nd") and inner apostrophes.
WORD = {
    "latin": re.compile(rf"(?:[0-9]*[{_LATIN}][{_LATIN}0-9]*)(?:['’ʼ][{_LATIN}]+)*"),
    "devanagari": re.compile(rf"[{_DEVANAGARI}]+"),
    "arabic": re.compile(rf"[{_ARABIC}]+"),
}

_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_ACCENTS = re.compile(r"[\u0300-\u036f]+")
_LATIN_FOLD = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th",
     "ə": "e", "ŋ": "ng", "ħ": "h", "’": "'", "ʼ": "'"}
)  # fmt: skip
_DEVANAGARI_FOLD = str.maketrans(
    {"\u093c": None, "ँ": "ं", "\u200c": None, "\u200d": None, "ऩ": "न", "ऱ": "र", "ऴ": "ळ"}
)
_ARABIC_FOLD = str.maketrans(
    {
        **dict.fromkeys(map(chr, range(0x064B, 0x0660))),
        **dict.fromkeys(map(chr, range(0x0610, 0x061B))),
        **dict.fromkeys(map(chr, range(0x06D6, 0x06DD))),
        "\u0670": None, "\u200c": None,
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ې": "ي", "ے": "ي", "ۓ": "ي",
        "ک": "ك", "ڪ": "ك", "گ": "ك", "ګ": "ك", "ہ": "ه", "ھ": "ه", "ە": "ه", "ۀ": "ه", "ۂ": "ه",
        "ۃ": "ة", "ٹ": "ت", "ټ": "ت", "ڈ": "د", "ډ": "د", "ڑ": "ر", "ړ": "ر", "ڕ": "ر", "ں": "ن",
        "ڼ": "ن", "پ": "ب", "چ": "ج", "ژ": "ز", "ږ": "ز", "ښ": "ش", "ڤ": "ف", "ۆ": "و", "ۇ": "و",
        "ۋ": "و", "ڵ": "ل", "ێ": "ي",
    }
)  # fmt: skip


_FLAT = _ARABIC_FOLD | _DEVANAGARI_FOLD | {ord("’"): "'", ord("ʼ"): "'"}


def flatten(text: str) -> str:
    """Cleaned text in the spelling that `fold` gives its words, for rules on whole phrases."""
    folded = text.casefold()
    return folded if folded.isascii() else folded.translate(_FLAT)


_ASCII_WORD = re.compile("[0-9]*[A-Za-z][A-Za-z0-9]*(?:'[A-Za-z]+)*")


def words(text: str, script: str) -> list[str]:
    """The words of one script in cleaned text, in order and as written."""
    if script == "latin" and text.isascii():
        return _ASCII_WORD.findall(text)
    return WORD[script].findall(text)


class Reading(NamedTuple):
    """A cleaned text, cut once for all guards; a tuple, since one is made per utterance."""

    text: str
    #: The text as `flatten` spells it.
    flat: str
    #: As `letter_scripts` gives them.
    scripts: frozenset[str]
    #: Words by script, of the trained scripts that occur.
    words: dict[str, list[str]]

    @property
    def size(self) -> int:
        """Words of all scripts."""
        return sum(map(len, self.words.values()))


def read(text: str) -> Reading:
    """Cut cleaned text into the words of its scripts."""
    scripts = letter_scripts(text)
    found = {script: words(text, script) for script in scripts if script != "other"}
    return Reading(
        text, flatten(text), scripts, {script: cut for script, cut in found.items() if cut}
    )


def fold(word: str, script: str) -> str:
    """One spelling for a word: lower case, without accents, points and drawn-out letters."""
    if script == "latin":
        folded = word.casefold()
        if not folded.isascii():
            folded = _ACCENTS.sub("", unicodedata.normalize("NFD", folded.translate(_LATIN_FOLD)))
    elif script == "arabic":
        folded = word.translate(_ARABIC_FOLD)
    else:
        folded = word.translate(_DEVANAGARI_FOLD)
    return _DRAWN_OUT.sub(r"\1\1", folded)


def pieces(folded: str) -> list[str]:
    """The character runs of a folded word that stand for it where the table lacks it."""
    framed = f"^{folded}$"
    size = len(framed)
    return [
        framed[start : start + length] for length in (2, 3, 4) for start in range(size - length + 1)
    ]
