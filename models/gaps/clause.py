"""A draft and its evidence as clauses: what each one names, states, denies and limits."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest

from models.gaps import cues
from models.kb.sounds import sound
from models.kb.words import script, words
from models.language import romanised_hindi
from models.language_words import words as language_words
from models.text import MAX_CHARS, clean
from models.values import Value, ValueKind, read

#: An end of a sentence, or of what could be one.
_END = re.compile(
    r"(?<=[!?;؟।؛\n])\s*|(?<=\.)(?<!\bRs\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bNo\.)(?<!\bडॉ\.)\s+|\s*\n\s*|(?<=[:])\s+(?=\S{12})"
)
#: A pause inside a sentence.
_PAUSE = re.compile(
    r"(?<=[,،])\s+|\s+(?=(?:and|but|और|लेकिन|aur|lekin)\s)|\s+(?=و(?:(?:[^\W\d_]{3,}|ل[امن]|ما|مش)\s|\d))"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(
    r"(?:https?://|www\.)\S+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:/[\w./?=&%#~-]*)?",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)
#: Blanks to be filled in: they state nothing.
_BLANK = re.compile(r"[^.!?;:؟।\n]{0,60}:\s*_{2,}|_{2,}|\[[^\]]{0,40}\]|…")
#: Between a number and the days that it counts: the reader of values does not know them.
_WORKING = re.compile(
    r"\b(?:working|business)(?=\s+days?\b)|कामकाजी|कार्य(?=\s+दिव)|\b(?:kaamkaji|kamkaji|working)(?=\s+din\b)"
)
#: An hour that a range begins with, and the part of the day of the hour that ends it: the reader of
#: values would take that for the first one's too.
_FIRST_HOUR = re.compile(r"(?<=\bबजे से)(?=\s)|(?<=\bbaje se)(?=\s)", re.IGNORECASE)
#: The same behind the days, where the reader does not mind it.
_WORKING_BEHIND = re.compile(r"(?:[أا]يام|يوم) عمل\b")
#: "and" written onto the name of a day.
_AND_DAY = re.compile(
    "(?<![^\\W_])و(?=ال(?:احد|أحد|اثنين|إثنين|ثلاثاء|اربعاء|أربعاء|خميس|جمعة|سبت))"
)
#: A word with what it has in front, in the text as it stands.
_SPELT = re.compile(
    "(?:[^\\W_]|[\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963"
    "\u0300-\u036f\u0640\u064b-\u065f\u0670'’])+"
)
_ALIKE = str.maketrans("SM", "GN")
#: Words behind a value that may bound it: "8 and above".
_BEHIND = 3
_TWO = frozenset(words("दो do"))
#: Joined to a word in Arabic, and behind one in Hindi: for it.
_FOR_ARABIC = re.compile(r"(?<!\w)لل\w{3,}")
_FOR_HINDI = frozenset(tuple(words(text)) for text in ("के लिए", "ke liye"))
#: "and" as Arabic writes it onto a word.
_AND = "و"
_LATIN, _ARABIC, _DEVANAGARI = 0, 1, 2
#: Letters by which two words of one language are compared, and those that any stem has.
_STEM, _LEAST_STEM = 5, 3
#: Consonants that a word of another script must share to be the same word.
_LEAST_SOUNDS = 2


@dataclass(frozen=True, slots=True)
class Word:
    """A word as search compares it, and how it stood in the text."""

    text: str
    #: Begins with a capital letter, and not because a sentence begins there.
    named: bool = False
    #: Begins with a capital letter, for whatever reason.
    capital: bool = False
    #: Says what the clause is about.
    content: bool = True
    #: Where it begins, in characters of the cleaned text that values count in too.
    start: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence, or one side of a semicolon."""

    #: User text: never logged.
    text: str
    #: Which text it is of.
    source: int
    words: tuple[Word, ...]
    values: tuple[Value, ...]
    links: frozenset[str]
    emails: frozenset[str]
    #: "en", "hi" (in either script), "ar", or another.
    language: str
    negative: bool
    conditions: frozenset[str]
    universal: bool
    limited: bool
    marks: frozenset[str]
    rates: frozenset[str]
    #: Whether it obliges or permits.
    modes: frozenset[str]
    #: Which of two opposites it has, by their axis: ("where", "inside").
    sides: frozenset[tuple[str, str]]
    #: How each value is meant, in their order: "about", "at most", "until".
    relations: tuple[frozenset[str], ...]
    #: The words that say what it is about.
    content: tuple[Word, ...]
    #: It asks, and so states only what it takes for granted.
    asks: bool = False
    #: It cut at its pauses; empty where there are none, and of what was cut.
    parts: tuple["Clause", ...] = ()


