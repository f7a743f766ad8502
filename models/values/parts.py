"""Parts of the day beside clock times: they settle which eight o'clock is meant."""

from models.values.draft import Draft
from models.values.line import Line, said
from models.values.value import Role, ValueKind
from models.values.word import Function

#: Words between a time and its part of day that say nothing of either.
_SILENT = (
    Function.AT
    | Function.ON
    | Function.IN
    | Function.THE
    | Function.THIS
    | Function.OF
    | Function.HOUR_AHEAD
    | Function.AROUND
    | Function.DAY_AHEAD
    | Function.FROM
    | Function.BAJE
    | Function.OPENS_CLAUSE
)
#: Values that may stand between a time and its part of day.
_DAYS = frozenset({ValueKind.RELATIVE_DAY, ValueKind.WEEKDAY, ValueKind.DATE})
_HOUR = 60
_DAY = 1440


def attach_parts(line: Line, drafts: list[Draft]) -> list[Draft]:
    """Settle the half of the day of each time that has a part of day beside it."""
    used: set[int] = set()
    for index, draft in enumerate(drafts):
        if draft.kind is not ValueKind.TIME:
            continue
        found = _part_beside(line, drafts, index)
        if found is not None and not _one_of_several(line, drafts, found):
            used.add(found)
            _settle(line, draft, drafts[found])
            if draft.role is Role.TO and index and drafts[index - 1].kind is ValueKind.TIME:
                _settle(line, drafts[index - 1], drafts[found])
    return [draft for index, draft in enumerate(drafts) if index not in used]


def _one_of_several(line: Line, drafts: list[Draft], index: int) -> bool:
    """Tell whether "in the morning and at night" leaves open which part a time has."""
    for left, right in ((index - 1, index), (index, index + 1)):
        if left < 0 or right >= len(drafts) or drafts[left].kind is not drafts[right].kind:
            continue
        between = line.words[drafts[left].end : drafts[right].start]
        if all(word is not None and word.functions for word in between):
            return True
    return False


def _part_beside(line: Line, drafts: list[Draft], index: int) -> int | None:
    """Find the part of day next to a time, past days and little words; behind it first."""
    for step in (1, -1):
        place = index + step
        while 0 <= place < len(drafts):
            if not _quiet(line, drafts[min(place, place - step)], drafts[max(place, place - step)]):
                break
            if drafts[place].kind is ValueKind.PART_OF_DAY:
                return place
            if drafts[place].kind not in _DAYS:
                break
            place += step
    return None


def _quiet(line: Line, left: Draft, right: Draft) -> bool:
    """Tell whether only little words stand between two values."""
    return all(said(word, _SILENT) for word in line.words[left.end : right.start])


def _settle(line: Line, time: Draft, part: Draft) -> None:
    """Keep the possibilities of a time that lie in a part of the day."""
    word = line.words[part.start]
    if word is None or word.hours is None or len(time.values) == 1:
        return
    first, last = word.hours[0] * _HOUR, word.hours[1] * _HOUR - 1
    inside = tuple(
        value
        for value in time.values
        if isinstance(value, int) and (first <= value <= last or first <= value + _DAY <= last)
    )
    if len(inside) == 1:
        time.values = inside
