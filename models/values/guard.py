"""
The value guard: two texts that state different values of one kind are not interchangeable.

What only one side states is the judge's business. Values are compared as multisets: what both
sides have is paired off first, and what then stands alone on both sides contradicts.
"""

from collections.abc import Callable, Sequence

from models.values import same
from models.values.value import Value, ValueKind

_CALENDAR = frozenset({ValueKind.DATE, ValueKind.MONTH, ValueKind.YEAR})
_TIMES = frozenset({ValueKind.TIME, ValueKind.PART_OF_DAY})
#: Kinds that a bare number contradicts.
_AMOUNTS = frozenset({ValueKind.MONEY, ValueKind.IDENTIFIER})


def conflict(a: Sequence[Value], b: Sequence[Value]) -> ValueKind | None:
    """
    Name the kind in which two texts contradict each other, or None where none does.

    Args:
        a: what one text states, from `read`.
        b: what the other states.

    """
    if not a or not b:
        return None
    counted = _counted_otherwise(a, b)
    if counted is not None:
        return counted
    left, right = _unpaired(a, b)
    for one in left:
        for other in right:
            if _contradict(one, other):
                return one.kind
    return None


def _counted_otherwise(a: Sequence[Value], b: Sequence[Value]) -> ValueKind | None:
    """Compare what each side counts once: "2 adults 3 kids" is not "3 adults 2 kids"."""
    for one in a:
        if one.unit is None:
            continue
        mine = [value for value in a if value.unit == one.unit]
        theirs = [value for value in b if value.unit == one.unit]
        if len(mine) == len(theirs) == 1 and not one.canonical & theirs[0].canonical:
            return one.kind
    return None


def _unpaired(a: Sequence[Value], b: Sequence[Value]) -> tuple[list[Value], list[Value]]:
    """Pair off equal values, those of one kind first; give what is left of each side."""
    left, right = list(a), list(b)
    for equal in (same.identical, same.compatible, same.akin):
        partner = _matching(left, right, equal)
        paired = set(partner.values())
        left = [value for index, value in enumerate(left) if index not in paired]
        right = [value for index, value in enumerate(right) if index not in partner]
        if not left or not right:
            break
    return left, right


def _matching(
    left: list[Value], right: list[Value], equal: Callable[[Value, Value], bool]
) -> dict[int, int]:
    """Match as many pairs as possible; the index on the right to that on the left."""
    partner: dict[int, int] = {}

    def place(index: int, seen: set[int]) -> bool:
        for other, value in enumerate(right):
            if other not in seen and equal(left[index], value):
                seen.add(other)
                if other not in partner or place(partner[other], seen):
                    partner[other] = index
                    return True
        return False

    for index in range(len(left)):
        place(index, set())
    return partner


def _contradict(one: Value, other: Value) -> bool:
    """Tell whether two values that are not the same cannot stand in texts of one meaning."""
    if one.kind is other.kind:
        if one.kind is ValueKind.IDENTIFIER:
            return same.alike(one, other)
        return one.unit is None or other.unit is None or one.unit == other.unit
    kinds = {one.kind, other.kind}
    if kinds <= _CALENDAR or kinds == _TIMES:
        return True
    if ValueKind.NUMBER not in kinds or not kinds & _AMOUNTS:
        return False
    number, typed = (one, other) if one.kind is ValueKind.NUMBER else (other, one)
    return number.unit is None and not same.has_letters(typed)
