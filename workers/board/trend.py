"""How often something was asked day by day, as a drawing of a few characters."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

#: Days that are drawn, today's included; gaps keep a day more.
DAYS = 30
#: Days of "this week".
WEEK = 7
#: A day's width, and the height of the highest, in the drawing's own units.
_STEP, _HEIGHT = 4, 24
#: Of a day's width, what its bar leaves free.
_BETWEEN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The last days of a gap."""

    #: All bars as one SVG path.
    path: str
    #: How often it was asked on the busiest day.
    peak: int
    #: That day, as 2026-11-30; empty where nothing was asked.
    peak_day: str
    #: How often it was asked in the last seven days.
    week: int
    #: How often it was asked on the days that are drawn.
    total: int

    width: int = DAYS * _STEP
    height: int = _HEIGHT


def trend(days: Mapping[str, int], today: date) -> Trend:
    """Draw the days up to today; each day that was asked at all has a bar that can be seen."""
    names = [(today - timedelta(days=back)).isoformat() for back in reversed(range(DAYS))]
    counts = [days.get(name, 0) for name in names]
    peak = max(counts)
    bars = [
        f"M{place * _STEP} {_HEIGHT}v{-_high(count, peak)}h{_STEP - _BETWEEN}V{_HEIGHT}z"
        for place, count in enumerate(counts)
        if count
    ]
    return Trend(
        path="".join(bars),
        peak=peak,
        peak_day=names[counts.index(peak)] if peak else "",
        week=sum(counts[-WEEK:]),
        total=sum(counts),
    )


def week_of(days: Mapping[str, int], today: date) -> int:
    """Count the last seven days."""
    return sum(days.get((today - timedelta(days=back)).isoformat(), 0) for back in range(WEEK))


def _high(count: int, peak: int) -> int:
    return max(2, round(_HEIGHT * count / peak))
