"""What a judge may see of an entry: an allowlist, not an entry with fields taken out."""

from dataclasses import dataclass
from typing import Protocol


class HasText(Protocol):
    """An entry or a candidate, whatever else it holds."""

    @property
    def title(self) -> str:
        """What it is about."""

    @property
    def content(self) -> str:
        """What it says."""

    @property
    def category(self) -> str | None:
        """Where it belongs."""

    @property
    def lang(self) -> str | None:
        """Language of the content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that ever reaches a judge; a new field of an entry does not arrive here by itself."""

    #: What the entry is about.
    title: str
    #: What it says.
    content: str
    #: Where it belongs.
    category: str | None
    #: Language of the content, as a BCP 47 tag.
    lang: str | None


def shown(entry: HasText) -> Shown:
    """Show a judge an entry."""
    return Shown(title=entry.title, content=entry.content, category=entry.category, lang=entry.lang)
