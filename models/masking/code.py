"""Codes of letters and digits, written or spelt: "BQRPS4471K", "M as in Mumbai, four four"."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from models.masking.filler import skip
from models.masking.line import Line
from models.masking.number import part_at
from models.masking.phrase import listed
from models.values.spelling import key

_LATIN_NAMES = """
a ए ऐ ايه إيه اي|b bee बी بي|c सी سي|d dee डी دي|e ई ئي إي|f एफ एफ़ اف إف|g जी جي|h aitch एच اتش إتش
i आई آي|j जे جيه جاي|k kay के كيه كاي كي
l एल ال إل|m em एम ام إم|n एन ان إن|o ओ او أو|p पी بي|q क्यू كيو|r आर ار آر|s ess एस اس إس|t tee टी تي
u यू يو
v vee वी في|w डब्ल्यू डब्लू دبليو دابليو|x एक्स اكس إكس|y वाई واي|z zed ज़ेड जेड زد
"""
_ARABIC_NAMES = """
ا ألف الف|ب باء|ت تاء|ث ثاء|ج جيم|ح حاء|خ خاء|د دال|ذ ذال|ر راء|ز زاي زين|س سين|ش شين|ص صاد
ض ضاد|ط طاء|ظ ظاء
ع عين|غ غين|ف فاء|ق قاف|ك كاف|ل لام|م ميم|ن نون|ه هاء|و واو|ي ياء
"""
_RADIO = """
alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike
november oscar
papa quebec romeo sierra tango uniform victor whiskey yankee zulu
"""


def _names() -> dict[str, str]:
    names = {chr(code): chr(code) for code in range(ord("a"), ord("z") + 1)}
    for text in (_ARABIC_NAMES, _LATIN_NAMES):
        for entry in text.replace("\n", "|").split("|"):
            for name in entry.split()[1:]:
                names.setdefault(key(name), key(entry.split()[0]))
    names |= {word: word[0] for word in _RADIO.split()}
    return names | {letter: letter for letter in "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"}


#: How a letter is written, called or spelt to the letter.
LETTERS = _names()
#: "M as in Mumbai".
_HELPS = listed("as in; for; like; as; फॉर; मतलब; زي; مثل; for example; jaise; se")
#: Longest word of letters that may be a piece of a code ("INC", "BARC").
_MAX_LETTERS = 5
#: Nobody says a longer code.
_MAX_PIECES = 48
_GLUE = re.compile(r"[\s,،;()\-./\\|…'\"#:]*")
_SENTENCE = re.compile(r"(?<!\.)[.?!।؟](?:\s|$)|\n")
_WRITTEN = re.compile(r"[\-/._]?")


class Piece(NamedTuple):
    """Letters or digits at tokens [start, end)."""

    start: int
    end: int
    text: str
    #: In digits, or several letters in a row.
    written: bool


@dataclass(frozen=True, slots=True)
class Code:
    """The longest row of letters and digits from a token on; recognisers match its beginning."""

    line: Line
    pieces: tuple[Piece, ...]
    text: str

    def match(self, pattern: re.Pattern[str]) -> int | None:
        """Give the token after the longest match that ends with a piece; None without one."""
        length = len(self.text)
        for piece in reversed(self.pieces):
            if pattern.fullmatch(self.text, 0, length) is not None:
                return piece.end
            length -= len(piece.text)
        return None

    def at(self, length: int) -> int | None:
        """Give the token after some characters; None where no piece ends there."""
        for piece in self.pieces:
            length -= len(piece.text)
            if length <= 0:
                return None if length else piece.end
        return None


def letter_at(line: Line, index: int) -> Piece | None:
    """Read one letter as written, called or spelt, with the help that goes with it."""
    if index not in line.letters:
        line.letters[index] = _letter_at(line, index)
    found: Piece | None = line.letters[index]
    return found


def _letter_at(line: Line, index: int) -> Piece | None:
    if line.type(index) != "w":
        return None
    letter = LETTERS.get(line.word(index))
    if letter is None and line.word(index) == "x" and line.word(index + 1) == "ray":
        letter = "x"
    if letter is None:
        return None
    end = index + 1
    if letter == "x" and line.word(end) == "ray":
        end += 1
    for words in _HELPS:
        place = end + len(words)
        if place < len(line.tokens) and line.type(place) == "w" and line.near(place - 1):
            said = tuple(line.word(end + offset) for offset in range(len(words)))
            if said == words and _helps(line, letter, place):
                return Piece(index, place + 1, letter, written=False)
    return Piece(index, end, letter, written=False)


def _helps(line: Line, letter: str, place: int) -> bool:
    """Tell whether a word begins with a letter and so helps to spell it."""
    word = line.word(place)
    return len(word) > 1 and (word[0] == letter or not letter.isascii() or not word.isascii())


def code_at(line: Line, index: int) -> Code | None:
    """Read letters and digits from a token on; short words count as letters ("gb38loyd…")."""
    if index not in line.codes:
        line.codes[index] = _code_at(line, index)
    found: Code | None = line.codes[index]
    return found


def _code_at(line: Line, index: int) -> Code | None:
    pieces: list[Piece] = []
    place = index
    while len(pieces) < _MAX_PIECES:
        piece = _piece(line, place, words=True)
        if piece is None:
            break
        pieces.append(piece)
        place = piece.end
        gap = line.gap(place - 1)
        if _GLUE.fullmatch(gap) is None or (_SENTENCE.search(gap) and ".." not in gap):
            break
        after = skip(line, place)
        if after != place and _piece(line, place, words=False) is None:
            place = after
    if not pieces:
        return None
    return Code(line, tuple(pieces), "".join(piece.text for piece in pieces))


def _piece(line: Line, index: int, *, words: bool) -> Piece | None:
    if index >= len(line.tokens) or line.taken[index]:
        return None
    part = None if words and _is_prefix(line, index) else part_at(line, index)
    if part is not None and not part.is_sum and line.is_free(index, part.end):
        if line.word(index) == "o" and line.is_upper(index):
            return Piece(index, index + 1, "o", written=False)
        return Piece(part.start, part.end, part.digits, part.written)
    letter = letter_at(line, index)
    if letter is not None:
        return letter if line.is_free(index, letter.end) else None
    return _word(line, index) if words else None


def _is_prefix(line: Line, index: int) -> bool:
    """Tell whether capitals before digits are letters, though they spell a number: "EK 447"."""
    if line.type(index) != "w" or len(line.word(index)) == 1 or line.type(index + 1) != "d":
        return False
    return line.word(index).isascii() and line.is_upper(index)


def _word(line: Line, index: int) -> Piece | None:
    """Read a date as digits, and a short word as letters."""
    text = line.word(index)
    if line.type(index) == "x":
        return Piece(index, index + 1, re.sub(r"\D", "", text), written=True)
    if line.type(index) != "w":
        return None
    if not text.isascii() and not ("ء" <= text[0] <= "ي" and _is_apart(line, index)):
        return _letters(line, index)
    if len(text) > _MAX_LETTERS:
        return None
    return Piece(index, index + 1, text, written=True)


def _is_apart(line: Line, index: int) -> bool:
    """Tell whether something invisible parts the letters of a word."""
    token = line.tokens[index]
    start, end = line.view.span(token.start, token.end)
    return end - start > len(token.text)


def _letters(line: Line, index: int) -> Piece | None:
    """Read a word of Devanagari that is made of letters' names: सीएबी is C A B."""
    text = line.word(index)
    letters = ""
    while text:
        name = next((text[:size] for size in (6, 5, 4, 3, 2, 1) if text[:size] in LETTERS), None)
        if name is None or not LETTERS[name].isascii():
            return None
        letters += LETTERS[name]
        text = text[len(name) :]
    return Piece(index, index + 1, letters, written=True)


def written_end(line: Line, index: int) -> int:
    """Give the token after what is written in one go, dashes and slashes included."""
    end = index + 1
    while end < len(line.tokens) and not line.taken[end]:
        gap = line.gap(end - 1)
        if _WRITTEN.fullmatch(gap) is None or line.type(end) not in "wdx":
            break
        end += 1
    return end
