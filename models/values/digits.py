"""Tokens that begin with a digit: numbers, clock times, dates and fractions as written."""

import re

from models.values.word import Tongue, Word

#: 1,000 and 1,00,000; other commas may be decimal or part a list.
_GROUPED = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_HOURS = 24
_MINUTES = 60
_PAIR = 2
_LONGEST_MONTH = 31
#: Years below are written in two digits.
_SHORT_YEARS = 100
_CENTURY = 2000
#: Two-digit years from here are of the last century.
_PIVOT = 70


def digit_word(token: str) -> Word:
    """
    Read a token that begins with a digit.

    The tokeniser gives it plain digits, grouped digits (1,20,000), decimals, h:mm(:ss), dates
    of three parts and pairs such as 22/04.
    """
    if token.isdecimal():
        return _SMALL.get(token) or _plain(token)
    if ":" in token:
        return _clock(token)
    for separator in "/-":
        if separator in token:
            return _parts([int(part) for part in token.split(separator)])
    if token.count(".") > 1:
        return _parts([int(part) for part in token.split(".")])
    if "," in token and not _GROUPED.fullmatch(token):
        return _NOTHING
    value = float(f"0{token.replace(',', '')}")
    number = int(value) if value == int(value) else value
    return Word(opens=True, continues=True, number=(number,), digits=token)


def is_date(month: int, day: int) -> bool:
    """Tell whether a month has such a day in some year."""
    return day >= 1 and day <= _LENGTHS.get(month, 0)


def _plain(token: str) -> Word:
    return Word(opens=True, continues=True, number=(int(token),), digits=token)


def _clock(token: str) -> Word:
    hour, minute, *_ = (int(part) for part in token.split(":"))
    if hour > _HOURS or minute >= _MINUTES:
        return _NOTHING
    return Word(opens=True, clock=(hour, minute))


def _parts(parts: list[int]) -> Word:
    if len(parts) == _PAIR:
        if parts[0] >= _SHORT_YEARS:  # 2026-11
            parts.reverse()
        return Word(opens=True, pair=(parts[0], parts[1]))
    first, middle, last = parts
    if first > _LONGEST_MONTH:  # 2026-05-04
        dates = _dates(first, ((middle, last),))
    else:
        dates = _dates(last, ((middle, first), (first, middle)))
        if last < _SHORT_YEARS:  # the year may stand first
            dates += _dates(first, ((middle, last),))
    return Word(opens=True, dates=dates) if dates else _NOTHING


def _dates(year: int, months_days: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int, int], ...]:
    if year < _SHORT_YEARS:
        year += _CENTURY if year < _PIVOT else _CENTURY - _SHORT_YEARS
    return tuple((year, month, day) for month, day in months_days if is_date(month, day))


_LENGTHS = dict(zip(range(1, 13), (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), strict=True))
_NOTHING = Word(tongue=Tongue.DIGITS)
_SMALL = {str(value): _plain(str(value)) for value in range(100)}
