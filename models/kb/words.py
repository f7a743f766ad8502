"""
The words that full-text search compares: one form for what Arabic and Hindi write in several ways.

Much stronger than `models.text.clean`, and for search only: it folds spellings that differ in
meaning now and then, which costs a rank, never a wrong answer.

* All scripts: compatibility forms, case, digits, thousands separators, Latin accents.
* Arabic: short vowels and other marks, tatweel, hamza and madda, alef and ya forms, ta marbuta,
  Persian kaf and ya; then the article with the particles before it.
* Hindi: nukta, joiners and virama, nasals before a consonant, chandrabindu, and vowels by length,
  as in the normaliser of Apache Lucene (Pingali and Varma, 2006).
"""

import re
import unicodedata

#: Marks that are dropped once letters are decomposed: Latin accents, Arabic vowels and hamza,
#: nukta, virama, and what joins or separates letters without being heard.
_DROPPED = re.compile(
    "[\u0300-\u036f\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u093c\u094d\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
#: A nasal that only takes the place of the consonant behind it: "हिन्दी" as "हिंदी".
_NASAL = re.compile("[ङञणनम]\u094d(?=[क-ह])")
_ALIKE = str.maketrans(
    # Arabic: alef wasla, dotless and Persian ya, ta marbuta, Persian kaf.
    "ٱىیةک"
    # Hindi: chandrabindu, candra and short vowels, then vowels by length; letters, then signs.
    "\u0901\u090d\u090e\u0911\u0912\u0906\u0908\u090a\u0910\u0914"
    "\u0945\u0946\u0949\u094a\u0940\u0942\u0948\u094c",
    "اييهك"
    "\u0902\u090f\u090f\u0913\u0913\u0905\u0907\u0909\u090f\u0913"
    "\u0947\u0947\u094b\u094b\u093f\u0941\u0947\u094b",
)
#: Between digits: "1,450", "1٬450".
_SEPARATOR = re.compile(r"(?<=\d)[,٬،](?=\d{2,3})")
#: Letters and digits, with the vowel signs of Devanagari.
_WORD = re.compile("(?:[^\\W_]|[\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963])+")
#: "the", with "and", "in", "as", "so" or "for" before it.
_ARTICLE = re.compile("و?(?:ال|بال|كال|فال|لل)(?=[ء-ي]{2})")
#: Letters of each script, in the order of their numbers; what has none of them is of one more.
_SCRIPTS = tuple(map(re.compile, ("[A-Za-zÀ-ɏ]", "[\u0600-\u06ff]", "[\u0900-\u097f]")))
#: Numbers that `script` gives.
SCRIPTS = len(_SCRIPTS) + 1
#: Length of the pieces that words are cut into, and of the longest word that is not cut.
_PIECE, _WHOLE = 4, 2


def words(text: str) -> list[str]:
    """Return the words of a text as search compares them, in order; raw text will do."""
    found = []
    for word in _WORD.findall(normalise(text)):
        article = _ARTICLE.match(word)
        found.append(word[article.end() :] if article else word)
    return found


def pieces(text: str) -> list[str]:
    """
    Return the words of a text, and each again cut into overlapping pieces.

    Pieces stand in for stemmers of four languages, and match what a recogniser or a caller
    misspells.
    """
    found = []
    for word in words(text):
        found.append(word)
        if len(word) > _WHOLE:
            edged = f"_{word}_"
            found += [edged[at : at + _PIECE] for at in range(len(edged) - _PIECE + 1)]
    return found


def script(text: str) -> int:
    """Return the script that most letters of a text are in, as a number below `SCRIPTS`."""
    counts = [len(letters.findall(text)) for letters in _SCRIPTS]
    most = max(counts)
    return counts.index(most) if most else len(_SCRIPTS)


def normalise(text: str) -> str:
    """Bring a text to the one form in which search compares it."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    folded = _DROPPED.sub("", _NASAL.sub("\u0902", folded)).translate(_ALIKE)
    return _SEPARATOR.sub("", "".join(map(_digit, folded)))


def _digit(char: str) -> str:
    return str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char
