"""The number grammar: words and digits that make one number, in four languages."""

from dataclasses import replace
from typing import Final

from models.values.draft import Number
from models.values.line import Line, said
from models.values.number_sum import NumberSum, whole
from models.values.word import Function, Tongue, Weak, Word

__all__ = ["number_at", "part_behind", "whole"]

_HUNDRED: Final = 100
_NINE: Final = 9
#: "three quarters", "one quarter", "two thirds".
_PARTS_COUNTED: Final = {0.25: (1, 3), 1 / 3: (1, 2)}


def number_at(line: Line, start: int) -> Number | None:
    """Read the number that begins at a word; None where none does."""
    if start in line.numbers:
        return line.numbers[start]
    number = line.numbers[start] = _read(line, start)
    return number


def part_behind(line: Line, index: int) -> tuple[float, int] | None:
    """Read "and a half", "and three quarters" at its "and"; the part and the index after it."""
    times: float = 1
    place = index + 1
    word = line.after[index]
    if said(word, Function.A):
        word = line.after[place]
        place += 1
    elif word is not None and word.number is not None and word.number[0] in (1, 2, 3):
        times = word.number[0]
        word = line.after[place]
        place += 1
        if word is None or word.fraction is None or word.fraction[0] != "part":
            return None
    if word is None or word.fraction is None or not word.is_part:
        return None
    return times * word.fraction[1], place + 1


def _read(line: Line, start: int, *, after_point: bool = False) -> Number | None:
    word = line.words[start]
    if word is None or not (after_point or _may_begin(line, start, word)):
        return None
    after = line.after[start]
    if word.number is not None and word.fraction is None and not (after and after.continues):
        return _lone(line, start, word, word.number)
    if word.number is not None and len(word.number) > 1 and not _combines(after):
        return Number(start, start + 1, word.number, word.weak, word.tongue)
    if word.teen_head is not None and after is not None and after.teen and not after.joined:
        return Number(start, start + 2, (10 + word.teen_head,), Weak.NO, Tongue.ARABIC)
    return _summed(line, start, word)


def _summed(line: Line, start: int, word: Word) -> Number | None:
    total = NumberSum()
    index = start + 1 if word.functions & Function.MINUS else start
    first = line.words[index]
    if first is None or not total.take(_sense(line, index, first), joined=False):
        return None
    index = _extend(line, total, index + 1)
    if total.shape is not None or (total.collides and not line.hinglish):
        return None
    end = _decimals(line, total, _parts(line, total, index))
    values = total.values()
    if word.functions & Function.MINUS or _is_signed(line, start, word):
        values = tuple(-value for value in values)
    weak = Weak.NO if total.parts > 1 and total.weak is Weak.CONTEXT else total.weak
    digits = word.digits if end == start + 1 else None
    return Number(start, end, values, weak, total.tongue, total.scale, total.factor, digits)


def _lone(line: Line, start: int, word: Word, values: tuple[float, ...]) -> Number | None:
    """Make a number of one word, the most frequent case."""
    if word.weak is Weak.COLLIDES and not line.hinglish:
        return None
    if _is_signed(line, start, word):
        values = tuple(-value for value in values)
    return Number(start, start + 1, values, word.weak, word.tongue, digits=word.digits)


def _may_begin(line: Line, start: int, word: Word) -> bool:
    if word.functions & (Function.PERCENT | Function.HUNDREDTHS):
        return False
    if word.number is None and word.multiplier is None and word.fraction is None:
        after = line.after[start]
        if word.teen_head is not None:
            return after is not None and after.teen
        return bool(word.functions & Function.MINUS) and after is not None
    before = line.before[start]
    if said(before, Function.POINT) or _is_half(before):
        return False  # point 77; "half ten" is half past to some
    is_give = word.weak is not Weak.NO and word.number == (2,)
    return not (is_give and said(before, Function.STEM))


