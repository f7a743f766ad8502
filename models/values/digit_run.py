"""Numbers said digit by digit or in groups: "nine eight double four", "98765 43210"."""

from typing import NamedTuple

from models.values.line import Line
from models.values.number import number_at
from models.values.word import Function, Word

#: What may part the groups of a long number.
_BETWEEN_GROUPS = frozenset({", ", "; ", ",", " - ", ". "})
#: Groups in digits are one number from this many digits on.
_MIN_GROUPED = 6
#: Single digits are, from this many on.
_MIN_DIGITS = 3
#: Two groups with a hyphen are, from this many on.
_MIN_HYPHENED = 9
_PAIR = 2
_MANY = 3
_THOUSANDS = 3
#: Nobody reads out more; what follows is a number of its own.
_MAX_ITEMS = 24
#: Longest group that is not a number of its own.
_MAX_GROUP = 999


class Run(NamedTuple):
    """Digits, and the index of the word after them."""

    digits: str
    end: int


class _Item(NamedTuple):
    digits: str
    end: int
    #: In digits, not in words.
    written: bool = False
    #: By "double", "triple".
    repeated: bool = False


def run_at(line: Line, start: int) -> Run | None:
    """Read the run of digits that begins at a word; None where there is no such run."""
    if not _goes_on(line, start):
        return None
    items: list[_Item] = []
    index = start
    commas = False
    while index < len(line.words) and len(items) < _MAX_ITEMS:
        item = _item(line, index, first=not items)
        if item is None:
            break
        items.append(item)
        index = item.end
        if not line.near(index - 1):
            if line.gap(index - 1) not in _BETWEEN_GROUPS:
                break
            commas = True
    if not items or _is_count(line.after[items[-1].end - 1]):
        return None
    digits = "".join(item.digits for item in items)
    if len(items) == 1 and not items[0].repeated:
        return None
    if commas and (len(digits) < _MIN_GROUPED or len(items) < _MANY):
        return None
    return Run(digits, items[-1].end) if _is_run(line, items, commas=commas) else None


def _goes_on(line: Line, start: int) -> bool:
    """Tell whether digits may follow the first ones, cheaply: most numbers stand alone."""
    word = line.words[start]
    if word is None or word.repeat is not None:
        return word is not None
    number = number_at(line, start)
    following = None if number is None else line.at(number.end)
    return following is not None and (
        following.number is not None
        or following.spoken_digit is not None
        or following.repeat is not None
    )


def _is_run(line: Line, items: list[_Item], *, commas: bool) -> bool:
    """Tell whether items are one number and no list, range or pair of counts."""
    total = sum(len(item.digits) for item in items)
    if not all(item.written for item in items):
        several = len(items) >= _MANY or any(item.repeated for item in items)
        return several and total >= _MIN_DIGITS
    if all(len(item.digits) == 1 for item in items) and not commas:
        return total >= _MIN_DIGITS
    return total >= _MIN_GROUPED and _is_grouped(line, items)


def _is_grouped(line: Line, items: list[_Item]) -> bool:
    first = items[0].digits
    if len(items) == _PAIR and line.gap(items[0].end - 1).strip() == "-":  # 2014-2018 is a range
        return first[0] == "0" or len(first) + len(items[1].digits) >= _MIN_HYPHENED
    thousands = len(items) > _PAIR and all(len(item.digits) == _THOUSANDS for item in items[1:])
    return len(first) > _PAIR or first[0] == "0" or len(items) > _MANY or thousands


def _item(line: Line, index: int, *, first: bool) -> _Item | None:
    word = line.words[index]
    if word is None:
        return None
    if word.repeat is not None:
        digit = _digit(line.after[index])
        return None if digit is None else _Item(digit * word.repeat, index + 2, repeated=True)
    if word.digits is not None:
        return _Item(word.digits, index + 1, written=True) if word.digits.isdecimal() else None
    if word.spoken_digit is not None:
        return None if first else _Item(str(word.spoken_digit), index + 1)
    number = number_at(line, index)
    if number is None or number.values[0] % 1 or number.scale:
        return None
    value = int(number.values[0])
    return _Item(str(value), number.end) if 0 <= value <= _MAX_GROUP else None


def _digit(word: Word | None) -> str | None:
    if word is None:
        return None
    if word.spoken_digit is not None:
        return str(word.spoken_digit)
    is_digit = word.number is not None and word.number[0] in range(10)
    return str(int(word.number[0])) if is_digit and word.number is not None else None


def _is_count(word: Word | None) -> bool:
    """Tell whether what follows makes the last item a count: "two three days"."""
    if word is None:
        return False
    senses = (word.unit, word.counted, word.currency, word.measure, word.multiplier, word.month)
    if word.meridiem is not None or any(sense is not None for sense in senses):
        return True
    return bool(word.functions & (Function.BAJE | Function.PERCENT | Function.OCLOCK))
