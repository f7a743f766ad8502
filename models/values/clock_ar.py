"""Clock times in Arabic: "الساعة تمانية ونص", "السابعة والنصف مساء", "خمسة العصر"."""

from models.values.clock import is_night, part_ahead, time_draft
from models.values.draft import Draft
from models.values.hour import Hour, minutes
from models.values.line import Line, said
from models.values.number import number_at
from models.values.word import Function, Tongue, Word
from models.values.words.time_parts import MIDDAY, MINUTE

_NOON_MINUTES = 720
_NOON = 12
_HOURS = 24
_MINUTES = 60
_TEN = 10
#: Minutes that follow an hour without the word for minutes.
_ROUND_MINUTES = frozenset({5, 10, 20, 25, 35, 40, 50})
#: "ونص إلا خمسة": an hour has at most two corrections.
_CORRECTIONS = 2


def clock_after_marker(line: Line, start: int) -> Draft | None:
    """Read the time after الساعة."""
    index = start + 1
    while said(line.after[index - 1], Function.IN | Function.AROUND):
        index += 1
    word = line.after[index - 1]
    if word is None:
        return None
    if word.clock is not None:
        return _ended(line, start, Hour(*word.clock, index + 1))
    hour = _spaced(line, index, word) or _hour(line, index, word)
    return None if hour is None else _ended(line, start, hour)


def clock_of_hour(line: Line, start: int) -> Draft | None:
    """Read an hour that a part of day, a half or its own form makes a time: "خمسة العصر"."""
    word = line.words[start]
    hour = None if word is None else _hour(line, start, word)
    if word is None or hour is None:
        return None
    after = line.after[hour.end - 1]
    sided = part_ahead(line, hour.end) or (after is not None and after.meridiem is not None)
    # "السابعة والنصف" tells the time by itself; "سبعة ونص" may be seven and a half.
    named = word.hour is not None or word.hour_head is not None
    told = hour.minute or said(line.before[start], Function.AT)
    return _ended(line, start, hour) if sided or (named and told) else None


def middle_at(line: Line, start: int) -> Draft | None:
    """Read "منتصف الليل", "منتصف النهار"."""
    word = line.after[start]
    if word is None or not (is_night(word) or word.part == MIDDAY.parts):
        return None
    return time_draft(start, start + 2, (0 if is_night(word) else _NOON_MINUTES,))


def _spaced(line: Line, index: int, word: Word) -> Hour | None:
    """Read "6 : 15", as some transcripts are split."""
    after = line.at(index + 1)
    if word.number is None or line.gap(index) != " : " or after is None or after.number is None:
        return None
    hour, minute = word.number[0], after.number[0]
    if hour % 1 or hour > _HOURS or minute % 1 or minute >= _MINUTES:
        return None
    return Hour(int(hour), int(minute), index + 2)


def _hour(line: Line, index: int, word: Word) -> Hour | None:
    """Read the hour with its quarters and minutes."""
    base = _whole_hour(line, index, word)
    if base is None:
        return None
    hour, minute, end = base
    for _ in range(_CORRECTIONS):
        step = _step(line, end)
        if step is None:
            break
        minute, end = minute + step[0], step[1]
    if minute < 0:
        hour, minute = (hour - 1 or _NOON), minute + _MINUTES
    return Hour(hour, minute, end) if 0 <= minute < _MINUTES else None


def _whole_hour(line: Line, index: int, word: Word) -> Hour | None:
    after = line.after[index]
    is_teen = after is not None and after.teen and not after.joined
    if word.hour_head is not None and is_teen:
        return Hour(word.hour_head, 0, index + 2)
    if word.hour is not None:
        return Hour(word.hour + (_TEN if is_teen else 0), 0, index + (2 if is_teen else 1))
    if word.teen_head is not None and is_teen:
        return Hour(_TEN + word.teen_head, 0, index + 2)
    if word.number is None or word.tongue not in (Tongue.ARABIC, Tongue.DIGITS):
        return None
    value = word.number[0]
    if is_teen and value in (1, 2):
        return Hour(int(value) + _TEN, 0, index + 2)
    return None if value % 1 or not 0 <= value <= _HOURS else Hour(int(value), 0, index + 1)


def _step(line: Line, index: int) -> tuple[int, int] | None:
    """Read one correction of the hour (ونص, إلا ربع); its minutes and the index after it."""
    word = line.after[index - 1]
    if word is None or line.is_latin(index):
        return None
    less = bool(word.functions & Function.LESS)
    if not less and not word.functions & Function.AND:
        return _correction(line, index, 1) if word.joined else None
    return None if line.after[index] is None else _correction(line, index + 1, -1 if less else 1)


def _correction(line: Line, place: int, sign: int) -> tuple[int, int] | None:
    word = line.words[place]
    if word is None:
        return None
    if word.fraction is not None and word.is_part:
        return sign * round(word.fraction[1] * _MINUTES), place + 1
    number = number_at(line, place)
    if number is None or number.values[0] % 1 or not 0 < number.values[0] < _MINUTES:
        return None
    value = int(number.values[0])
    after = line.after[number.end - 1]
    if after is not None and after.unit == MINUTE:
        return sign * value, number.end + 1
    if after is not None and (after.currency or after.counted or after.unit):
        return None
    return (sign * value, number.end) if value in _ROUND_MINUTES else None


def _ended(line: Line, start: int, hour: Hour) -> Draft:
    after = line.after[hour.end - 1]
    side = None if after is None else after.meridiem
    end = hour.end if side is None else hour.end + 1
    return time_draft(start, end, minutes(hour.hour, hour.minute, side))
