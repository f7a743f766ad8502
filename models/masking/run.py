"""Runs: the digits of one number, written, said, or both, with what callers say between them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from models.masking.filler import skip
from models.masking.line import Line, Part
from models.masking.number import part_at
from models.values.spelling import key
from models.values.word import Function, Word

#: Stands between the groups of one number.
_GLUE = re.compile(r"[\s,،;()\-./\\·|…'\"+:]*")
_ELLIPSIS = re.compile(r"\.\.|…")
_SENTENCE = re.compile(r"[.?!।॥؟]\s")
#: A plus sign or word before a country code.
_PLUS = frozenset(key(word) for word in "plus प्लस بلس زائد".split())
#: Parts after the last comma that fall together with what they count.
_SHORT_TAIL = 2
#: Nobody says a longer number in one breath.
_MAX_PARTS = 64
#: Digits in one row that are a number without the word before them.
_WHOLE = 7
#: What counts, beside units, currencies and things.
_COUNTED = frozenset(
    key(word)
    for word in """
    digit digits times time o'clock percent pm am p.m a.m point bedroom bed bhk items item
    बार अंक डिजिट baar bar ank digit dafa log logo
    مرات مره ارقام رقم خانات اوض اوضه مرتين اطفال كبار في
    """.split()
    if word != "في"
)


#: "Three numbers", and "…, number …".
_NUMBER = key("رقم")


@dataclass(frozen=True, slots=True)
class Run:
    """The digits at tokens [start, end)."""

    line: Line
    parts: tuple[Part, ...]
    digits: str
    #: A plus or double zero stands before it.
    has_plus: bool = False

    @property
    def start(self) -> int:
        """First token."""
        first = self.parts[0].start
        return first - 1 if self.has_plus and self.line.word(first - 1) in _PLUS else first

    @property
    def end(self) -> int:
        """The token after the last."""
        return self.parts[-1].end

    @property
    def is_written(self) -> bool:
        """All in digits."""
        return all(part.written for part in self.parts)

    def text(self) -> str:
        """Give what stands there in the view."""
        tokens = self.line.tokens
        return self.line.text[tokens[self.start].start : tokens[self.end - 1].end]

    def first(self, count: int) -> "Run":
        """Give the run of the first parts."""
        parts = self.parts[:count]
        return Run(self.line, parts, "".join(part.digits for part in parts), self.has_plus)

    def commas(self) -> list[int]:
        """Give after how many parts a comma stands."""
        return [
            count
            for count, part in enumerate(self.parts[:-1], start=1)
            if re.search(r"[,،;]", self.line.gap(part.end - 1))
        ]


def runs(line: Line) -> Iterator[Run]:
    """Cut the free tokens of a line into runs, from left to right."""
    index = 0
    while index < len(line.tokens):
        run = None if line.taken[index] or _is_code(line, index) else _run_at(line, index)
        if run is None:
            index += 1
        else:
            yield run
            index = run.end


def run_at(line: Line, index: int) -> Run | None:
    """Read the run that begins at a token."""
    return None if index >= len(line.tokens) or line.taken[index] else _run_at(line, index)


def _run_at(line: Line, index: int) -> Run | None:
    parts: list[Part] = []
    place = index
    while len(parts) < _MAX_PARTS:
        part = _free_part(line, place)
        if part is None:
            break
        parts.append(part)
        place = _next(line, part.end)
    parts = _without_count(line, parts)
    if not parts or not parts[0].digits or _is_verb(parts):
        return None
    return Run(line, tuple(parts), "".join(part.digits for part in parts), _has_plus(line, index))


def _is_verb(parts: list[Part]) -> bool:
    """Tell whether a word before a whole written number is no digit of it: "kar do 98450 33211"."""
    if len(parts) == 1 or parts[0].written or not parts[1].written:
        return False
    return len(parts[1].digits) >= _WHOLE


def _free_part(line: Line, index: int) -> Part | None:
    if index >= len(line.tokens) or line.taken[index]:
        return None
    if line.named[index]:
        return None
    part = part_at(line, index)
    return None if part is None or part.is_sum or not line.is_free(index, part.end) else part


def _next(line: Line, index: int) -> int:
    """Give the token that may go on with a number, behind glue and fillers; the end otherwise."""
    gap = line.gap(index - 1)
    stopped = _SENTENCE.search(gap) is not None and _ELLIPSIS.search(gap) is None
    if stopped or _GLUE.fullmatch(gap) is None:
        return len(line.tokens)
    after = skip(line, index)
    if after == index or (after == index + 1 and part_at(line, index) is not None):
        return index
    gap = line.gap(after - 1).replace("?", "").replace("؟", "")
    return after if _GLUE.fullmatch(gap) else len(line.tokens)


def _without_count(line: Line, parts: list[Part]) -> list[Part]:
    """Leave out what counts something: "…, two days"."""
    while parts and is_counted(line, parts[-1].end):
        if len(parts) > 1 and line.word(parts[-1].end) == _NUMBER:
            break  # the next number's word, not what these count
        cut = len(parts) - 1
        for back in range(1, min(_SHORT_TAIL, len(parts) - 1) + 1):
            if re.search(r"[,،;]", line.gap(parts[-back].start - 1)):
                cut = len(parts) - back
        parts = parts[:cut]
    return parts


def is_counted(line: Line, index: int) -> bool:
    """Tell whether the token is what a number before it counts: a unit, a currency, a thing."""
    if index >= len(line.tokens):
        return False
    gap = line.gap(index - 1)
    if gap.strip() in {"%", "٪"} or gap.startswith("%"):
        return True
    if gap.strip(" -") or line.type(index) != "w":
        return False
    if line.word(index) in _COUNTED:
        return True
    word = line.words[index]
    return word is not None and _counts(word)


def _counts(word: Word) -> bool:
    senses = (word.unit, word.counted, word.currency, word.measure, word.multiplier, word.month)
    if word.meridiem is not None or any(sense is not None for sense in senses):
        return word.number is None
    return bool(word.functions & (Function.BAJE | Function.PERCENT | Function.OCLOCK))


def _has_plus(line: Line, index: int) -> bool:
    start = line.tokens[index].start
    if line.text[max(0, start - 1) : start] == "+":
        return True
    return line.word(index - 1) in _PLUS and line.near(index - 1)


def _is_code(line: Line, index: int) -> bool:
    """Tell whether a star or letter is written onto the digits: "*199#", "A54", "XM5"."""
    start = line.tokens[index].start
    if line.type(index) != "d" or start == 0:
        return False
    before = line.text[start - 1]
    return before in "*@_" or (before.isalpha() and before.isascii())
