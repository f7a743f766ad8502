"""A text as tokens: words, digits, quantities and tags, with the phrases that name kinds."""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from models.masking.kind import Kind
from models.masking.phrase import Hit, Phrases, hits
from models.masking.view import View, view_of
from models.values.lexicon import WORDS
from models.values.word import Tongue, Weak, Word

#: A sum, a decimal number, a time, a date: never a part of a longer number.
_QUANTITY = (
    r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?![\d,]?\d)"
    r"|(?<![\d.])(?:\d+\.\d{1,2}|\d{1,3}\.\d{3})(?![.\-]?\d)"
    r"|(?<!\d)\d{1,2}:\d{2}(?!\d)"
)
_DATE = (
    r"(?<![\d/.-])(?:\d{1,2}(?P<a>[-/.])\d{1,2}(?P=a)(?:\d{4}|\d{2})"
    r"|\d{4}(?P<b>[-/.])\d{1,2}(?P=b)\d{1,2}|\d{1,2}/\d{1,2})(?![-/.]?\d)"
)
_LETTERS = (
    r"[a-zß-öø-ɏ]+|[\u0900-\u0963\u0971-\u097f]+"
    r"|[\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed]+|[^\W\d_]"
)
_TAG = r"\[(?:" + "|".join(kind.lower() for kind in Kind) + r")\]"
_TOKEN = re.compile(
    rf"(?P<t>{_TAG})|(?P<q>{_QUANTITY})|(?P<x>{_DATE})|(?P<d>\d+)|(?P<w>{_LETTERS})"
)
_FORM = re.compile(r"\d+")
_MONTHS = 12
_DAYS = 31
#: A gap of these keeps two words side by side.
_NEAR = re.compile(r"[ \-'’./#]{0,3}")
_STOP = re.compile(r"[?!।॥؟]|(?<!\.)\.\s")


class Token(NamedTuple):
    """One token and where it stands in the view."""

    text: str
    start: int
    end: int
    #: w a word, d digits, q a quantity, x a date, t a tag.
    type: str


class Part(NamedTuple):
    """A piece of a number at tokens [start, end)."""

    start: int
    end: int
    digits: str
    #: In digits, not in words.
    written: bool = False
    #: A sum such as two lakh: no digits of anything.
    is_sum: bool = False


@dataclass(slots=True)
class Line:
    """The tokens of one text."""

    view: View
    text: str
    tokens: list[Token]
    #: What the reader of values knows of each word.
    words: list[Word | None]
    #: Phrases that name kinds, by the index of their first and of their last token.
    starting: dict[int, list[Hit]]
    ending: dict[int, list[Hit]]
    #: There are words of romanised Hindi.
    hinglish: bool
    #: Tokens of phrases of several words: no number begins there ("last four").
    named: list[bool]
    #: Tokens that a span or a public number holds.
    taken: list[bool]
    #: The rules of each kind whose phrases are in the line.
    rules: dict[Kind | None, set[str]] = field(default_factory=dict)
    #: Numbers and letters read so far, by their first token; codes as long as nothing is taken.
    parts: dict[int, Part | None] = field(default_factory=dict)
    letters: dict[int, Any] = field(default_factory=dict)
    codes: dict[int, Any] = field(default_factory=dict)

    def gap(self, index: int) -> str:
        """Give what stands between a token and the next one."""
        if index < 0 or index + 1 >= len(self.tokens):
            return "\n"
        return self.text[self.tokens[index].end : self.tokens[index + 1].start]

    def word(self, index: int) -> str:
        """Give the text of a token; empty outside the line."""
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def type(self, index: int) -> str:
        """Give the type of a token; empty outside the line."""
        return self.tokens[index].type if 0 <= index < len(self.tokens) else ""

    def near(self, index: int) -> bool:
        """Tell whether a token and the next one stand side by side."""
        return _NEAR.fullmatch(self.gap(index)) is not None

    def stops(self, index: int) -> bool:
        """Tell whether a sentence ends between a token and the next one."""
        gap = self.gap(index)
        return gap == "\n" or _STOP.search(gap) is not None

    def is_capital(self, index: int) -> bool:
        """Tell whether a word begins with a capital letter in the real text."""
        start = self.view.starts[self.tokens[index].start]
        return self.view.raw[start].isupper()

    def is_upper(self, index: int) -> bool:
        """Tell whether a word is all capital letters in the real text."""
        token = self.tokens[index]
        start, end = self.view.span(token.start, token.end)
        return self.view.raw[start:end].isupper()

    def is_free(self, start: int, end: int) -> bool:
        """Tell whether nothing holds the tokens [start, end)."""
        return not any(self.taken[start:end])

    def take(self, start: int, end: int) -> None:
        """Hold the tokens [start, end)."""
        self.taken[start:end] = [True] * (end - start)
        self.codes.clear()


def line_of(raw: str, phrases: Phrases) -> Line:
    """Cut a text into tokens and find the phrases in it."""
    view = view_of(raw)
    tokens = [
        _typed(Token(match[0], match.start(), match.end(), match.lastgroup or "w"))
        for match in _finditer(view.text)
    ]
    words = [WORDS.get(token.text) if token.type == "w" else None for token in tokens]
    named, taken = [False] * len(tokens), [token.type == "t" for token in tokens]
    line = Line(view, view.text, tokens, words, {}, {}, _is_hinglish(words), named, taken)
    for hit in hits([token.text for token in tokens], line.near, phrases):
        line.starting.setdefault(hit.start, []).append(hit)
        line.ending.setdefault(hit.end - 1, []).append(hit)
        line.rules.setdefault(hit.kind, set()).add(hit.rule)
        if hit.end - hit.start > 1:
            named[hit.start : hit.end] = [True] * (hit.end - hit.start)
    return line


def _finditer(text: str) -> list[re.Match[str]]:
    """Cut; a date without a possible day and month is digits."""
    found: list[re.Match[str]] = []
    position = 0
    while (match := _TOKEN.search(text, position)) is not None:
        if match["x"] is not None and not _is_date(match[0]):
            match = _FORM.search(text, match.start()) or match
        found.append(match)
        position = match.end()
    return found


def _typed(token: Token) -> Token:
    if token.text.isdecimal():
        return token._replace(type="d")
    return token if token.type in "tqxdw" else token._replace(type="x")


def _is_date(text: str) -> bool:
    parts = [int(part) for part in _FORM.findall(text)]
    if parts[0] > _DAYS:
        parts = parts[1:] + parts[:1]
    low, high = sorted(parts[:2])
    return low in range(1, _MONTHS + 1) and high in range(1, _DAYS + 1)


def _is_hinglish(words: list[Word | None]) -> bool:
    return any(
        word is not None
        and (
            word.hinglish
            or (
                word.tongue is Tongue.HINGLISH
                and word.number is not None
                and word.weak is not Weak.COLLIDES
            )
        )
        for word in words
    )
