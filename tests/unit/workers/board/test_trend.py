"""The drawing of a trend."""

from datetime import date

import pytest

from workers.board.trend import DAYS, trend, week_of

TODAY = date(2026, 11, 30)


def test_each_day_that_was_asked_has_a_bar() -> None:
    """The highest bar is as high as the drawing, the lowest can be seen, and the rest has none."""
    found = trend({"2026-11-30": 100, "2026-11-29": 1, "2026-10-01": 999}, TODAY)

    assert found.path.count("M") == 2
    assert f"M{(DAYS - 1) * 4} 24v-24" in found.path
    assert f"M{(DAYS - 2) * 4} 24v-2" in found.path
    assert (found.peak, found.peak_day, found.total) == (100, "2026-11-30", 101)


def test_nothing_asked() -> None:
    """A gap without days draws nothing."""
    found = trend({}, TODAY)

    assert (found.path, found.peak, found.peak_day, found.week) == ("", 0, "", 0)


@pytest.mark.parametrize(
    ("day", "counted"), [("2026-11-24", 5), ("2026-11-23", 0), ("2026-12-01", 0)]
)
def test_a_week_is_seven_days(day, counted) -> None:
    """This week is today and the six days before; a clock that is ahead counts for nothing yet."""
    assert week_of({day: 5}, TODAY) == counted
    assert trend({day: 5}, TODAY).week == counted


def test_junk_days_are_passed_over() -> None:
    """A name that is no day has no place in the drawing."""
    assert trend({"<x>": 5, "": 2}, TODAY).path == ""