def clauses(text: str, source: int = 0) -> list[Clause]:
    """Cut a text into clauses; raw text will do."""
    found = [_clause(piece, source, starts=True) for piece in _pieces(_BLANK.sub(" ", text), _END)]
    return [replace(clause, parts=tuple(_cut(clause))) for clause in found]


def has_blank(text: str) -> bool:
    """Tell whether something in a text is left to be filled in."""
    return _BLANK.search(text) is not None


def segments(clause: Clause) -> Sequence[Clause]:
    """Give a clause cut at its pauses; itself where there are none."""
    return clause.parts or (clause,)


def _cut(clause: Clause) -> Iterator[Clause]:
    pieces = list(_pieces(clause.text, _PAUSE))
    if len(pieces) > 1:
        for at, piece in enumerate(pieces):
            yield _clause(piece, clause.source, starts=at == 0)


def is_heard(word: str) -> bool:
    """Tell whether a word has enough sounds to be found in another script."""
    return bool(heard(word))


def same_word(one: str, other: str) -> bool:
    """Tell whether two words are forms of one word, or of two scripts and sound alike."""
    if one == other:
        return True
    if _letters(one) != _letters(other):
        return not heard(one).isdisjoint(heard(other))
    length = min(len(one), len(other))
    if length < _LEAST_STEM or one[0].isdigit() or other[0].isdigit():
        return False
    if one.rstrip("s") == other.rstrip("s") or _AND + one == other or one == _AND + other:
        return True
    if length <= _LEAST_STEM:
        return False
    return one[: min(_STEM, length)] == other[: min(_STEM, length)]


def _letters(word: str) -> int:
    """The script of a word, by its first letter."""
    first = word[:1]
    if first.isascii():
        return _LATIN
    return _DEVANAGARI if "\u0900" <= first <= "\u097f" else _ARABIC


def heard(word: str) -> set[str]:
    """
    The sounds that a word may have in another script; none where they are too few to tell.

    ज़ and ज are one letter to search, and so are nasals before consonants; Arabic writes no w.
    """
    spelt = (word, word.replace("w", ""))
    found = {sound(one).translate(_ALIKE) for one in spelt}
    return {one for one in found if len(one) >= _LEAST_SOUNDS}


def favoured(clause: Clause) -> list[Word]:
    """Give for whom or what a clause holds: "for residents", "छात्रों के लिए", "للطلبة"."""
    joined = {word for spelt in _FOR_ARABIC.findall(clause.text) for word in words(spelt)}
    found = [
        word
        for before, word in pairwise(clause.words)
        if word.content and (before.text == "for" or word.text in joined)
    ]
    behind = zip(clause.words, clause.words[1:], clause.words[2:], strict=False)
    return found + [
        one for one, other, last in behind if one.content and (other.text, last.text) in _FOR_HINDI
    ]


def beside(clause: Clause, value: Value) -> tuple[Word | None, Word | None]:
    """Give the words of content right before and right behind a value of a clause."""
    before = [word for word in clause.content if word.start < value.span[0]]
    behind = [word for word in clause.content if word.start >= value.span[1]]
    return (before[-1] if before else None), (behind[0] if behind else None)


def known(word: str, others: Iterable[Word]) -> bool:
    """Tell whether a word is among others, in any form."""
    return any(same_word(word, other.text) for other in others)


def _pieces(text: str, end: re.Pattern[str]) -> Iterator[str]:
    for piece in end.split(text):
        left = piece.strip()
        while len(left) > MAX_CHARS:
            cut = left.rfind(" ", 0, MAX_CHARS)
            cut = cut if cut > 0 else MAX_CHARS
            yield left[:cut]
            left = left[cut:].strip()
        if any(letter.isalnum() for letter in left):
            yield left


