"""Dates, months and years: "5th of March 2026", "الخامس من مارس", "paanch tarikh"."""

from typing import NamedTuple

from models.values.digits import is_date
from models.values.draft import Draft
from models.values.line import Line, said
from models.values.month import Month, month_named
from models.values.number import number_at
from models.values.ordinal import ordinal_at
from models.values.value import ValueKind
from models.values.word import Function, Word

_FIRST_YEAR = 1900
_LAST_YEAR = 2100
_YEAR_DIGITS = 4
_MONTHS = 12
_LONGEST_MONTH = 31
#: What may stand between a date and its year.
_BEFORE_YEAR = frozenset({" ", ", ", ",", "", "-", ": "})
_OPENS_YEAR = Function.YEAR_AHEAD | Function.OF | Function.FROM | Function.IN
#: من, of, the: between a day and its month.
_OF = Function.OF | Function.THE | Function.FROM
_BEHIND_DAY = _OF | Function.DATE_BEHIND | Function.MONTH_AHEAD
_ON = Function.ON | Function.AROUND | Function.FROM | Function.TO | Function.DAY_AHEAD


class _Day(NamedTuple):
    """A number that may be a day of a month."""

    value: int
    #: Index of the word after it.
    end: int
    ordinal: bool
    #: No word for "another": "dusri tareekh", "يوم تاني".
    sure: bool


def date_at(line: Line, start: int) -> Draft | None:
    """Read the date that begins with a day: "5 March", "the fifth of March", "5 tarikh"."""
    read = _day(line, start)
    if read is None or not 1 <= read.value <= _LONGEST_MONTH:
        return None
    day, end = read.value, read.end
    after = line.after[end - 1]
    if (
        not read.ordinal
        and not _leads_on(after)
        and not said(line.before[start], Function.DAY_AHEAD)
    ):
        return None
    if read.sure and said(after, Function.DATE_BEHIND):
        return _dated(line, start, end + 1, None, day)
    place = end
    while said(line.after[place - 1], _OF):
        place += 1
    month = month_named(line, place) if line.after[place - 1] is not None else None
    if month is not None and is_date(month.month, day):
        return _dated(line, start, month.end, month.month, day)
    return _lone_day(line, start, read) if read.sure else None


def written_date(line: Line, start: int, word: Word) -> Draft | None:
    """Read a token such as 4/5/2026, or 22/04 where it is surely a date."""
    if word.dates is not None:
        return Draft(ValueKind.DATE, word.dates, start, start + 1)
    return None if word.pair is None else _pair(line, start, word.pair)


def _leads_on(word: Word | None) -> bool:
    """Tell whether a word after a number may make it a date."""
    if word is None:
        return False
    is_month = word.month is not None or word.month_pair is not None
    return is_month or word.functions & _BEHIND_DAY != 0


def month_at(line: Line, start: int) -> Draft | None:
    """Read a month with what follows it: "March 5th", "May 2026", "in May"."""
    month = month_named(line, start)
    if month is None:
        return None
    day = _day_after(line, month)
    if day is not None:
        return _dated(line, start, day[1], month.month, day[0])
    year = _year(line, month.end, month.end)
    if year is not None:
        return Draft(ValueKind.MONTH, ((year[0], month.month, None),), start, year[1])
    if month.weak and not _in_month(line, start, month.end):
        return None
    return Draft(ValueKind.MONTH, ((None, month.month, None),), start, month.end)


def year_at(line: Line, start: int) -> Draft | None:
    """Read a year after "in", "since", سنة, साल, or before its month."""
    year = _year(line, start, start or start + 1)
    if year is None:
        return None
    value, end = year
    month = line.after[end - 1]
    if month is not None and month.month is not None:
        return Draft(ValueKind.MONTH, ((value, month.month, None),), start, end + 1)
    stated = said(line.before[start], Function.IN | Function.YEAR_AHEAD)
    if not stated or _is_counted(line, end):
        return None
    return Draft(ValueKind.YEAR, ((value, None, None),), start, end)


def _day(line: Line, start: int) -> _Day | None:
    """Read a number or ordinal that may be a day of a month."""
    ordinal = ordinal_at(line, start)
    if ordinal is not None:
        sure = not ordinal.weak or said(line.before[start], Function.THE)
        return _Day(ordinal.value, ordinal.end, ordinal=True, sure=sure)
    number = number_at(line, start)
    if number is None or number.values[0] % 1 or number.scale:
        return None
    return _Day(int(number.values[0]), number.end, ordinal=False, sure=True)


