"""Weekdays, and weeks, months and years counted from this one: "next Friday", "الأسبوع الجاي"."""

from models.values.draft import Draft
from models.values.line import Line, said
from models.values.value import ValueKind
from models.values.word import Function, Word

_DIRECTIONS = (
    (Function.NEXT, 1),
    (Function.LAST, -1),
    (Function.THIS | Function.CURRENT, 0),
)
_ANY_WAY = ("next", "last")
_WAYS = {1: ("next",), 0: _ANY_WAY, -1: ("last",)}
_BEFORE_WEEKDAY = (
    Function.AROUND
    | Function.DAY_AHEAD
    | Function.FROM
    | Function.LAST
    | Function.NEXT
    | Function.ON
    | Function.OR
    | Function.THIS
    | Function.TO
)


def period_at(line: Line, start: int) -> Draft | None:
    """Read "next week", "is mahine", "هذا الشهر", "next Friday" at the first word."""
    first, word = line.words[start], line.after[start]
    way = _direction(first)
    if line.is_arabic(start) and not said(first, Function.THIS):
        return None  # other Arabic words for it stand behind
    if way is None and line.hinglish and said(first, Function.THIS_HINDI):
        way = 0
    if way is None or word is None:
        return None
    if word.period is not None:
        return _period(line, start, start + 2, word.period, way)
    return None if word.weekday is None else _weekday(start, start + 2, word.weekday, _WAYS[way])


def period_behind(line: Line, start: int, word: Word) -> Draft | None:
    """Read "الأسبوع الجاي" at its noun."""
    behind = direction_behind(line, start) if word.article else None
    if word.period is None or behind is None:
        return None
    return _period(line, start, behind[1], word.period, behind[0])


def weekday_at(line: Line, start: int, word: Word) -> Draft | None:
    """Read a weekday; one that is also another word needs company."""
    assert word.weekday is not None  # noqa: S101  # the caller looked
    behind = direction_behind(line, start)
    if behind is not None:
        return _weekday(start, behind[1], word.weekday, _WAYS[behind[0]])
    if word.weekday_weak and not _is_accompanied(line, start):
        return None
    return _weekday(start, start + 1, word.weekday, _ANY_WAY)


def direction_behind(line: Line, last: int) -> tuple[int, int] | None:
    """Read الجاي, اللي فات after a word: the next (1), this (0), the last (-1); the index after."""
    word, end = line.after[last], last + 2
    if said(word, Function.WHICH):
        word = line.after[last + 1]
        end += 1
    way = None if word is None or not line.is_arabic(end - 1) else _direction(word)
    return None if way is None else (way, end)


def _direction(word: Word | None) -> int | None:
    for function, way in _DIRECTIONS:
        if said(word, function):
            return way
    return None


def _period(line: Line, start: int, end: int, period: str, way: int) -> Draft:
    """Make a period; a weekend may also be called by its week."""
    if period == "week" and said(line.before[start], Function.WEEK_END):
        period = "weekend"
    names = ("weekend", "week") if period == "weekend" else (period,)
    return Draft(ValueKind.PERIOD, tuple((name, way) for name in names), start, end)


def _weekday(start: int, end: int, day: int, ways: tuple[str, ...]) -> Draft:
    return Draft(ValueKind.WEEKDAY, tuple((day, way) for way in ways), start, end)


def _is_accompanied(line: Line, start: int) -> bool:
    before, after = line.before[start], line.after[start]
    if not line.is_latin(start):
        return said(before, Function.DAY_AHEAD | Function.WHOLE)
    if said(before, _BEFORE_WEEKDAY) or (before is not None and before.digits is not None):
        return True
    if after is None:
        return False
    is_time = after.digits is not None or after.clock is not None
    return is_time or (after.part is not None and not after.part_weak)
