"""E-mail addresses, written or said ("neha dot k at gmail dot com"), and UPI handles."""

import re
from collections.abc import Iterator

from models.masking.code import letter_at
from models.masking.filler import skip
from models.masking.given import NAMES
from models.masking.kind import Kind
from models.masking.line import Line
from models.masking.number import part_at
from models.masking.phrase import listed
from models.values.spelling import key

RULES = {
    "email": """
    email; e mail; mail; email id; mail id; gmail; email address; ईमेल; ई मेल; मेल; इमेल
    ईमेल आईडी; ايميل; الايميل; ايميلي; بريد; بريدي; البريد الالكتروني
    بريدي الالكتروني; ميل; ميلي
    """
}
_WRITTEN = re.compile(
    r"(?P<name>[^\s@<>()\[\]\"',;:،؛]{1,64})\s?(?:@|\[at\]|\(at\))\s?"
    r"(?P<host>[^\W_](?:[\w-]{0,62}[^\W_])?)(?P<dots>(?:(?:\.|\s?(?:\[dot\]|\(dot\))\s?)[^\W_](?:[\w-]{0,62}[^\W_])?){0,4})"
)
#: "At the rate" is how India reads the sign.
_AT = listed(
    """
    at the rate of; at the rate; at rate; at; atrate; ऐट द रेट; एट द रेट; एट दी रेट; ऐट; एट
    अट द रेट; ات ذا ريت; آت; الريت; اتريت; ات; عند; اوت
    """
)
_DOT = frozenset(key(word) for word in "dot point period डॉट डोट دوت نقطة نقطه".split())
_JOINS = listed(
    """
    underscore; under score; dash; hyphen; plus; minus; अंडरस्कोर; अंडर स्कोर; डैश; हाइफन
    اندرسكور; شرطة سفلية; شرطه تحت; شرطة; داش; اندر سكور
    """
)
#: Never the name before the sign nor the host behind it.
_STOPS = frozenset(
    key(word)
    for word in """
    is my me at to on it its s i the a an of in for and or mail email id address e this that
    was be with you your we
    write send address please call us here there now not so if look dot point look open closed
    है हैं मेरा मेरी ईमेल मेल आईडी पर को की का यह ये
    hai hain mera meri email mail id likho likhiye kar do pe par ko ka ki likh lo bhejo hi
    ايميل الايميل ايميلي بريدي الالكتروني الإلكتروني البريد على علي هو هي بتاعي بتاعتي في من
    يا رقم ل و
    """.split()
)
#: Said without their ending.
_HOSTS = frozenset(
    key(word)
    for word in "gmail yahoo hotmail outlook icloud जीमेल याहू हॉटमेल आउटलुक جيميل ياهو هوتميل".split()
)
#: Before a name of two words: "my mail is rahul sharma at …".
_SAYS = frozenset(
    key(word) for word in "is to id email mail है आईडी ईमेल hai ايميل ايميلي هو الايميل".split()
)
_MAX_WORDS = 2
_MAX_LEFT = 40


def find(line: Line) -> Iterator[tuple[int, int, Kind]]:
    """Find addresses as tokens [start, end)."""
    yield from _written(line)
    for index in range(1, len(line.tokens)):
        if line.type(index) == "w" and not line.taken[index]:
            end = _at(line, index)
            if end is None:
                continue
            end = skip(line, end) if _host(line, end) is None else end
            host = _host(line, end)
            start = None if host is None else _name(line, index)
            if start is not None and host is not None:
                yield start, host, Kind.EMAIL


def _written(line: Line) -> Iterator[tuple[int, int, Kind]]:
    starts = {token.start: index for index, token in enumerate(line.tokens)}
    ends = {token.end: index for index, token in enumerate(line.tokens)}
    position = 0
    while (match := _WRITTEN.search(line.text, position)) is not None:
        position = match.end("host")
        first = match.start()
        while first < match.end() and first not in starts:
            first += 1
        start = starts.get(first)
        end = ends.get(match.end())
        if start is None or end is None or start >= end or not line.is_free(start, end + 1):
            continue
        position = match.end()
        if not match["dots"]:
            if "@" in match[0] and " " not in match[0]:
                yield start, end + 1, Kind.ACCOUNT
            continue
        if "@" in match[0] and " " in match[0]:
            continue
        yield start, end + 1, Kind.EMAIL


