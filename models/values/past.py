"""Times told from an hour: "half past five", "quarter to eight", "ten minutes past noon"."""

from models.values.clock import ended, time_draft
from models.values.draft import Draft
from models.values.hour import Hour, is_marked
from models.values.line import Line, said
from models.values.number import number_at
from models.values.word import Function, Tongue, Word
from models.values.words.time_parts import MINUTE

_NOON = 12
_HOURS = 24
_MINUTES = 60
#: Minutes that are told from an hour without the word "minutes".
_ROUND_MINUTES = frozenset({5, 10, 15, 20, 25, 30})
_BEFORE_TIME = Function.AT | Function.AROUND


def past_at(line: Line, start: int) -> Draft | None:
    """Read the time that begins with the minutes; None where none does."""
    word = line.words[start]
    if word is None:
        return None
    if word.fraction is not None and word.number is None:
        count, index, sure = word.fraction[1] * _MINUTES, start + 1, word.fraction[0] == "part"
    elif word.number is not None and word.number[0] in _ROUND_MINUTES:
        number = number_at(line, start)
        if number is None:
            return None
        count, index, sure = number.values[0], number.end, False
    else:
        return None
    unit = line.after[index - 1]
    if unit is not None and unit.unit == MINUTE:
        index, sure = index + 1, True
    if line.after[index - 1] is None or not 0 < count < _MINUTES or count % 1:
        return None
    return _told(line, start, index, int(count), sure=sure)


def _told(line: Line, start: int, index: int, count: int, *, sure: bool) -> Draft | None:
    joint, hour_word = line.words[index], line.after[index]
    hour = None if hour_word is None else _hour(hour_word)
    if hour is None or hour_word is None or hour % 1 or not 1 <= hour <= _HOURS:
        return None
    is_after = said(joint, Function.AFTER) and (sure or is_marked(line, index + 1))
    if said(joint, Function.PAST) or is_after:
        return _drafted(line, start, hour_word, Hour(int(hour), count, index + 2))
    is_to = said(joint, Function.TO) and hour_word.tongue in (Tongue.ENGLISH, Tongue.DIGITS)
    if is_to:
        is_named = sure or hour_word.clock_word is not None
        is_before = is_named or _tells_time(line, start, index, count)
    else:
        is_before = sure and said(joint, Function.BEFORE)
    if not is_before:
        return None
    return _drafted(
        line, start, hour_word, Hour(int(hour) - 1 or _NOON, _MINUTES - count, index + 2)
    )


def _hour(word: Word) -> float | None:
    if word.hour is not None:
        return word.hour
    if word.clock_word is not None:
        return _NOON
    return None if word.number is None else word.number[0]


def _drafted(line: Line, start: int, hour_word: Word, hour: Hour) -> Draft:
    if hour_word.clock_word is None:
        return ended(line, start, hour)
    base = hour_word.clock_word[0] - (0 if hour.hour == _NOON else _MINUTES)
    return time_draft(start, hour.end, (base + hour.minute,))


def _tells_time(line: Line, start: int, joint: int, count: int) -> bool:
    """Tell whether "ten to five" is a time and no range: after "at", or where ten is no hour."""
    word = line.words[start]
    cued = said(line.before[start], _BEFORE_TIME)
    if count > _NOON:
        return cued or is_marked(line, joint + 1)
    return cued and word is not None and word.digits is None
