"""A deadline that is passed down: each step gets what is left of the budget."""

import time
from dataclasses import dataclass

from workers.errors import TooLate


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on the monotonic clock, so that a stepping wall clock moves nothing."""

    #: When it is over, seconds on `time.monotonic()`.
    at_s: float

    @classmethod
    def after(cls, budget_s: float) -> "Deadline":
        """Make the deadline that lies `budget_s` seconds from now."""
        return cls(time.monotonic() + budget_s)

    def left_s(self) -> float:
        """Seconds left, never negative."""
        return max(0.0, self.at_s - time.monotonic())

    @property
    def passed(self) -> bool:
        """Whether nothing is left."""
        return time.monotonic() >= self.at_s

    def check(self) -> None:
        """
        Raise where nothing is left.

        Raises:
            TooLate: the deadline has passed.

        """
        if self.passed:
            raise TooLate
