"""A value that is still being read."""

from collections.abc import Hashable
from dataclasses import dataclass

from models.values.value import Role, ValueKind
from models.values.word import Tongue, Unit, Weak


@dataclass(slots=True)
class Number:
    """A number as its words say it."""

    #: Words [start, end) of the line.
    start: int
    end: int
    #: Possibilities, at least one.
    values: tuple[float, ...]
    #: Whether it may stand alone.
    weak: Weak
    #: Whose words.
    tongue: Tongue
    #: The last multiplier (lakh) and what it multiplied, for "7 to 9 lakh".
    scale: int = 0
    factor: float = 0
    #: As written, where it is one token of digits.
    digits: str | None = None


@dataclass(slots=True)
class Draft:
    """A value with what its neighbours may still change."""

    kind: ValueKind
    #: Possibilities.
    values: tuple[Hashable, ...]
    #: Words [start, end) of the line.
    start: int
    end: int
    #: Not certain unless a neighbour makes it so.
    weak: Weak = Weak.NO
    #: The number behind a bare number, a duration, money.
    number: Number | None = None
    #: Duration unit, for "5 to 7 days".
    length: Unit | None = None
    #: What is counted.
    counted: str | None = None
    role: Role | None = None
