"""Money: "500 rupees", "Rs 500", "عشرين ريال وخمسة وعشرين هللة"."""

from models.values.draft import Draft, Number
from models.values.line import Line, past_and, said
from models.values.number import number_at, whole
from models.values.value import ValueKind
from models.values.word import Currency, Function, Tongue, Weak, Word

Codes = tuple[str | None, ...]
#: Small change is below this part of the unit.
_SMALL_UNITS = 100


def money_of(line: Line, number: Number, currency: Currency, end: int) -> Draft | None:
    """
    Read an amount before its currency.

    Args:
        line: the text.
        number: the amount.
        currency: codes and the part of the unit.
        end: index of the word after the currency.

    """
    codes, size = currency
    if size < 1 and number.weak is not Weak.NO:
        return None  # paise do: give money
    country = line.after[end - 1]
    # In Latin letters the country stands before; "us" behind a price is people.
    if country is not None and country.country is not None and not line.is_latin(end):
        codes, end = country.country, end + 1
    return _drafted(line, number, number.start, end, (codes, size))


def money_before(line: Line, start: int, word: Word) -> Draft | None:
    """Read a currency before its number: "Rs 500", "$20", "usd 15"; or a dual: "جنيهين"."""
    assert word.currency is not None  # noqa: S101  # the caller looked
    if word.many is not None:
        dual = Number(start, start + 1, (word.many,), Weak.NO, Tongue.ARABIC)
        return _drafted(line, dual, start, start + 1, word.currency)
    number = (
        None if line.after[start] is None or word.currency[1] < 1 else number_at(line, start + 1)
    )
    # "rupaye do": give money.
    if number is None or (number.tongue is not Tongue.DIGITS and not number.scale):
        return None
    after = line.after[number.end - 1]
    if after is not None:
        if after.unit is not None or after.counted is not None:
            return None
        if after.currency is not None and not belongs_ahead(line, number.end):
            return None
    return _drafted(line, number, start, number.end, word.currency)


def change_after_one(line: Line, start: int) -> Draft | None:
    """Read "a dollar and 42 cents", "درهم وخمسين فلس" at the article or the currency."""
    word, place = line.words[start], start
    if word is not None and word.functions & Function.A:
        place += 1
        word = line.after[start]
    if word is None or word.currency is None or word.currency[1] != 1 or word.many is not None:
        return None
    codes = word.currency[0]
    change = _small_change(line, place + 1, codes)
    if change is None:
        return None
    values = tuple((whole(1 + change[0]), code) for code in codes)
    return Draft(ValueKind.MONEY, values, start, change[1])


def belongs_ahead(line: Line, index: int) -> bool:
    """Tell whether a currency is written onto the number after it: the second of "$10-$20"."""
    word = line.after[index]
    return word is not None and word.digits is not None and not line.gap(index)


def _drafted(line: Line, number: Number, start: int, end: int, currency: Currency) -> Draft:
    codes, size = currency
    extras, end = _change_behind(line, end, codes) if size == 1 else ((0.0,), end)
    values = tuple(
        (whole(value * size + extra), code)
        for value in number.values
        for extra in extras
        for code in codes
    )
    return Draft(ValueKind.MONEY, values, start, end, number=number)


def _change_behind(line: Line, end: int, codes: Codes) -> tuple[tuple[float, ...], int]:
    """Read the small change after an amount; "20 dollars 43" leaves open whether 43 is some."""
    small = _small_change(line, end, codes)
    if small is not None:
        return (small[0],), small[1]
    number = number_at(line, past_and(line, end)) if line.after[end - 1] is not None else None
    if number is None or number.weak is not Weak.NO or not line.closes(number.end - 1):
        return (0.0,), end
    value = number.values[0]
    if value % 1 or not 0 < value < _SMALL_UNITS:
        return (0.0,), end
    return (0.0, value / _SMALL_UNITS), number.end


def _small_change(line: Line, index: int, codes: Codes) -> tuple[float, int] | None:
    """Read "and fifty cents", "وخمسين قرش"; the part of the unit and the index after it."""
    if line.after[index - 1] is None:
        return None
    number = number_at(line, past_and(line, index))
    unit = None if number is None else line.after[number.end - 1]
    if number is None or unit is None or unit.currency is None or unit.currency[1] >= 1:
        return None
    if not set(unit.currency[0]) & set(codes):
        return None
    return number.values[0] * unit.currency[1], number.end + 1


def is_cent(word: Word | None) -> bool:
    """Tell whether a word is small change, as in "per cent"."""
    return word is not None and word.currency is not None and word.currency[1] < 1


def is_percent(line: Line, index: int) -> int:
    """Give how many words at an index say percent; 0 where they say something else."""
    word = line.words[index]
    if said(word, Function.PERCENT):
        return 1
    if said(word, Function.PER) and is_cent(line.after[index]):
        return 2
    if said(word, Function.IN) and said(line.after[index], Function.HUNDREDTHS):
        return 2
    return 0
