"""What a number counts: money, percentages, lengths of time, measures, people and things."""

from models.values.draft import Draft, Number
from models.values.length import length_of
from models.values.line import Line, said
from models.values.money import belongs_ahead, is_percent, money_of
from models.values.number import whole
from models.values.value import ValueKind
from models.values.word import Function, Tongue, Weak, Word

#: What callers order by number, so that "one" before them is no article.
_ONE_OF = frozenset(
    ("adult", "child", "room", "ticket", "seat", "bed", "night", "plate", "piece", "bhk")
)
_SILENT = Function.A | Function.OF | Function.THE
_BEFORE_REFERRED = Function.NUMBER_SIGN | Function.OPENS_CLAUSE | Function.OF
#: "A hundred times" is often.
_MANY = 100
#: Digits from this many on name something when nothing counts them; fewer after "order", "otp".
_MIN_IDENTIFIER = 5
_MIN_REFERENCE = 3
#: How many words "order", "otp" may stand before their number.
_REFERENCE_REACH = 3


def amount_at(line: Line, number: Number) -> Draft:
    """Read what follows a number; a bare number where nothing does."""
    end = number.end
    word = line.after[end - 1]
    if _is_decade(line, word, end):
        return Draft(
            ValueKind.NUMBER, number.values, number.start, end + 1, Weak.CONTEXT, counted="decade"
        )
    last = line.words[end - 1]
    if last is not None and last.is_part:  # half an hour
        while said(word, _SILENT):
            end += 1
            word = line.after[end - 1]
    if said(word, Function.FILLER):  # two more minutes
        after = line.after[end]
        if after is not None and (after.unit is not None or after.counted is not None):
            word, end = after, end + 1
    counted = None if word is None else _counted(line, number, word, end)
    return _bare(line, number) if counted is None else counted


def dual_at(line: Line, start: int, word: Word) -> Draft | None:
    """Read a dual: "ساعتين", "شخصين"."""
    assert word.many is not None  # noqa: S101  # the caller looked
    number = Number(start, start + 1, (word.many,), Weak.NO, Tongue.ARABIC)
    if word.unit is not None:
        return length_of(line, number, word.unit, start + 1)
    return _things(number, word.counted, start + 1) if word.counted is not None else None


def _is_decade(line: Line, word: Word | None, end: int) -> bool:
    """Tell whether "s", "seventies", के दशक follow: no number that could be compared."""
    if word is None:
        return line.gap(end - 1) == "'" and said(line.at(end), Function.DECADE)
    if word.functions & Function.OF:
        word = line.after[end]
    return said(word, Function.DECADE)


def _counted(line: Line, number: Number, word: Word, end: int) -> Draft | None:
    """Read the word after a number as what it counts."""
    percent = is_percent(line, end)
    if percent:
        last = end + percent
        return Draft(ValueKind.PERCENT, number.values, number.start, last, number=number)
    money = _money(line, number, word, end)
    if money is not None:
        return money
    return None if word.joined or word.many is not None else _measured(line, number, word, end)


def _measured(line: Line, number: Number, word: Word, end: int) -> Draft | None:
    unit = word.unit
    if unit is None and not line.gap(end - 1):
        unit = word.unit_suffix
    if unit is not None:
        return length_of(line, number, unit, end + 1)
    if word.measure is not None:
        dimension, size = word.measure
        values = tuple((dimension, whole(value * size)) for value in number.values)
        return Draft(ValueKind.MEASURE, values, number.start, end + 1, number=number)
    if word.counted is None or word.article:
        return None
    if number.weak is not Weak.NO and _is_figure(number.values[0], word.counted):
        return None
    return _things(number, word.counted, end + 1)


def _is_figure(value: float, counted: str) -> bool:
    """Tell whether a weak number is an article (ek alarm) or a figure of speech (सौ बार)."""
    return (value == 1 and counted not in _ONE_OF) or (value >= _MANY and counted == "time")


def _money(line: Line, number: Number, word: Word, end: int) -> Draft | None:
    if word.currency is not None and word.many is None and not belongs_ahead(line, end):
        return money_of(line, number, word.currency, end + 1)
    after = line.after[end]
    if word.country is not None and after is not None and after.currency is not None:
        return money_of(line, number, (word.country, after.currency[1]), end + 2)
    return None


def _things(number: Number, counted: str, end: int) -> Draft:
    return Draft(ValueKind.NUMBER, number.values, number.start, end, number=number, counted=counted)


def _bare(line: Line, number: Number) -> Draft:
    """Read a number that nothing counts; an identifier where it is long or named by "order"."""
    digits = number.digits
    if digits is not None and digits.isdecimal() and number.values[0] >= 0:
        needed = _MIN_REFERENCE if _referred(line, number.start) else _MIN_IDENTIFIER
        if len(digits) >= needed or (digits[0] == "0" and len(digits) >= _MIN_REFERENCE):
            return Draft(ValueKind.IDENTIFIER, (digits,), number.start, number.end, number=number)
    weak = number.weak
    after = line.after[number.end - 1]
    if after is not None and after.pair is not None:
        weak = max(weak, Weak.CONTEXT)  # 1 4/5
    return Draft(ValueKind.NUMBER, number.values, number.start, number.end, weak, number=number)


def _referred(line: Line, start: int) -> bool:
    """Tell whether "order", "otp", "رقم الطلب" stand before a number."""
    for back in range(1, _REFERENCE_REACH + 1):
        word = line.at(start - back)
        if said(word, Function.REFERENCE):
            return True
        if not said(word, _BEFORE_REFERRED):
            return False
    return False
