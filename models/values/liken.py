"""Bare numbers that become what their neighbour is: the five of "5 to 7 days"."""

from collections.abc import Hashable
from dataclasses import replace

from models.values.draft import Draft
from models.values.hour import minutes
from models.values.value import ValueKind
from models.values.word import Weak

#: Largest number that an approximation such as "do teen din" uses.
_MAX_ROUGH = 100
#: Multipliers from here on are shared: "7 to 9 lakh".
_SHARED_SCALE = 1000
_NOON = 12
_TEN = 10
_HOUR = 60
_LONGEST_MONTH = 31

Values = tuple[Hashable, ...]


def is_bare(draft: Draft) -> bool:
    """Tell whether a value is a number that nothing counts."""
    is_number = draft.kind in (ValueKind.NUMBER, ValueKind.IDENTIFIER)
    return is_number and draft.counted is None and draft.number is not None


def is_digit(draft: Draft) -> bool:
    """Tell whether a value is a bare number of one digit."""
    number = draft.number
    return is_bare(draft) and number is not None and 0 <= number.values[0] < _TEN


def is_rough(left: Draft, right: Draft) -> bool:
    """Tell whether two adjacent numbers are one approximation: small, rising a little, alike."""
    if left.number is None or right.number is None:
        return False
    if (left.number.digits is None) is not (right.number.digits is None):
        return False
    low, high = left.number.values[0], right.number.values[0]
    return low < high <= min(_MAX_ROUGH, 2 * low + 1)


def share(left: Draft, right: Draft) -> None:
    """Let a bare number have the multiplier and the counted thing of the one it is joined to."""
    if not is_bare(left) or left.number is None or right.number is None:
        return
    if left.number.scale == 0 and _takes_scale(left.number.values, right):
        left.values = tuple(value * right.number.scale for value in left.number.values)
    if right.counted is not None:
        left.counted = right.counted
        left.weak = Weak.NO


def liken(bare: Draft, other: Draft, *, beside: bool) -> Draft:
    """Make a bare number what its neighbour is, where that is possible."""
    if bare.number is None or (beside and not _is_approximation(bare, other)):
        return bare
    values = bare.number.values
    if other.number is not None and _takes_scale(values, other):
        values = tuple(value * other.number.scale for value in values)
    made = _as_kind(values, other)
    if made is None:
        return bare
    return replace(
        bare,
        kind=other.kind,
        values=made,
        weak=Weak.NO,
        length=other.length,
        counted=other.counted,
        role=None,
    )


def _takes_scale(values: tuple[float, ...], other: Draft) -> bool:
    number = other.number
    return number is not None and number.scale >= _SHARED_SCALE and values[0] < number.factor


def _is_approximation(bare: Draft, other: Draft) -> bool:
    """Tell whether "5 6 baje" or "do teen din" is one."""
    if bare.start > other.start or bare.number is None or other.kind is ValueKind.DATE:
        return False
    if other.kind is not ValueKind.TIME:
        return is_rough(bare, other)
    minute = min(value for value in other.values if isinstance(value, int))
    hour = minute // _HOUR % _NOON or _NOON
    return minute % _HOUR == 0 and bare.number.values[0] + 1 == hour


def _as_kind(values: tuple[float, ...], other: Draft) -> Values | None:
    first = values[0]
    if other.kind is ValueKind.TIME:
        return minutes(int(first), 0) if first % 1 == 0 and 0 < first <= _NOON else None
    if other.kind is ValueKind.PERCENT:
        return values
    if other.kind is ValueKind.DURATION and other.length is not None:
        months, seconds = other.length
        return tuple((int(value * months), int(value * seconds)) for value in values)
    if other.kind is ValueKind.DATE:
        return _as_day(first, other)
    return _as_pairs(values, other)


def _as_day(value: float, other: Draft) -> Values | None:
    if value % 1 or not 1 <= value <= _LONGEST_MONTH:
        return None
    return tuple((date[0], date[1], int(value)) for date in other.values if isinstance(date, tuple))


def _as_pairs(values: tuple[float, ...], other: Draft) -> Values | None:
    """Give the numbers the currency or the dimension of their neighbour."""
    pairs = [pair for pair in other.values if isinstance(pair, tuple)]
    if other.kind is ValueKind.MONEY:
        return tuple((value, code) for value in values for _, code in pairs)
    if other.kind is not ValueKind.MEASURE or other.number is None or not other.number.values[0]:
        return None
    dimension, amount = pairs[0]
    size = amount / other.number.values[0]
    return tuple((dimension, value * size) for value in values)