def _clause(text: str, source: int, *, starts: bool) -> Clause:
    emails = frozenset(found[0].lower().strip(".") for found in _EMAIL.finditer(text))
    bare = _EMAIL.sub(" ", text)
    links = frozenset(_link(found[0]) for found in _LINK.finditer(bare))
    bare, dropped = _WORKING.subn(" ", _LINK.sub(" ", bare))
    working = dropped > 0 or _WORKING_BEHIND.search(bare) is not None
    cleaned = clean(_FIRST_HOUR.sub(" to", _AND_DAY.sub("و ", bare))).text
    values = read(cleaned)
    said = words(cleaned)
    language = _language(cleaned)
    rates = cues.rates(said)
    found = tuple(_words(_unvalued(cleaned, values), starts=starts))
    return Clause(
        text=text,
        source=source,
        words=found,
        values=values,
        links=links,
        emails=emails,
        language=language,
        negative=cues.negative(said),
        conditions=cues.conditions(said),
        universal=cues.universal(said),
        limited=cues.limited(said),
        marks=cues.marks(said)
        | _bounds(cleaned, values)
        | _unread(found, said, language)
        | cues.periods([word.text for word in found], rates),
        modes=cues.modes(said),
        sides=cues.sides(said),
        relations=_relations(cleaned, values, working=working),
        rates=rates,
        content=tuple(word for word in found if word.content),
        asks=text.endswith(("?", "؟")),
    )


def _bounds(text: str, values: tuple[Value, ...]) -> frozenset[str]:
    """Which way values are bounded: "8 or more", "under 5"."""
    found: set[str] = set()
    for value in values:
        start, end = value.span
        found |= cues.bounds(words(text[:start]), words(text[end:])[:_BEHIND])
    return frozenset(found)


def _relations(
    text: str, values: tuple[Value, ...], *, working: bool
) -> tuple[frozenset[str], ...]:
    """How each value is meant; days are working days where the clause says so of any."""
    found = []
    for value, following in zip_longest(values, values[1:]):
        start, end = value.span
        behind = words(text[end : following.span[0] if following else None])
        if following and cues.bounds(behind, []):
            behind = []  # it bounds the next one
        meant = cues.relations(words(text[:start]), behind[:_BEHIND])
        days = working and value.kind is ValueKind.DURATION
        found.append(meant | {"working"} if days else meant)
    return tuple(found)


def _unread(found: tuple[Word, ...], said: Sequence[str], language: str) -> frozenset[str]:
    """A "two" that is "give" as well, and a "one", and so no values: "दो दस्तावेज़"."""
    two = language == "hi" and any(
        word.text in _TWO and behind.content for word, behind in pairwise(found)
    )
    one = any(word.text == "one" and behind.content for word, behind in pairwise(found))
    vague = cues.vague(said) | cues.chooses(said)
    return vague | {name for name, is_there in (("two", two), ("one", one)) if is_there}


def _unvalued(text: str, values: tuple[Value, ...]) -> str:
    """Leave out what is read as a value; every other character stays where it is."""
    for value in values:
        start, end = value.span
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _link(text: str) -> str:
    return _SCHEME.sub("", text).lower().rstrip("/.,;:!?)")


def _words(text: str, *, starts: bool) -> Iterator[Word]:
    first = starts
    for spelt in _SPELT.finditer(text):
        for said in words(spelt[0]):
            word = cues.SYNONYMS.get(said, said)
            content = (
                len(word) > 1
                and not word[0].isdigit()
                and word not in cues.STOPWORDS
                and word not in cues.CUE_WORDS
            )
            capital = spelt[0][0].isupper()
            named = content and ((capital and not first) or word in cues.PLACES)
            yield Word(word, named=named, capital=capital, content=content, start=spelt.start())
        first = text[spelt.end() : spelt.end() + 1] in {".", ":", "?", "!"}


def _language(text: str) -> str:
    found = script(text)
    if found == _ARABIC:
        return "ar"
    if found == _DEVANAGARI:
        return "hi"
    if found != _LATIN:
        return "other"
    return "hi" if romanised_hindi(language_words(text, "latin")) > 0 else "en"
