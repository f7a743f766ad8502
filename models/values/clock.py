"""Clock times in English and Hindi: "7:30 pm", "saadhe teen baje", "at seven thirty"."""

from typing import NamedTuple

from models.values.draft import Draft
from models.values.line import Line, said
from models.values.number import number_at
from models.values.value import ValueKind
from models.values.word import Function, Weak, Word
from models.values.words.time_parts import MINUTE, NIGHT

_HALF_DAY = 720
_DAY = 1440
_NOON = 12
_HOURS = 24
_MINUTES = 60
_HUNDRED = 100
#: 645 am.
_RUN_TOGETHER = (3, 4)
_TWO_DIGITS = 2
_NINE = 9
#: How far ahead a part of day may stand: "8 on Monday in the evening".
_PART_REACH = 4
#: Between hour and minutes in transcripts that are split into words.
_SPACED = frozenset({" : ", " . "})
#: Between the letters of "a. m."
_IN_MERIDIEM = frozenset({" ", ". ", " . "})
_BEHIND_HOUR = Function.BAJE | Function.OCLOCK
_BEFORE_HOUR = Function.AT | Function.AROUND
_JOINS_PART = Function.IN | Function.AT | Function.ON | Function.THE | Function.THIS | Function.OF
#: What may follow an hour that ends its clause.
_BOUNDARY = (
    Function.AND
    | Function.FROM
    | Function.IN
    | Function.OF
    | Function.ON
    | Function.OPENS_CLAUSE
    | Function.OR
    | Function.TO
)


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


def time_draft(start: int, end: int, values: tuple[int, ...]) -> Draft:
    """Make a time of minutes since midnight."""
    return Draft(ValueKind.TIME, tuple(value % _DAY for value in values), start, end)


def written_clock(line: Line, start: int, word: Word) -> Draft:
    """Read a token such as 7:30, with its am or pm."""
    assert word.clock is not None  # noqa: S101  # the caller looked
    return ended(line, start, Hour(*word.clock, start + 1))


def clock_at(line: Line, start: int) -> Draft | None:
    """Read the clock time that begins with a number or fraction; None where none does."""
    word = line.words[start]
    hour = None if word is None else _hour(line, start, word)
    if word is None or hour is None:
        return _midnight(line, start)
    after = line.after[hour.end - 1]
    if hour.hour == _NOON and after is not None and after.clock_word is not None:
        return time_draft(start, hour.end + 1, after.clock_word)
    spaced = hour.end > start + 1 and line.gap(start) in _SPACED
    if spaced or is_marked(line, hour.end - 1):
        return ended(line, start, hour)
    long = _with_minutes(line, hour)
    if long is not None and (is_marked(line, long.end - 1) or _is_hour(line, start, word, long)):
        return ended(line, start, long)
    if 1 <= hour.hour <= _NOON and _is_hour(line, start, word, hour):
        return ended(line, start, hour)
    return None


def is_marked(line: Line, last: int) -> bool:
    """Tell whether the words after a number make it an hour: am, o'clock, baje."""
    return said(line.after[last], _BEHIND_HOUR) or _meridiem(line, last) is not None


def ended(line: Line, start: int, hour: Hour) -> Draft:
    """Take what follows the hour: baje, o'clock, bees minute, am."""
    end, minute = hour.end, hour.minute
    if said(line.after[end - 1], _BEHIND_HOUR):
        minute, end = _minutes_after_baje(line, minute, end + 1)
    side = _meridiem(line, end - 1)
    if side is None:
        return time_draft(start, end, minutes(hour.hour, minute))
    return time_draft(start, side[1], minutes(hour.hour, minute, side[0]))


def part_ahead(line: Line, index: int) -> bool:
    """Tell whether a part of day follows: "in the evening", "tomorrow morning", "بالليل"."""
    for place in range(index, index + _PART_REACH):
        word = line.after[place - 1] if place <= len(line.words) else None
        if word is None:
            return False
        if word.part is not None:
            follower = line.after[place]  # "2 subah 8 baje" is no two o'clock
            return follower is None or not (follower.number or follower.clock)
        if not word.functions & _JOINS_PART and word.days is None and word.weekday is None:
            return False
    return False


