"""When an utterance was received, how old it was then, and how long it still has."""

import time
from dataclasses import dataclass

from workers.deadline import Deadline

#: An utterance said this far in the future, or this long before its own record was written,
#: tells of a wrong clock and not of a late event, milliseconds.
_SKEW_MS = 1_000
_IMPLAUSIBLE_AGE_MS = 600_000


@dataclass(frozen=True, slots=True)
class Receipt:
    """The moment that a turn's budget counts from."""

    #: Wall clock, Unix epoch, milliseconds; for the event, never for durations.
    at_ms: int
    #: Monotonic clock, seconds.
    at_s: float
    #: Age at receipt by the utterance's own clock, or by its record's where that clock is wrong.
    age_ms: int
    #: The utterance's clock contradicts the record's.
    skewed: bool

    @property
    def elapsed_ms(self) -> float:
        """Time since receipt."""
        return (time.monotonic() - self.at_s) * 1e3

    def deadline(self, budget_ms: int) -> Deadline:
        """Return when the budget is used up."""
        return Deadline(self.at_s + budget_ms / 1e3)


def receive(*, said_at_ms: int, recorded_at_ms: int, received_at_s: float) -> Receipt:
    """
    Note the receipt of an utterance.

    Args:
        said_at_ms: the utterance's own time, Unix epoch.
        recorded_at_ms: the time of its Kafka record, Unix epoch.
        received_at_s: when the record came out of the broker, on the monotonic clock.

    """
    at_ms = int(time.time() * 1e3 - (time.monotonic() - received_at_s) * 1e3)
    age_ms = at_ms - said_at_ms
    in_the_future = age_ms < -_SKEW_MS
    long_before_its_record = recorded_at_ms - said_at_ms > _IMPLAUSIBLE_AGE_MS
    skewed = in_the_future or long_before_its_record
    if skewed:
        age_ms = at_ms - recorded_at_ms
    return Receipt(at_ms, received_at_s, max(0, age_ms), skewed)
