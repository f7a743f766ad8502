"""Lengths of time: "2 hours 30 minutes", "dhai ghante", "ساعتين ونص", "an hour and a half"."""

from models.values.draft import Draft, Number
from models.values.line import Line, past_and, said
from models.values.number import number_at, part_behind
from models.values.value import Role, ValueKind
from models.values.word import Function, Tongue, Unit, Weak, Word
from models.values.words.time_parts import DAY, HOUR, MINUTE, SECOND

#: "One second", "one minute" are said for a moment.
_MOMENTS = frozenset({SECOND, MINUTE})
#: What may stand before "a week" that is a length.
_BEFORE_A_LENGTH = Function.IN | Function.AROUND | Function.AFTER | Function.FROM
_NOTHING: Unit = (0, 0)
_ONLY_NOTHING = (_NOTHING,)
_MONTH_SECONDS = 30 * 86_400
_MINUTES = 60


def length_of(line: Line, number: Number, unit: Unit, end: int) -> Draft | None:
    """
    Read a length of time with its smaller units.

    Args:
        line: the text.
        number: how many of the unit.
        unit: what the number counts.
        end: index of the word after the unit.

    """
    rest, end = _rest(line, unit, end)
    # "One minute" is a moment; "ek din" is "one day" in a story.
    is_figure = unit in _MOMENTS or (unit == DAY and number.weak is not Weak.NO)
    if is_figure and number.values == (1,) and rest == _ONLY_NOTHING:
        return None
    values = tuple(_sum(_times(unit, value), extra) for value in number.values for extra in rest)
    role = _way(line, number.start, end)
    return Draft(
        ValueKind.DURATION, values, number.start, end, number=number, length=unit, role=role
    )


def indefinite_at(line: Line, start: int) -> Draft | None:
    """Read "an hour and a half", "in a week", "ساعة ونص" at the article or the unit."""
    word, place = line.words[start], start
    if word is not None and word.functions & Function.A:
        place += 1
        word = line.after[start]
    if word is None or word.many is not None or word.unit is None:
        return None
    rest, end = _rest(line, word.unit, place + 1)
    if rest == _ONLY_NOTHING:
        stated = place > start and (
            said(line.before[start], _BEFORE_A_LENGTH)
            or said(line.after[end - 1], Function.AGO | Function.LATER)
        )
        if not stated or word.unit in _MOMENTS or word.unit == DAY:
            return None
    number = Number(start, place + 1, (1,), Weak.NO, Tongue.ENGLISH)
    values = tuple(_sum(word.unit, extra) for extra in rest)
    role = _way(line, start, end)
    return Draft(ValueKind.DURATION, values, start, end, number=number, length=word.unit, role=role)


def one_ahead(line: Line, start: int) -> Draft | None:
    """Read "بعد ساعة", "قبل شهر" at the preposition."""
    word = None if line.is_latin(start) else line.after[start]
    if word is None or word.unit is None or not word.singular or word.article:
        return None
    rest, end = _rest(line, word.unit, start + 2)
    if rest == _ONLY_NOTHING and (word.unit in _MOMENTS or word.unit == DAY):
        return None
    number = Number(start + 1, start + 2, (1,), Weak.NO, Tongue.ARABIC)
    values = tuple(_sum(word.unit, extra) for extra in rest)
    role = _way(line, start + 1, end)
    return Draft(
        ValueKind.DURATION, values, start + 1, end, number=number, length=word.unit, role=role
    )


def one_behind(line: Line, start: int, word: Word) -> Draft | None:
    """Read "ساعة واحدة", "شهر واحد" at its number."""
    unit = line.before[start]
    if word.number != (1,) or word.tongue is not Tongue.ARABIC or unit is None:
        return None
    if unit.unit is None or not unit.singular:
        return None
    number = Number(start - 1, start + 1, (1,), Weak.NO, Tongue.ARABIC)
    return length_of(line, number, unit.unit, start + 1)


def _way(line: Line, start: int, end: int) -> Role | None:
    """Tell which way from now a length is counted: "3 days ago", "in 3 days", "3 din baad"."""
    after = line.after[end - 1]
    if said(after, Function.OF):  # 3 din ke baad
        after = line.after[end]
    if said(after, Function.AGO | Function.LATER):
        return Role.AGO if said(after, Function.AGO) else Role.LATER
    before = line.before[start]
    if before is None:
        return None
    arabic = not line.is_latin(start - 1)
    if said(before, Function.LAST | Function.SINCE | (Function.BEFORE if arabic else 0)):
        return Role.AGO
    if said(before, Function.NEXT | (Function.AFTER if arabic else Function.IN)):
        return Role.LATER
    return None


def _rest(line: Line, unit: Unit, end: int) -> tuple[tuple[Unit, ...], int]:
    """Read the smaller units and halves after a length: what they may add, the index after them."""
    half = _half_behind(line, end)
    if half is not None:
        return (_times(unit, half[0]),), half[1]
    total, last = _NOTHING, unit
    while (part := _more(line, last, end)) is not None:
        length, last, end = part
        total = _sum(total, length)
    if unit == HOUR and total == _NOTHING:
        return _bare_minutes(line, end)
    return (total,), end


def _half_behind(line: Line, index: int) -> tuple[float, int] | None:
    word = line.after[index - 1]
    if word is None:
        return None
    if word.joined and word.is_part:
        assert word.fraction is not None  # noqa: S101  # a part has a fraction
        return word.fraction[1], index + 1
    return part_behind(line, index) if word.functions & Function.AND else None


def _more(line: Line, unit: Unit, index: int) -> tuple[Unit, Unit, int] | None:
    """Read one more unit, smaller as a rule: its length, the unit, the index after it."""
    if line.at(index) is None or line.gap(index - 1) not in (" ", ", ", "", "; "):
        return None
    index = past_and(line, index)
    word = line.at(index)
    if word is None:
        return None
    if word.many is not None and word.unit is not None and word.unit != unit:
        return _times(word.unit, word.many), word.unit, index + 1
    number = number_at(line, index)
    if number is None:
        return None
    after = line.after[number.end - 1]
    if after is None or after.unit is None or after.many is not None or after.unit == unit:
        return None
    return _times(after.unit, number.values[0]), after.unit, number.end + 1


def _bare_minutes(line: Line, end: int) -> tuple[tuple[Unit, ...], int]:
    """Read "one hour thirty"; whether the number is minutes stays open."""
    number = number_at(line, past_and(line, end)) if line.after[end - 1] is not None else None
    if number is None or number.weak is not Weak.NO or not line.closes(number.end - 1):
        return _ONLY_NOTHING, end
    value = number.values[0]
    if value % 1 or not 1 <= value < _MINUTES:
        return _ONLY_NOTHING, end
    return (_NOTHING, (0, int(value) * _MINUTES)), number.end


def _times(unit: Unit, count: float) -> Unit:
    """Give a length; what is left of a month becomes days."""
    months, seconds = unit[0] * count, unit[1] * count
    whole = int(months)
    return whole, round(seconds + (months - whole) * _MONTH_SECONDS)


def _sum(one: Unit, other: Unit) -> Unit:
    return one[0] + other[0], one[1] + other[1]
