"""The hour and minutes of a clock time in English and Hindi, as said before "am" or "baje"."""

from typing import NamedTuple

from models.values.line import Line, said
from models.values.number import number_at
from models.values.word import Function, Weak, Word

_HALF_DAY = 720
_DAY = 1440
_NOON = 12
_HOURS = 24
_MINUTES = 60
_HUNDRED = 100
_NINE = 9
_TWO_DIGITS = 2
#: 645 am.
_RUN_TOGETHER = (3, 4)
#: Between hour and minutes in transcripts that are split into words.
SPACED = frozenset({" : ", " . "})
#: Between the letters of "a. m."
_IN_MERIDIEM = frozenset({" ", ". ", " . "})
#: o'clock, baje.
BEHIND_HOUR = Function.BAJE | Function.OCLOCK


class Hour(NamedTuple):
    """An hour and minute as said."""

    hour: int
    minute: int
    #: Index of the word after them.
    end: int


def minutes(hour: int, minute: int, side: str | None = None) -> tuple[int, ...]:
    """Give the minutes since midnight that a time may mean; one where its half day is known."""
    if side is not None and hour <= _NOON:
        return (hour % _NOON * _MINUTES + minute + (_HALF_DAY if side == "pm" else 0),)
    if 0 < hour <= _NOON:
        early = hour % _NOON * _MINUTES + minute
        return (early, early + _HALF_DAY)
    return ((hour * _MINUTES + minute) % _DAY,)


def hour_at(line: Line, start: int, word: Word) -> Hour | None:
    """Read the hour at a word, with the minutes that are written or said with it."""
    if word.fraction is not None and word.number is None:
        return _shaped_hour(line, start, *word.fraction)
    if word.number is None or (word.weak is Weak.COLLIDES and not line.hinglish):
        return None
    value = next((value for value in word.number if value <= _HOURS), word.number[0])
    if word.digits is not None:
        if line.gap(start) in SPACED:
            return _spaced_minutes(line, start, int(value))
        written = _written_hour(line, start, word.digits, value)
        if written is not None:
            return written
    return None if value % 1 or not 0 <= value <= _HOURS else Hour(int(value), 0, start + 1)


def with_minutes(line: Line, hour: Hour) -> Hour | None:
    """Read the minutes after an hour: "seven thirty", "eight oh five"."""
    word = None if hour.minute else line.after[hour.end - 1]
    if word is None:
        return None
    if word.spoken_digit == 0:
        last = line.after[hour.end]
        if last is None or last.number is None or not 1 <= last.number[0] <= _NINE:
            return None
        return Hour(hour.hour, int(last.number[0]), hour.end + 2)
    number = number_at(line, hour.end)
    if number is None or not 0 <= number.values[0] < _MINUTES or number.values[0] % 1:
        return None
    in_full = number.values[0] > _NINE if word.digits is None else len(word.digits) == _TWO_DIGITS
    return Hour(hour.hour, int(number.values[0]), number.end) if in_full else None


def is_marked(line: Line, last: int) -> bool:
    """Tell whether the words after a number make it an hour: am, o'clock, baje."""
    return said(line.after[last], BEHIND_HOUR) or meridiem(line, last) is not None


def meridiem(line: Line, last: int) -> tuple[str, int] | None:
    """Give am or pm after a word, and the index after it."""
    word = line.after[last]
    if word is None:
        return None
    if word.meridiem is not None:
        return word.meridiem, last + 2
    letter = line.text[line.starts[last + 1] : line.ends[last + 1]]
    spelt = said(word, Function.MERIDIEM_LETTER) and said(line.at(last + 2), Function.MERIDIEM_M)
    return (letter + "m", last + 3) if spelt and line.gap(last + 1) in _IN_MERIDIEM else None


def _written_hour(line: Line, start: int, digits: str, value: float) -> Hour | None:
    """Read 645 am, 7.30 baje."""
    after = line.after[start]
    if after is None or (after.meridiem is None and not after.functions & Function.BAJE):
        return None
    if digits.isdecimal() and len(digits) in _RUN_TOGETHER:
        hour, minute = int(digits[:-2]), int(digits[-2:])
    elif value % 1:
        hour, minute = int(value), round(value % 1 * _HUNDRED)
    else:
        return None
    return Hour(hour, minute, start + 1) if minute < _MINUTES and hour <= _HOURS else None


def _spaced_minutes(line: Line, start: int, hour: int) -> Hour | None:
    """Read "9 : 30"; "9 . 30" only before am, pm or baje."""
    if hour > _HOURS or (line.gap(start) == " . " and not is_marked(line, start + 1)):
        return None
    word = line.at(start + 1)
    if word is None or word.digits is None or len(word.digits) != _TWO_DIGITS:
        return None
    return Hour(hour, int(word.digits), start + 2) if int(word.digits) < _MINUTES else None


def _shaped_hour(line: Line, start: int, kind: str, amount: float) -> Hour | None:
    """Read saadhe teen (3:30), sava do (2:15), paune char (3:45), dhai (2:30)."""
    if kind == "whole":
        return Hour(int(amount), 30, start + 1)
    word = line.after[start]
    if kind not in ("plus", "minus") or word is None or word.number is None:
        return None
    hour = next((value for value in word.number if value <= _NOON), 0)
    if hour % 1 or hour < 1:
        return None
    minute = int(amount * _MINUTES)
    if kind == "plus":
        return Hour(int(hour), minute, start + 2)
    return Hour(int(hour) - 1 or _NOON, _MINUTES - minute, start + 2)
