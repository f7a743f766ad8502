"""Clock times in English and Hindi: "7:30 pm", "saadhe teen baje", "at seven thirty"."""

from models.values.draft import Draft
from models.values.hour import (
    BEHIND_HOUR,
    SPACED,
    Hour,
    hour_at,
    is_marked,
    meridiem,
    minutes,
    with_minutes,
)
from models.values.line import Line, said
from models.values.number import number_at
from models.values.value import ValueKind
from models.values.word import Function, Weak, Word
from models.values.words.time_parts import MINUTE

_DAY = 1440
_NOON = 12
_MINUTES = 60
#: How far ahead a part of day may stand: "8 on Monday in the evening".
_PART_REACH = 4
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
    hour = None if word is None else hour_at(line, start, word)
    if word is None or hour is None:
        return _midnight(line, start)
    after = line.after[hour.end - 1]
    if hour.hour == _NOON and after is not None and after.clock_word is not None:
        return time_draft(start, hour.end + 1, after.clock_word)
    spaced = hour.end > start + 1 and line.gap(start) in SPACED
    if spaced or is_marked(line, hour.end - 1):
        return ended(line, start, hour)
    long = with_minutes(line, hour)
    if long is not None and (is_marked(line, long.end - 1) or _is_hour(line, start, word, long)):
        return ended(line, start, long)
    if 1 <= hour.hour <= _NOON and _is_hour(line, start, word, hour):
        return ended(line, start, hour)
    return None


def ended(line: Line, start: int, hour: Hour) -> Draft:
    """Take what follows the hour: baje, o'clock, bees minute, am."""
    end, minute = hour.end, hour.minute
    if said(line.after[end - 1], BEHIND_HOUR):
        minute, end = _minutes_after_baje(line, minute, end + 1)
    side = meridiem(line, end - 1)
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


def is_night(word: Word) -> bool:
    """Tell whether a word names the night, but not this one."""
    return word.part is not None and "night" in word.part and word.days is None


def _midnight(line: Line, start: int) -> Draft | None:
    """Read "आधी रात", "نص الليل"."""
    word, after = line.words[start], line.after[start]
    if word is None or word.fraction is None or word.fraction[0] != "half" or after is None:
        return None
    return time_draft(start, start + 2, (0,)) if is_night(after) else None