def _is_half(word: Word | None) -> bool:
    if word is None or word.fraction is None or word.tongue is not Tongue.ENGLISH:
        return False
    return word.fraction[0] == "half"


def _combines(word: Word | None) -> bool:
    return word is not None and (word.multiplier is not None or word.number is not None)


def _sense(line: Line, index: int, word: Word) -> Word:
    """Choose between four and a quarter (ربع), three and a third (تلت) by what follows."""
    if word.fraction is None or word.number is None:
        return word
    after = line.after[index]
    hundreds = after is not None and after.multiplier == _HUNDRED
    third = word.number == (3,) and after is not None and not after.singular
    return replace(word, fraction=None) if hundreds or third else replace(word, number=None)


def _is_signed(line: Line, start: int, word: Word) -> bool:
    """Tell whether a minus sign is written onto the first digits of a text, or onto degrees."""
    place = line.starts[start] - 1
    if word.digits is None or place < 0 or line.text[place] != "-":
        return False
    after = line.after[start]
    is_degrees = after is not None and (after.measure is not None or said(after, Function.PERCENT))
    return place == 0 or (is_degrees and line.text[place - 1] == " ")


def _extend(line: Line, total: NumberSum, index: int) -> int:
    """Take every word that continues the number; give the index after it."""
    while (word := line.after[index - 1]) is not None:
        if word.suffix is not None and total.parts == 1 and not line.gap(index - 1):
            total.current = (total.current or 0) * word.suffix
            return index + 1
        if word.functions & Function.AND and word.number is None:
            after = line.after[index]
            if after is None or not _joins(total, after) or not total.take(after, joined=True):
                return index
            index += 2
            continue
        if word.joined and total.tongue is not Tongue.ARABIC:
            return index
        if not total.take(word, joined=word.joined):
            return index
        index += 1
    return index


def _joins(total: NumberSum, word: Word) -> bool:
    """Tell whether "and" before a word continues the number: after hundreds, and in Arabic."""
    if word.number is None and word.multiplier is None:
        return False
    if total.tongue is Tongue.ARABIC:
        return word.tongue is Tongue.ARABIC or word.digits is not None
    if total.tongue is not Tongue.ENGLISH or total.last is None:
        return False
    small = word.number is not None and word.number[0] < _HUNDRED
    return small and total.last.multiplier is not None


def _parts(line: Line, total: NumberSum, index: int) -> int:
    """Take "and a half", "ونص", "three quarters"; give the index after them."""
    word = line.after[index - 1]
    if word is None or total.last is None or total.last.fraction is not None:
        return index
    if word.fraction is not None and word.number is None:
        if word.joined:
            total.add_part(word.fraction[1])
            return index + 1
        counted = total.parts == 1 and total.current in _PARTS_COUNTED.get(word.fraction[1], ())
        part = word.fraction[0] == "part" and word.tongue is not Tongue.ARABIC
        if part and counted and total.current is not None:
            total.current *= word.fraction[1]
            return index + 1
    if not word.functions & Function.AND:
        return index
    behind = part_behind(line, index)
    if behind is None:
        return index
    total.add_part(behind[0])
    return behind[1]


def _decimals(line: Line, total: NumberSum, index: int) -> int:
    """Take "point five"; give the index after it."""
    if not said(line.after[index - 1], Function.POINT) or total.current is None or total.scale:
        return index
    decimals = ""
    place = index
    while (word := line.after[place]) is not None and word.number is not None:
        number = _read(line, place + 1, after_point=True)
        if number is None or number.values[0] % 1 or (number.values[0] > _NINE and decimals):
            break
        decimals += number.digits or str(int(number.values[0]))
        place = number.end - 1
        if number.values[0] > _NINE:  # point twenty five
            break
    if not decimals.isdecimal():
        return index
    total.current = float(f"{int(total.current)}.{decimals}")
    word = line.after[place]
    if word is not None and word.multiplier is not None and total.take(word, joined=False):
        place += 1
    return place + 1
