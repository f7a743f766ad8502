"""A text as the reader sees it: its words, where they stand, and what is known of each."""

import re
from dataclasses import dataclass, field

from models.values.digits import digit_word
from models.values.draft import Number
from models.values.lexicon import ORDINAL_STEMS, WORDS
from models.values.spelling import bare, fold
from models.values.word import Function, Word

#: Longest digit token that is read; nothing longer is a value that callers say.
_MAX_DIGITS = 24

#: Letters of each script with their vowel signs and joiners, folded.
_LATIN = "[a-zß-öø-ɏ]+"
_DEVANAGARI = "[ऀ-ॣॱ-ॿ\u200c\u200d]+"
_ARABIC = "[\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u200c\u200d]+"
_TOKEN = re.compile(
    r"\d{1,2}:\d{2}(?::\d{2})?(?!\d)"
    r"|\d{4}([-/.])\d{1,2}\1\d{1,2}(?![\d/])"
    r"|\d{1,2}([-/.])\d{1,2}\2\d{2,4}(?![\d/])"
    r"|\d{1,2}/\d{1,4}(?![\d/])"
    r"|\d{1,2}-\d{4}(?![\d-])"
    r"|\d{4}[-/]\d{1,2}(?![\d/-])"
    r"|\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?!\d)"
    r"|\d+(?:,\d+)+(?:\.\d+)?"
    r"|\d+\.\d+"
    r"|(?<![^\s($-])\.\d+"
    r"|\d+"
    r"|o'clock|[ap]\.m\.?|rs\."
    rf"|{_LATIN}|{_DEVANAGARI}|{_ARABIC}"
    r"|[%$€£₹¢+#]",
    re.ASCII,
)

#: A word of letters of one script, the most frequent token.
_WORD = re.compile(f"{_LATIN}|{_DEVANAGARI}|{_ARABIC}")

#: What may stand between two words of one value.
_NEAR = frozenset({"", " ", "-", " -", "- ", " - ", "  "})

_ORDINAL_ENDS = frozenset({"va", "vi", "ve", "wa", "wi", "we"})
_ORDINAL_LONG_ENDS = frozenset({"van", "vin", "ven", "wan", "win", "vaan", "veen", "waan", "ween"})


@dataclass(slots=True)
class Line:
    """The words of one text."""

    #: The text, folded; offsets are those of the text itself.
    text: str
    #: Senses of each word, None where the word is not known.
    words: list[Word | None]
    #: The word after each word if it is near, else None; one more than there are words.
    after: list[Word | None]
    #: The word before each word if it is near, else None; one more than there are words.
    before: list[Word | None]
    #: Start and end of each word in the text.
    starts: list[int]
    ends: list[int]
    #: The text has words of romanised Hindi.
    hinglish: bool
    #: Numbers read so far, by their first word.
    numbers: dict[int, Number | None] = field(default_factory=dict)

    def at(self, index: int) -> Word | None:
        """Give the word at an index; None outside the text too."""
        return self.words[index] if 0 <= index < len(self.words) else None

    def gap(self, index: int) -> str:
        """Give what stands between a word and the next one."""
        if index + 1 >= len(self.starts):
            return "\n"
        return self.text[self.ends[index] : self.starts[index + 1]]

    def closes(self, index: int) -> bool:
        """Tell whether nothing follows a word that a number there could count."""
        word = self.after[index]
        if word is None:
            return not self.near(index)
        return word.functions != 0 and not word.counts and not word.opens

    def is_latin(self, index: int) -> bool:
        """Tell whether a word is in Latin letters or digits."""
        return self.text[self.starts[index]] <= "ɏ"

    def is_arabic(self, index: int) -> bool:
        """Tell whether a word is in Arabic letters."""
        return "ء" <= self.text[self.starts[index]] <= "ي"

    def near(self, index: int) -> bool:
        """Tell whether nothing but a space or hyphen parts a word from the next one."""
        return self.gap(index) in _NEAR


def said(word: Word | None, functions: int) -> bool:
    """Tell whether a word has any of some functions."""
    return word is not None and word.functions & functions != 0


def past_and(line: Line, index: int) -> int:
    """Give the index after an "and" that stands at an index, else the index."""
    word = line.at(index)
    if word is None or not word.functions & Function.AND or word.number is not None:
        return index
    return index + 1 if line.after[index] is not None else index


def line_of(text: str) -> Line | None:
    """Split a text into known and unknown words; None where no word can begin a value."""
    folded = fold(text).replace(" o clock", " o'clock")
    tokens = _tokens(folded)
    if not any(word is not None and word.opens for word, _, _ in tokens):
        return None
    words, starts, ends = (list(column) for column in zip(*tokens, strict=True))
    after: list[Word | None] = []
    before: list[Word | None] = [None]
    last = len(words) - 1
    for index in range(last):
        if folded[ends[index] : starts[index + 1]] in _NEAR:
            after.append(words[index + 1])
            before.append(words[index])
        else:
            after.append(None)
            before.append(None)
    after += (None, None)
    before.append(None)
    hinglish = any(word is not None and word.hinglish for word in words)
    return Line(folded, words, after, before, starts, ends, hinglish)


def _tokens(text: str) -> list[tuple[Word | None, int, int]]:
    """Give the senses, start and end of each word."""
    tokens: list[tuple[Word | None, int, int]] = []
    lookup = WORDS.get
    start = 0
    for chunk in text.split(" "):
        end = start + len(chunk)
        word = lookup(chunk)
        if word is not None:
            tokens.append((word, start, end))
        elif _WORD.fullmatch(chunk):
            tokens.append((_unlisted(chunk), start, end))
        elif chunk:
            for match in _TOKEN.finditer(text, start, end):
                token = match.group()
                word = lookup(token)
                if word is None:
                    word = _unlisted(token)
                tokens.append((word, match.start(), match.end()))
        start = end + 1
    return tokens


def _unlisted(token: str) -> Word | None:
    first = token[0]
    if "0" <= first <= "9" or first == ".":
        return digit_word(token) if len(token) <= _MAX_DIGITS else None
    if first > "ɏ":
        return WORDS.get(bare(token))
    if token[-2:] in _ORDINAL_ENDS:
        return ORDINAL_STEMS.get(token[:-2])
    if token[-3:] in _ORDINAL_LONG_ENDS:
        return ORDINAL_STEMS.get(token[:-3])
    if token[-4:] in _ORDINAL_LONG_ENDS:
        return ORDINAL_STEMS.get(token[:-4])
    return None