def _at(line: Line, index: int) -> int | None:
    for words in _AT:
        end = index + len(words)
        if all(line.word(index + place) == word for place, word in enumerate(words)):
            return end
    return None


def _is_dot(line: Line, index: int) -> bool:
    return line.word(index) in _DOT


def _host(line: Line, index: int) -> int | None:
    """Give the token after "gmail dot com"."""
    if Kind.EMAIL in line.rules:
        if line.gap(index) == "." and line.type(index) == line.type(index + 1) == "w":
            return index + 2
        if line.word(index) in _HOSTS and not _is_dot(line, index + 1):
            return index + 1
    place = index
    while place < len(line.tokens) and not _is_dot(line, place):
        if place > index + 2 or not _is_label(line, index, place):
            return None
        place += 1
    return None if place == index else _endings(line, place)


def _is_label(line: Line, start: int, index: int) -> bool:
    """Tell whether a word may be a part of a host that begins at a token."""
    if line.type(index) != "w" or line.taken[index]:
        return False
    if line.word(index) in _STOPS and (index == start or line.word(index) != "mail"):  # "g mail"
        return False
    return not line.gap(index).strip(" ,-") and line.gap(index) != "\n"


def _endings(line: Line, place: int) -> int | None:
    """Give the token after "dot co dot uk"."""
    end = None
    while _is_dot(line, place) and line.type(place + 1) == "w":
        if line.gap(place).strip() or line.taken[place + 1] or line.word(place + 1) in {"the", "a"}:
            break
        end = place = place + 2
        if line.gap(end - 1).strip():
            break
    return end


def _name(line: Line, at: int) -> int | None:
    """Give the first token of the name before the sign."""
    start = _left(line, at)
    return start if start is not None and start < at else None


def _left(line: Line, at: int) -> int | None:
    starts = _atoms(line, at)
    return min(starts) if starts else None


def _atoms(line: Line, at: int) -> list[int]:
    """Walk left from the sign over letters, digits, joins, and one word between each two joins."""
    found: list[int] = []
    words = 0
    place = at
    while place > 0 and at - place < _MAX_LEFT:
        if line.taken[place - 1] or line.gap(place - 1).strip(" ,،-._") or line.stops(place - 1):
            break
        begin = _filled(line, place)
        if begin is not None and begin < place:
            place = begin
            continue
        join = _join_before(line, place)
        if join is not None:
            words = 0
            found.append(join)
            place = join
            continue
        atom = _atom_before(line, place)
        if (
            atom is not None
            and "'" not in line.gap(atom - 1)
            and line.word(atom) not in _STOPS - {"a", "i", "e", "s"}
        ):
            found.append(atom)
            place = atom
            continue
        text = line.word(place - 1)
        joined = _join_before(line, place - 1) is not None and not words  # "sara dot ali"
        if line.type(place - 1) != "w" or (text in _STOPS and not joined):
            break
        if words and not (words < _MAX_WORDS and _is_whole(line, place - 1)):
            break
        words += 1
        found.append(place - 1)
        place -= 1
    while found and _join_before(line, found[-1] + 1) == found[-1]:
        found.pop()
    return found


def _is_whole(line: Line, index: int) -> bool:
    """Tell whether a second word is a part of the name: a given one, or "is" stands before it."""
    if line.word(index) in NAMES and line.near(index):
        return True
    return index > 0 and line.near(index) and line.near(index - 1) and line.word(index - 1) in _SAYS


def _filled(line: Line, place: int) -> int | None:
    """Give where fillers before a token begin."""
    return next(
        (back for back in (place - 2, place - 1) if back > 0 and skip(line, back) == place
         and line.word(back) not in {"dash", "hyphen", "dot", "and", "like", "so"}),
        None,
    )  # fmt: skip


def _join_before(line: Line, place: int) -> int | None:
    if place > 0 and _is_dot(line, place - 1):
        return place - 1
    for words in _JOINS:
        start = place - len(words)
        if start >= 0 and all(
            line.word(start + offset) == word for offset, word in enumerate(words)
        ):
            return start
    return None


def _atom_before(line: Line, place: int) -> int | None:
    """Give where a number or spelt letter that ends before a token begins."""
    for start in range(max(0, place - 4), place):
        if line.taken[start]:
            continue
        letter = letter_at(line, start)
        if letter is not None and letter.end == place:
            return start
        part = part_at(line, start)
        if part is not None and part.end == place:
            return start
    return None