def _hour(line: Line, start: int, word: Word) -> Hour | None:
    if word.fraction is not None and word.number is None:
        return _shaped_hour(line, start, *word.fraction)
    if word.number is None or (word.weak is Weak.COLLIDES and not line.hinglish):
        return None
    value = next((value for value in word.number if value <= _HOURS), word.number[0])
    if word.digits is not None:
        if line.gap(start) in _SPACED:
            return _spaced_minutes(line, start, int(value))
        written = _written_hour(line, start, word.digits, value)
        if written is not None:
            return written
    return None if value % 1 or not 0 <= value <= _HOURS else Hour(int(value), 0, start + 1)


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


def _with_minutes(line: Line, hour: Hour) -> Hour | None:
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


def _meridiem(line: Line, last: int) -> tuple[str, int] | None:
    """Give am or pm after a word, and the index after it."""
    word = line.after[last]
    if word is None:
        return None
    if word.meridiem is not None:
        return word.meridiem, last + 2
    letter = line.text[line.starts[last + 1] : line.ends[last + 1]]
    spelt = said(word, Function.MERIDIEM_LETTER) and said(line.at(last + 2), Function.MERIDIEM_M)
    return (letter + "m", last + 3) if spelt and line.gap(last + 1) in _IN_MERIDIEM else None


def _minutes_after_baje(line: Line, minute: int, end: int) -> tuple[int, int]:
    """Read "bajkar bees minute"; the minute and the index after it."""
    number = None if minute or line.after[end - 1] is None else number_at(line, end)
    if number is None or number.values[0] % 1 or not 0 < number.values[0] < _MINUTES:
        return minute, end
    unit = line.after[number.end - 1]
    if unit is None or unit.unit != MINUTE:
        return minute, end
    return int(number.values[0]), number.end + 1


def _is_hour(line: Line, start: int, word: Word, hour: Hour) -> bool:
    """Tell whether a lone number is an hour by the words around it."""
    if _is_told(line, start, hour):
        return True
    if word.weak is Weak.NO and part_ahead(line, hour.end):
        return True
    return _is_bound_in_hindi(line, hour.end)


def _is_told(line: Line, start: int, hour: Hour) -> bool:
    """Tell whether "at", or a part of day, stand before a lone hour that ends its clause."""
    if _is_cued(line, start, hour):
        return True
    before = line.before[start]
    if said(before, _BEFORE_HOUR | Function.OF):
        before = line.before[start - 1]
    return before is not None and before.part is not None and _closes(line, hour.end - 1)


def _is_bound_in_hindi(line: Line, end: int) -> bool:
    """Tell whether "ke baad", "se pehle" follow a lone number: after six, before five."""
    first, second = line.after[end - 1], line.after[end] if end < len(line.words) else None
    after = said(first, Function.OF) and said(second, Function.LATER)
    return after or (said(first, Function.TO) and said(second, Function.AGO))


def _is_cued(line: Line, start: int, hour: Hour) -> bool:
    """Tell whether "at", "by", "after" stand before a lone hour that ends its clause."""
    if not said(line.before[start], _BEFORE_HOUR) or hour.hour == 0:
        return False
    word = line.words[start]
    if word is not None and word.weak is not Weak.NO and hour.minute == 0:
        return False  # "at one" of them
    return _closes(line, hour.end - 1)


def _closes(line: Line, last: int) -> bool:
    word = line.after[last]
    if word is None:
        return not line.near(last)
    if word.functions & Function.PERCENT:
        return False
    is_day = word.days is not None or word.weekday is not None or word.part is not None
    return is_day or bool(word.functions & _BOUNDARY)


def _midnight(line: Line, start: int) -> Draft | None:
    """Read "आधी रात", "نص الليل"."""
    word, after = line.words[start], line.after[start]
    if word is None or word.fraction is None or word.fraction[0] != "half" or after is None:
        return None
    return time_draft(start, start + 2, (0,)) if after.part == NIGHT.parts else None
