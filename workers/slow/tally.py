"""How often something was asked: tallies add up, in any order, to the same."""

from collections.abc import Mapping
from datetime import UTC, datetime

from topics.gap import Tally

#: Days whose counts are kept; older ones are in the whole count only.
DAYS = 31


def once(at_ms: int) -> Tally:
    """Tally one question."""
    return Tally(count=1, first_seen_ms=at_ms, last_seen_ms=at_ms, days={day(at_ms): 1})


def added(one: Tally, *others: Tally | None) -> Tally:
    """Add tallies up."""
    every = [one, *(other for other in others if other is not None)]
    days: dict[str, int] = {}
    for tally in every:
        for name, count in tally.days.items():
            days[name] = days.get(name, 0) + count
    return Tally(
        count=sum(tally.count for tally in every),
        first_seen_ms=min(tally.first_seen_ms for tally in every),
        last_seen_ms=max(tally.last_seen_ms for tally in every),
        days=_latest(days),
    )


def day(at_ms: int) -> str:
    """Name a moment's day, UTC."""
    return datetime.fromtimestamp(at_ms / 1e3, tz=UTC).date().isoformat()


def _latest(days: Mapping[str, int]) -> dict[str, int]:
    return {name: days[name] for name in sorted(days)[-DAYS:]}
