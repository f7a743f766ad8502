"""
What neighbouring values make of each other.

"5 to 7 days" counts days twice, "between 3 and 5 pm" is two times, "do teen din" are two or three
days, "8 to 10 tomorrow morning" has its part of day behind. Ends of a range get their role.
"""

from enum import Enum, auto

from models.values.draft import Draft
from models.values.liken import is_bare, is_digit, is_rough, liken, share
from models.values.line import Line, said
from models.values.parts import attach_parts
from models.values.value import Role, ValueKind
from models.values.word import Function, Weak, Word

#: Words between two ends of a range that say nothing of it.
_SILENT = (
    Function.AROUND
    | Function.AT
    | Function.BAJE
    | Function.DAY_AHEAD
    | Function.FROM
    | Function.HOUR_AHEAD
    | Function.IN
    | Function.OF
    | Function.ON
    | Function.THE
)
#: Values with more words between them are not joined.
_REACH = 5
#: How many words before the first of two values "between" may stand.
_BETWEEN_REACH = 3


class _Tie(Enum):
    """How two values are joined."""

    RANGE = auto()
    OR = auto()
    AND = auto()
    NEXT_TO = auto()


def link(line: Line, drafts: list[Draft]) -> list[Draft]:
    """Let neighbours complete each other, attach parts of day, and drop what stays uncertain."""
    if len(drafts) > 1:
        # From behind: in "3, 4 or 5 pm" the last one tells what they are.
        for index in range(len(drafts) - 2, -1, -1):
            tie = _tie(line, drafts[index], drafts[index + 1])
            if tie is not None:
                _join(drafts, index, tie)
        drafts = attach_parts(line, drafts)
    return [draft for draft in drafts if draft.weak is Weak.NO]


def _tie(line: Line, left: Draft, right: Draft) -> _Tie | None:
    if right.start > left.end:
        near = right.start - left.end <= _REACH
        return _tie_of_words(line, left, line.words[left.end : right.start]) if near else None
    if line.gap(left.end - 1).strip() == "-":
        return _Tie.RANGE if _is_written(line, left, right) else None
    first = line.words[right.start]
    if first is None or not line.near(left.end - 1):
        return None
    if first.joined:
        return _Tie.AND if _is_between(line, left) else None
    return _Tie.RANGE if first.preposition == "ل" else _Tie.NEXT_TO


def _is_written(line: Line, left: Draft, right: Draft) -> bool:
    """Tell whether a hyphen joins digits or names: between number words it is spelling."""
    words = (line.words[left.end - 1], line.words[right.start])
    return all(
        word is not None and (word.digits is not None or word.number is None) for word in words
    )


def _tie_of_words(line: Line, left: Draft, between: list[Word | None]) -> _Tie | None:
    found: _Tie | None = None
    for word in between:
        if word is None:
            return None
        tie = _joint(word)
        if tie is not None and found is None:
            found = tie
        elif not word.functions & _SILENT:
            return None
    return None if found is _Tie.AND and not _is_between(line, left) else found


def _joint(word: Word) -> _Tie | None:
    if word.functions & Function.TO:
        return _Tie.RANGE
    if word.functions & Function.OR:
        return _Tie.OR
    return _Tie.AND if word.functions & Function.AND and not word.number else None


def _is_between(line: Line, left: Draft) -> bool:
    """Tell whether "between" stands before the first of two values."""
    return any(
        said(line.at(left.start - back), Function.BETWEEN) for back in range(1, _BETWEEN_REACH + 1)
    )


def _join(drafts: list[Draft], index: int, tie: _Tie) -> None:
    """Make two joined values of one kind where one is a bare number, and give a range its ends."""
    left, right = drafts[index], drafts[index + 1]
    beside = tie is _Tie.NEXT_TO
    if left.kind is right.kind:
        if not beside or is_rough(left, right):
            share(left, right)
        if beside and is_digit(left) and is_digit(right):
            left.weak = right.weak = Weak.CONTEXT  # "five nine": a code, a range, a list
    elif is_bare(left) or _is_day(left, right):
        drafts[index] = left = liken(left, right, beside=beside)
    elif not beside and right.weak is Weak.NO and (is_bare(right) or _is_day(right, left)):
        drafts[index + 1] = right = liken(right, left, beside=False)
    if tie is _Tie.RANGE and left.kind is right.kind and not (left.role or right.role):
        left.role, right.role = Role.FROM, Role.TO


def _is_day(ordinal: Draft, date: Draft) -> bool:
    """Tell whether an ordinal may be the day of its neighbour: "ninth to eleventh of April"."""
    return ordinal.kind is ValueKind.ORDINAL and date.kind is ValueKind.DATE
