"""Codes of letters and digits, such as an order number: "AB1234", "5G"."""

from models.values.draft import Draft
from models.values.line import Line
from models.values.value import ValueKind
from models.values.word import Function, Weak, Word

#: Letters that may be a unit, a million or litres when they are written onto digits.
_UNSURE_ENDS = "mlcpxs"


def code_at(line: Line, index: int) -> Draft | None:
    """Read the code that holds a token of digits; None where letters do not touch it."""
    start, end = index, index + 1
    before = line.before[index]
    if before is not None and before.measure is not None and not line.gap(index - 1):
        return Draft(ValueKind.NUMBER, (0,), index, end, Weak.CONTEXT)  # km2
    while start > 0 and not line.gap(start - 1) and _joins_before(line, start - 1):
        start -= 1
    while end < len(line.words) and not line.gap(end - 1):
        if end == index + 1 and not _joins_behind(line, end):
            break
        end += 1
    if end == start + 1:
        return None
    text = line.text[line.starts[start] : line.ends[end - 1]]
    sure = (
        text.isascii()
        and text.isalnum()
        and not (text[:-1].isdecimal() and text[-1] in _UNSURE_ENDS)
    )
    weak = Weak.NO if sure else Weak.CONTEXT
    return Draft(ValueKind.IDENTIFIER, (text,), start, end, weak)


def _joins_before(line: Line, index: int) -> bool:
    """Tell whether letters before digits are no currency, month or other word of a value."""
    word = line.words[index]
    if word is None:
        return line.text[line.starts[index]].isalpha()
    return not _has_sense(word)


def _joins_behind(line: Line, index: int) -> bool:
    """Tell whether letters written onto digits are no unit, ending or multiplier."""
    word = line.words[index]
    if word is None:
        return line.text[line.starts[index]].isalpha()
    if word.functions == Function.MERIDIEM_M:
        return True  # 3m: million, minutes, metres
    following = line.after[index]
    if word.unit_suffix is not None and following is not None and following.digits is not None:
        return not line.gap(index)  # 8h30
    return not _has_sense(word)


def _has_sense(word: Word) -> bool:
    return (
        word.opens
        or word.functions != 0
        or word.unit is not None
        or word.unit_suffix is not None
        or word.measure is not None
        or word.counted is not None
        or word.suffix is not None
        or word.meridiem is not None
        or word.country is not None
    )
