"""Knowledge-base entries for judges to read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry as a caller hands it over."""

    title: str = "Gold plan"
    content: str = "The Gold plan costs 30 pounds a month."
    category: str | None = None
    lang: str | None = None


def entry_of_level(level: int) -> Entry:
    """Make an entry to which the honest test server gives this level."""
    return Entry(content=f"An entry of level {level}.")
