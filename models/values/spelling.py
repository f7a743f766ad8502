"""One spelling for many: folding text for look-up, and writing out the spellings of a pattern."""

import itertools
import re
from collections.abc import Iterator

#: Letters of equal length that callers and recognisers mix. Every entry maps one character to one,
#: so that spans in the folded text are spans in the text.
_PAIRS = {
    **{chr(code): chr(code).lower() for code in range(0x41, 0x250) if len(chr(code).lower()) == 1},
    **{chr(0x0660 + digit): str(digit) for digit in range(10)},  # Arabic-Indic
    **{chr(0x06F0 + digit): str(digit) for digit in range(10)},  # Persian, Urdu
    **{chr(0x0966 + digit): str(digit) for digit in range(10)},  # Devanagari
    **dict(zip("أإآٱىةؤئیک", "ااااي" + "هويي" + "ك", strict=True)),
    "\u0901": "\u0902",  # chandrabindu as anusvara
    **{chr(0x0958 + place): letter for place, letter in enumerate("कखगजडढफय")},  # with nukta
    **dict(zip("٫٬٪،؛’‘–—‑", ".,%;;''---", strict=True)),
}
_FOLD = str.maketrans(_PAIRS)

#: What a word is looked up without: Arabic vowel signs and tatweel, nukta, joiners.
_MARKS = dict.fromkeys(
    [*range(0x0610, 0x061B), *range(0x064B, 0x0660), 0x0670, 0x0640, 0x093C, 0x200C, 0x200D]
)

_GROUP = re.compile(r"\(([^)]*)\)|([^(]+)")


def fold(text: str) -> str:
    """Fold case, digits of all scripts and letter variants; same length as the text."""
    return text.lower() if text.isascii() else text.translate(_FOLD)


def bare(word: str) -> str:
    """Take the optional marks out of a folded word."""
    return word.translate(_MARKS)


def key(word: str) -> str:
    """Spell a word as the lexicon does."""
    return bare(fold(word))


def spellings(patterns: str) -> Iterator[str]:
    """
    Write out every spelling of some patterns.

    Patterns are separated by spaces; "(a|aa|)" stands for one of its alternatives, so
    "p(a|aa)nch" gives panch and paanch.
    """
    for pattern in patterns.split():
        parts = [
            (choice if choice is not None else plain).split("|")
            for choice, plain in (
                (match.group(1), match.group(2)) for match in _GROUP.finditer(pattern)
            )
        ]
        yield from ("".join(letters) for letters in itertools.product(*parts))
