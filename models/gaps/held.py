"""Whether evidence holds a value of a draft: by what it is worth, in any script or language."""

from collections.abc import Hashable, Iterable

from models.values import Value, ValueKind
from models.values.same import same_phone

_CALENDAR = frozenset({ValueKind.DATE, ValueKind.MONTH, ValueKind.YEAR})
#: A place in an order may be read as a day of a month: "the third floor".
_POSITIONS = frozenset({ValueKind.ORDINAL, ValueKind.DATE, ValueKind.NUMBER})
#: Months of a year; seconds of a week, a day, an hour, a minute.
_YEAR = 12
_SECONDS = (604_800, 86_400, 3_600, 60)


def held(value: Value, evidence: Iterable[Value]) -> bool:
    """Tell whether some value of the evidence says at least what a draft's value says."""
    return any(says(other, value) for other in evidence)


def says(evidence: Value, draft: Value) -> bool:
    """
    Tell whether one value says at least what another says.

    What the evidence leaves open the draft may not fill in: "at 9" does not say "9 in the evening",
    and "5 March" names no year.
    """
    if evidence.kind in _CALENDAR and draft.kind in _CALENDAR:
        return _says_date(evidence, draft)
    if evidence.kind is not draft.kind:
        return _says_bare(evidence, draft)
    if None not in {evidence.unit, draft.unit} and evidence.unit != draft.unit:
        return False
    if evidence.canonical <= draft.canonical or evidence.canonical >= draft.canonical:
        wider = evidence.canonical > draft.canonical
        return not wider or draft.kind is not ValueKind.TIME
    if draft.kind is ValueKind.MONEY:
        return _amounts(evidence) == _amounts(draft) and _currency(draft) == {None}
    return draft.kind is ValueKind.IDENTIFIER and same_phone(evidence, draft)


def _says_date(evidence: Value, draft: Value) -> bool:
    return any(
        all(theirs is None or mine == theirs for mine, theirs in zip(one, other, strict=True))
        for one in evidence.canonical
        for other in draft.canonical
        if isinstance(one, tuple) and isinstance(other, tuple)
    )


def _says_bare(evidence: Value, draft: Value) -> bool:
    """Tell whether a bare number, or a position, is the number of a value of another kind."""
    if {evidence.kind, draft.kind} <= _POSITIONS and _numbers(evidence) & _numbers(draft):
        return ValueKind.DATE not in {evidence.kind, draft.kind} or _is_bare_day(evidence, draft)
    if draft.kind is ValueKind.NUMBER and draft.unit is None:
        return bool(_numbers(draft) & _numbers(evidence))
    if evidence.kind is ValueKind.NUMBER and draft.kind is ValueKind.IDENTIFIER:
        return bool(_numbers(draft) & _numbers(evidence))
    return False


def _is_bare_day(*values: Value) -> bool:
    """Tell whether a date among values is nothing but a position."""
    return all(
        value.kind is not ValueKind.DATE
        or all(isinstance(one, tuple) and one[:2] == (None, None) for one in value.canonical)
        for value in values
    )


def _numbers(value: Value) -> set[Hashable]:
    """Numbers that a value may be said with."""
    found: set[Hashable] = set()
    for one in value.canonical:
        if value.kind is ValueKind.DURATION and isinstance(one, tuple):
            found |= _counts(*one)
        elif value.kind is ValueKind.IDENTIFIER and isinstance(one, str):
            found |= {int(one)} if one.isdecimal() else set()
        elif value.kind is ValueKind.TIME and isinstance(one, int):
            found.add((one // 60 - 1) % 12 + 1)
        elif isinstance(one, tuple):
            found |= {part for part in one if isinstance(part, int | float)}
        else:
            found.add(one)
    return found


def _counts(months: float, seconds: float) -> set[Hashable]:
    found: set[Hashable] = {months, months / _YEAR} if months else set()
    return found | {seconds / unit for unit in _SECONDS if seconds}


def _amounts(value: Value) -> set[Hashable]:
    return {one[0] for one in value.canonical if isinstance(one, tuple)}


def _currency(value: Value) -> set[Hashable]:
    return {one[1] for one in value.canonical if isinstance(one, tuple)}