def _lone_day(line: Line, start: int, read: _Day) -> Draft | None:
    """Read a day without its month: "on the 5th", "5th ko", "يوم 15"."""
    day, end = read.value, read.end
    if _is_counted(line, end):
        return None
    before = line.before[start]
    if said(before, Function.DAY_AHEAD):
        return Draft(ValueKind.DATE, ((None, None, day),), start - 1, end)
    if said(before, Function.THE):
        before = line.before[start - 1]
    if not read.ordinal or not said(before, _ON) or not _closes(line, end):
        return None
    return Draft(ValueKind.DATE, ((None, None, day),), start, end)


def _closes(line: Line, end: int) -> bool:
    word = line.after[end - 1]
    if word is None:
        return not line.near(end - 1)
    return word.functions != 0 or word.days is not None or word.part is not None


def _is_counted(line: Line, end: int) -> bool:
    word = line.after[end - 1]
    return word is not None and not (
        word.unit is None
        and word.counted is None
        and word.currency is None
        and word.multiplier is None
    )


def _in_month(line: Line, start: int, end: int) -> bool:
    """Tell whether a word that is also a verb ("may") is a month here."""
    if said(
        line.before[start],
        Function.IN | Function.OF | Function.NEXT | Function.LAST | Function.FROM,
    ):
        return True
    after = line.after[end - 1]
    if after is not None and after.period == "month":
        return True
    left, right = line.at(start - 2), line.at(end + 1)
    starts = said(after, Function.TO) and right is not None and right.month is not None
    ends = said(line.before[start], Function.TO) and left is not None and left.month is not None
    return starts or ends


def _day_after(line: Line, month: Month) -> tuple[int, int] | None:
    """Read the day after its month; the day and the index after it."""
    place = month.end
    if said(line.after[place - 1], Function.THE):
        place += 1
    word = line.after[place - 1]
    day = None if word is None else _day(line, place)
    if word is None or day is None or not is_date(month.month, day.value):
        return None
    if not day.ordinal and (_is_counted(line, day.end) or word.weak):
        return None
    return day.value, day.end


def _dated(line: Line, start: int, end: int, month: int | None, day: int) -> Draft:
    year = _year(line, end, end)
    if year is None:
        return Draft(ValueKind.DATE, ((None, month, day),), start, end)
    return Draft(ValueKind.DATE, ((year[0], month, day),), start, year[1])


def _year(line: Line, index: int, end: int) -> tuple[int, int] | None:
    """
    Read a year at an index, after a comma or سنة too.

    Args:
        line: the text.
        index: where the year or its opening word stands.
        end: index of the word after what it belongs to.

    Returns:
        The year and the index after it.

    """
    if index >= len(line.words) or line.gap(end - 1) not in _BEFORE_YEAR:
        return None
    word = line.words[index]
    while said(word, _OPENS_YEAR):
        index += 1
        word = line.after[index - 1]
    if word is None or (word.digits is not None and len(word.digits) != _YEAR_DIGITS):
        return None
    number = number_at(line, index)
    if number is None or not _FIRST_YEAR <= number.values[0] <= _LAST_YEAR or number.values[0] % 1:
        return None
    return int(number.values[0]), number.end


def _pair(line: Line, start: int, pair: tuple[int, int]) -> Draft | None:
    """Read 22/04 where a preposition, a weekday or a year makes it a date; and 5/2026."""
    first, second = pair
    if _FIRST_YEAR <= second <= _LAST_YEAR:
        if not 1 <= first <= _MONTHS:
            return None
        return Draft(ValueKind.MONTH, ((second, first, None),), start, start + 1)
    days = [
        (month, day) for month, day in ((second, first), (first, second)) if is_date(month, day)
    ]
    year = _year(line, start + 1, start + 1)
    if year is not None and days:
        dates = tuple((year[0], month, day) for month, day in days)
        return Draft(ValueKind.DATE, dates, start, year[1])
    before = line.before[start]
    stated = said(before, _ON) or said(line.after[start], Function.ON)
    if not days or not (stated or (before is not None and before.weekday is not None)):
        return None
    return Draft(ValueKind.DATE, tuple((None, month, day) for month, day in days), start, start + 1)
