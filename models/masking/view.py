"""
A text as the recognisers read it: one spelling, nothing invisible, and the way back.

Case, digits of every script, Arabic and Devanagari letter variants and marks are folded as the
reader of values folds them
zero-width and bidi characters are left out. Each character of the view
knows where it came from, so a span leaves the invisible characters at its edges alone.
"""

import unicodedata
from dataclasses import dataclass

from models.values.spelling import bare, fold

#: Invisible though Unicode does not count them as format characters.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SHAPES = (range(0xFB00, 0xFB07), range(0xFB50, 0xFE00), range(0xFE70, 0xFF00))
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_MARKS = frozenset(["Mn", "Me", "Mc"])
_TATWEEL = "\u0640"
_DASHES = frozenset("‐‑‒–—―−﹣")
#: End of the plane that holds all our letters; the rest is rare and would only fill memory.
_PLANE_END = 0xFFFF


class _Folds(dict[str, str]):
    """Decides each character once."""

    def __missing__(self, letter: str) -> str:
        folded = _folded(letter)
        if ord(letter) <= _PLANE_END:
            self[letter] = folded
        return folded


def _folded(letter: str) -> str:
    digit = unicodedata.digit(letter, None)
    if digit is not None:
        return str(digit)
    category = unicodedata.category(letter)
    if letter.isspace() or category == "Zs":
        return " "
    if letter in _BLANK or category[0] == "C" or "\ufe00" <= letter <= "\ufe0f":
        return ""
    if letter in _DASHES:
        return "-"
    code = ord(letter)
    if code in _FULL_WIDTH or any(code in shapes for shapes in _SHAPES):
        letter = unicodedata.normalize("NFKC", letter)
    if "\u0300" <= letter <= "\u036f":
        return ""
    return bare(fold(letter))


_FOLDS = _Folds()


@dataclass(frozen=True, slots=True)
class View:
    """A text for recognisers, and where each of its characters stands in the real one."""

    #: The text itself.
    raw: str
    #: Folded text.
    text: str
    #: Per character of `text`: where it begins and ends in `raw`.
    starts: list[int] | range
    ends: list[int] | range

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the characters of the real text behind [start, end) of the view."""
        return self.starts[start], self.ends[end - 1]


def view_of(raw: str) -> View:
    """Fold a text; any text will do."""
    if raw.isascii() and raw.isprintable():
        return View(raw, raw.lower(), range(len(raw)), range(1, len(raw) + 1))
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for position, letter in enumerate(raw):
        folded = _FOLDS[letter]
        if folded:
            letters.append(folded)
            starts += [position] * len(folded)
            ends += [position + 1] * len(folded)
        elif (
            ends
            and ends[-1] == position
            and (letter == _TATWEEL or unicodedata.category(letter) in _MARKS)
        ):
            ends[-1] = position + 1  # a mark belongs to its letter
    return View(raw, "".join(letters), starts, ends)
