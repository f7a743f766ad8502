"""Positions: "twenty first", 21st, "الحادي والعشرين", इक्कीसवीं."""

from typing import NamedTuple

from models.values.draft import Draft, Number
from models.values.line import Line, said
from models.values.number import number_at
from models.values.value import ValueKind
from models.values.word import Function, Tongue, Weak, Word

#: Makes "second" and "दूसरा" positions, before them or behind.
_OWNER = Function.THE
_RANKED = Function.RANKED | Function.GRADE
_TEN = 10
_HUNDRED = 100
_TENS = frozenset({20, 30, 40, 50, 60, 70, 80, 90})


class Ordinal(NamedTuple):
    """A position."""

    value: int
    #: Index of the word after it.
    end: int
    #: Needs a noun or article beside it.
    weak: bool


def ordinal_at(line: Line, start: int) -> Ordinal | None:
    """Read the ordinal that begins at a word; None where none does."""
    word = line.words[start]
    if word is None:
        return None
    after = line.after[start]
    if word.ordinal is not None or word.teen_head is not None:
        return _compound(line, start, word, after)
    if word.digits is not None and word.digits.isdecimal():
        is_position = said(after, Function.ORDINAL_END) and not line.gap(start)
        return Ordinal(int(word.digits), start + 2, weak=False) if is_position else None
    return _after_number(line, start) if word.tongue is Tongue.ENGLISH else None


def position_at(line: Line, start: int) -> Draft | None:
    """Read an ordinal as a value: "first" and "second" only where they are surely positions."""
    word, ordinal = line.words[start], ordinal_at(line, start)
    if ordinal is None or word is None or word.preposition is not None:  # بالأول: at first
        return None
    if ordinal.weak:
        owned = said(line.before[start], _OWNER)
        if not owned and not said(line.after[ordinal.end - 1], _RANKED):
            return None
    number = Number(start, ordinal.end, (ordinal.value,), Weak.NO, Tongue.DIGITS)
    return Draft(ValueKind.ORDINAL, (ordinal.value,), start, ordinal.end, number=number)


def _after_number(line: Line, start: int) -> Ordinal | None:
    """Read an ordinal after its tens or hundreds: "one hundred and twenty" before "fifth"."""
    number = number_at(line, start)
    word = None if number is None else line.after[number.end - 1]
    if number is None or word is None or word.ordinal is None or number.values[0] % 1:
        return None
    value = int(number.values[0])
    after_tens = value % _HUNDRED in _TENS and word.ordinal < _TEN
    fits = after_tens or (value > 0 and value % _HUNDRED == 0)
    return Ordinal(value + word.ordinal, number.end + 1, weak=False) if fits else None


def _compound(line: Line, start: int, word: Word, after: Word | None) -> Ordinal | None:
    """Read an Arabic compound ("الثالث عشر", "الخامس والعشرين"), or the ordinal alone."""
    value = word.ordinal if word.ordinal is not None else word.teen_head
    assert value is not None  # noqa: S101  # the caller looked
    place = start + 1
    if word.article and said(after, Function.AND):
        place += 1
        after = line.after[start + 1]
    if after is not None and word.article and after.number is not None:
        if after.teen and not after.joined:
            return Ordinal(_TEN + value, place + 1, weak=False)
        tens = after.number[0]
        if tens in _TENS and (after.joined or place > start + 1):
            return Ordinal(int(tens) + value, place + 1, weak=False)
    if word.ordinal is None:
        return None
    return Ordinal(value, start + 1, weak=word.ordinal_weak and not word.article)
