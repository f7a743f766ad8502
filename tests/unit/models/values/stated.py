"""Short words for the values that a text should state, to write tables with."""

from collections.abc import Hashable

from models.values import ValueKind, read

Stated = tuple[ValueKind, frozenset[Hashable]]

RUPEES = ("INR", "PKR")
DOLLARS = ("USD", "CAD", "AUD")
POUNDS = ("EGP", "GBP")
RIYALS = ("SAR", "QAR", "OMR", "YER")
DIRHAMS = ("AED", "MAD")
EUROS = ("EUR",)


def stated(text: str) -> list[Stated]:
    """Read a text, without places, roles and counted things."""
    return [(value.kind, value.canonical) for value in read(text)]


def number(*values: float) -> Stated:
    return ValueKind.NUMBER, frozenset(values)


def ordinal(value: int) -> Stated:
    return ValueKind.ORDINAL, frozenset({value})


def at(*clocks: str) -> Stated:
    """A clock time, "17:30"."""
    return ValueKind.TIME, frozenset(_minutes(clock) for clock in clocks)


def half(clock: str) -> Stated:
    """A clock time of which nobody said the half of the day, "5:30"."""
    minutes = _minutes(clock) % 720
    return ValueKind.TIME, frozenset({minutes, minutes + 720})


def _minutes(clock: str) -> int:
    hour, minute = clock.split(":")
    return int(hour) * 60 + int(minute)


def part(*names: str) -> Stated:
    return ValueKind.PART_OF_DAY, frozenset(names)


MORNING = part("dawn", "morning")
NOON = part("noon", "afternoon")
EVENING = part("evening")
NIGHT = part("night")
TONIGHT = part("evening", "night")


def weekday(day: int, *ways: str) -> Stated:
    return ValueKind.WEEKDAY, frozenset((day, way) for way in ways or ("next", "last"))


def day(*offsets: int) -> Stated:
    return ValueKind.RELATIVE_DAY, frozenset(offsets)


def period(name: str, way: int) -> Stated:
    names = ("week", "weekend") if name == "weekend" else (name,)
    return ValueKind.PERIOD, frozenset((name, way) for name in names)


def date(day: int, month: int | None = None, year: int | None = None) -> Stated:
    return ValueKind.DATE, frozenset({(year, month, day)})


def month(number: int, year: int | None = None) -> Stated:
    return ValueKind.MONTH, frozenset({(year, number, None)})


def year(number: int) -> Stated:
    return ValueKind.YEAR, frozenset({(number, None, None)})


def length(
    *, months: int = 0, days: float = 0, hours: float = 0, minutes: float = 0, seconds: int = 0
) -> Stated:
    total = round(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
    return ValueKind.DURATION, frozenset({(months, total)})


def money(amount: float, codes: tuple[str | None, ...]) -> Stated:
    return ValueKind.MONEY, frozenset((amount, code) for code in codes)


def percent(value: float) -> Stated:
    return ValueKind.PERCENT, frozenset({value})


def measure(dimension: str, amount: float) -> Stated:
    return ValueKind.MEASURE, frozenset({(dimension, amount)})


def code(text: str) -> Stated:
    return ValueKind.IDENTIFIER, frozenset({text})
