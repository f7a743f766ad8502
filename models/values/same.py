"""When two values may be the same: of one kind, of kindred kinds, in other forms."""

from collections.abc import Callable, Hashable

from models.values.value import Role, Value, ValueKind

_CALENDAR = frozenset({ValueKind.DATE, ValueKind.MONTH, ValueKind.YEAR})
#: Kinds whose number may be said without what makes it of that kind: "class 10", "at 5".
_NUMERIC = frozenset(
    {
        ValueKind.IDENTIFIER,
        ValueKind.ORDINAL,
        ValueKind.MONEY,
        ValueKind.YEAR,
        ValueKind.TIME,
        ValueKind.DATE,
        ValueKind.MEASURE,
        ValueKind.DURATION,
        ValueKind.PERCENT,
    }
)
_ENDS = frozenset({Role.FROM, Role.TO})
_WAYS = frozenset({Role.AGO, Role.LATER})
_HALF_DAY = 720
_HOUR = 60
#: When a time may be called by a part of day, minutes since midnight; looser than for reading.
_PART_MINUTES: dict[Hashable, tuple[tuple[int, int], ...]] = {
    "dawn": ((120, 480),),
    "morning": ((180, 780),),
    "noon": ((660, 900),),
    "afternoon": ((690, 1140),),
    "evening": ((900, 1410),),
    "night": ((1050, 1440), (0, 330)),
}
#: A month and thirty days, a year and 365: lengths in other units are equal within this share.
_ROUGH_LENGTH = 0.1
_MONTH_SECONDS = 2_629_800
#: Telephones agree in this many last digits, whatever the prefix.
_PHONE_DIGITS = 9


def identical(one: Value, other: Value) -> bool:
    """Tell whether two values are said to be the very same."""
    return one.kind is other.kind and one.canonical == other.canonical and one.role == other.role


def compatible(one: Value, other: Value) -> bool:
    """Tell whether two values of one kind, or a time and a part of day, may be the same."""
    if _opposed(one.role, other.role):
        return False
    if one.kind in _CALENDAR and other.kind in _CALENDAR:
        return _dates_agree(one, other)
    if one.kind is not other.kind:
        return _time_in_part(one, other)
    if one.canonical & other.canonical:
        return True
    agree = _OTHER_FORMS.get(one.kind)
    return agree is not None and agree(one, other)


def akin(one: Value, other: Value) -> bool:
    """Tell whether a bare number is the number of a value of another kind."""
    number, typed = (one, other) if one.kind is ValueKind.NUMBER else (other, one)
    if number.kind is not ValueKind.NUMBER or typed.kind not in _NUMERIC:
        return False
    return any(
        _holds(typed.kind, value, count) for value in typed.canonical for count in number.canonical
    )


def alike(one: Value, other: Value) -> bool:
    """Tell whether two identifiers are of one make: digits, or letters in the same places."""
    return _makes(one) == _makes(other)


def has_letters(value: Value) -> bool:
    """Tell whether an identifier has letters."""
    return any(isinstance(code, str) and not code.isdecimal() for code in value.canonical)


def _opposed(one: Role | None, other: Role | None) -> bool:
    if one is None or other is None or one is other:
        return False
    return {one, other} in (_ENDS, _WAYS)


def _holds(kind: ValueKind, value: Hashable, number: Hashable) -> bool:
    if kind is ValueKind.IDENTIFIER:
        return isinstance(value, str) and value.isdecimal() and int(value) == number
    if kind is ValueKind.TIME:
        return isinstance(value, int) and value % _HALF_DAY // _HOUR == number
    return value == number or (isinstance(value, tuple) and number in value)


def _makes(value: Value) -> set[str]:
    return {
        "0" if code.isdecimal() else "".join("0" if letter.isdecimal() else "a" for letter in code)
        for code in value.canonical
        if isinstance(code, str)
    }


def _dates_agree(one: Value, other: Value) -> bool:
    return any(
        all(mine is None or theirs is None or mine == theirs for mine, theirs in pairs)
        for x in one.canonical
        for y in other.canonical
        if isinstance(x, tuple) and isinstance(y, tuple)
        for pairs in (tuple(zip(x, y, strict=True)),)
    )


def _time_in_part(one: Value, other: Value) -> bool:
    if {one.kind, other.kind} != {ValueKind.TIME, ValueKind.PART_OF_DAY}:
        return False
    time, part = (one, other) if one.kind is ValueKind.TIME else (other, one)
    spans = [span for name in part.canonical for span in _PART_MINUTES[name]]
    return any(
        isinstance(minute, int) and start <= minute <= end
        for minute in time.canonical
        for start, end in spans
    )


def _lengths_agree(one: Value, other: Value) -> bool:
    """Compare a length in months with one in days."""
    for x in one.canonical:
        for y in other.canonical:
            if not isinstance(x, tuple) or not isinstance(y, tuple) or bool(x[0]) == bool(y[0]):
                continue
            mine, theirs = (x[0] * _MONTH_SECONDS + x[1]), (y[0] * _MONTH_SECONDS + y[1])
            if abs(mine - theirs) <= _ROUGH_LENGTH * max(mine, theirs):
                return True
    return False


def same_phone(one: Value, other: Value) -> bool:
    """Tell whether two identifiers end in the same digits, as one telephone does."""
    ends = [
        {
            code[-_PHONE_DIGITS:]
            for code in value.canonical
            if isinstance(code, str) and code.isdecimal() and len(code) >= _PHONE_DIGITS
        }
        for value in (one, other)
    ]
    return bool(ends[0] & ends[1])


def _unnamed_currency(one: Value, other: Value) -> bool:
    """Tell whether amounts agree where one side names no currency ("500 bucks")."""
    return any(
        x[0] == y[0] and (x[1] is None or y[1] is None)
        for x in one.canonical
        for y in other.canonical
        if isinstance(x, tuple) and isinstance(y, tuple)
    )


#: How values of one kind that are not equal may still agree.
_OTHER_FORMS: dict[ValueKind, Callable[[Value, Value], bool]] = {
    ValueKind.DURATION: _lengths_agree,
    ValueKind.IDENTIFIER: same_phone,
    ValueKind.MONEY: _unnamed_currency,
}
