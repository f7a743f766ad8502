"""A gap's suggestion, made of its own wordings and the entries nearest to them."""

import asyncio
from collections.abc import Sequence

from models.gaps.suggest import Asked, suggest
from models.kb import Shown
from topics.gap import Gap, GapState, GapSuggestion
from workers.slow.gap import suggested

#: Longest content of a near entry that a suggestion reads, characters. Five of 4,000 took 4 s on a
#: busy core, for every new wording; an entry's first paragraphs say what it is about.
_CONTENT = 1_000


async def with_suggestion(gap: Gap, near: Sequence[Shown]) -> Gap:
    """Return a gap with a fresh suggestion; one that nobody is to write an entry for has none."""
    if gap.state is not GapState.OPEN or not gap.memory.members:
        return suggested(gap, None)
    return suggested(gap, await asyncio.to_thread(_suggestion, gap, near))


def _suggestion(gap: Gap, near: Sequence[Shown]) -> GapSuggestion | None:
    asked = [Asked(text=one.text, language=one.language) for one in gap.memory.members]
    made = suggest(asked, [_short(one) for one in near])
    if made is None:
        return None
    return GapSuggestion(
        title=made.title, questions=made.questions, quotes=made.quotes, blanks=made.blanks
    )


def _short(entry: Shown) -> Shown:
    return Shown(
        title=entry.title[:_CONTENT],
        content=entry.content[:_CONTENT],
        category=entry.category,
        lang=entry.lang,
    )
