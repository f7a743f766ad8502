"""What the reader gives: values in canonical form."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum


class ValueKind(StrEnum):
    """What a value is; two values of different kinds rarely speak of the same thing."""

    #: A number or count: {5}; {2.5}. A count of something known names it in `unit`.
    NUMBER = "number"
    #: A position: {3}.
    ORDINAL = "ordinal"
    #: A clock time, minutes since midnight; two possibilities where no part of day is stated.
    TIME = "time"
    #: A part of the day: the parts that the word may mean, of {"dawn", "morning", …}.
    PART_OF_DAY = "part of day"
    #: A weekday, ISO number with its direction: {(1, "next"), (1, "last")} is any Monday.
    WEEKDAY = "weekday"
    #: Days from today: {1}; Hindi kal is {-1, 1}.
    RELATIVE_DAY = "relative day"
    #: A week, month or year counted from this one: {("week", 1)}.
    PERIOD = "period"
    #: A date, (year, month, day) with None where it is not said: {(None, 3, 5)}.
    DATE = "date"
    #: A month, as a date without a day.
    MONTH = "month"
    #: A year, as a date without month and day.
    YEAR = "year"
    #: A length of time, (months, seconds): {(0, 5400)}.
    DURATION = "duration"
    #: Money, (amount, currency code or None): {(500, "INR")}.
    MONEY = "money"
    #: A percentage: {50}.
    PERCENT = "percent"
    #: A measured quantity, (dimension, amount in its base unit): {("mass", 5000)} is 5 kg.
    MEASURE = "measure"
    #: Digits or a code that names something (a phone, an order), in lower case: {"98450"}.
    IDENTIFIER = "identifier"


class Role(StrEnum):
    """Which end of a stated range a value is, or which way a length of time is counted."""

    FROM = "from"
    TO = "to"
    AGO = "ago"
    LATER = "later"


@dataclass(frozen=True, slots=True)
class Value:
    """One value that a text states."""

    #: What it is.
    kind: ValueKind
    #: Every possibility that the words leave open, at least one.
    canonical: frozenset[Hashable]
    #: Where it stands in the text, [start, end) in characters.
    span: tuple[int, int]
    #: The end of a range ("from 5 to 7") or the way ("3 days ago"), where the words mark it.
    role: Role | None = None
    #: What is counted, where known ("adult", "room", "night").
    unit: str | None = None
