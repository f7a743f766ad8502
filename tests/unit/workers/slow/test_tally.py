"""Tallies."""

from hypothesis import given
from hypothesis import strategies as st

from topics.gap import Tally
from workers.slow.tally import DAYS, added, day, once

_DAY_MS = 86_400_000
_TIMES = st.lists(st.integers(0, 20 * _DAY_MS), min_size=1, max_size=12)


@given(_TIMES, st.randoms())
def test_order_does_not_matter(times, random) -> None:
    """The same questions make the same tally, in whatever order and grouping they are added."""
    tallies = [once(at_ms) for at_ms in times]
    one = added(tallies[0], *tallies[1:])
    random.shuffle(tallies)
    other = tallies[0]
    for each in tallies[1:]:
        other = added(each, other)

    assert one == other
    assert one.count == sum(one.days.values()) == len(times)
    assert (one.first_seen_ms, one.last_seen_ms) == (min(times), max(times))


def test_old_days_leave_and_stay_counted() -> None:
    """The days are bounded; the whole count is not."""
    whole = added(*(once(number * _DAY_MS) for number in range(DAYS + 5)))

    assert len(whole.days) == DAYS
    assert whole.count == DAYS + 5
    assert min(whole.days) == "1970-01-06"


def test_day_is_of_utc() -> None:
    """Days change at midnight UTC."""
    assert (day(_DAY_MS - 1), day(_DAY_MS)) == ("1970-01-01", "1970-01-02")


def test_nothing_else_is_added() -> None:
    """A rest that is not there adds nothing."""
    one = Tally(count=2, first_seen_ms=1, last_seen_ms=5, days={"1970-01-01": 2})

    assert added(one, None) == one
