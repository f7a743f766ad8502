"""What a page of the backlog shows: filters, order and page, as they stand in its address."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Generic, TypeVar
from urllib.parse import urlencode

from topics.gap import Gap, GapReason, GapState
from workers.board.trend import week_of
from workers.gaps import chosen

#: Rows of one page.
PAGE = 50
#: Longest text that is searched for, characters.
_MAX_TEXT = 200
_NUMBER = re.compile("[1-9][0-9]{0,5}")
#: Stands for no filter where the usual one is another.
ANY = "any"

#: Orders by name, and how they are called.
ORDERS = {"reach": "most asked", "week": "most asked this week", "latest": "asked last"}

T = TypeVar("T")


class WrongQuery(Exception):
    """An address asks for what there is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One view of the backlog."""

    tenant: str = ""
    language: str = ""
    reason: str = ""
    state: str = GapState.OPEN.value
    order: str = "reach"
    text: str = ""
    page: int = 1

    def address(self, **changes: object) -> str:
        """Write it as the end of an address, with changes."""
        changed = replace(self, **changes)  # type: ignore[arg-type]
        usual = Query()
        return urlencode(
            {
                name: value
                for name in self.__slots__
                if (value := getattr(changed, name)) != getattr(usual, name)
            }
        )


def read_query(given: Mapping[str, str]) -> Query:
    """
    Read an address.

    Raises:
        WrongQuery: a state, reason, order or page that there is not.

    """
    query = Query(
        tenant=given.get("tenant", ""),
        language=given.get("language", ""),
        reason=given.get("reason", ""),
        state=given.get("state", "") or GapState.OPEN.value,
        order=given.get("order", "") or "reach",
        text=given.get("text", "").strip()[:_MAX_TEXT],
        page=read_page(given),
    )
    if query.state not in {ANY, *GapState}:
        raise WrongQuery("there is no such state")
    if query.reason not in {"", *GapReason}:
        raise WrongQuery("there is no such reason")
    if query.order not in ORDERS:
        raise WrongQuery("there is no such order")
    return query


def read_page(given: Mapping[str, str]) -> int:
    """
    Read the number of a page, from 1.

    Raises:
        WrongQuery: it is no number.

    """
    number = given.get("page", "") or "1"
    if not _NUMBER.fullmatch(number):
        raise WrongQuery("there is no such page")
    return int(number)


def select(gaps: Sequence[Gap], query: Query, today: date) -> list[Gap]:
    """Choose and order; the gaps come with the most asked first."""
    found = chosen(
        gaps,
        tenant_id=query.tenant or None,
        states=() if query.state == ANY else [GapState(query.state)],
        reasons=[GapReason(query.reason)] if query.reason else (),
        language=query.language or None,
    )
    if query.text:
        found = [gap for gap in found if mentions(gap, query.text)]
    if query.order == "week":
        found.sort(key=lambda gap: -week_of(gap.days, today))
    elif query.order == "latest":
        found.sort(key=lambda gap: -gap.last_seen_ms)
    return found


def mentions(gap: Gap, text: str) -> bool:
    """Tell whether a gap's id, questions or suggestion hold a text, however it is written."""
    wanted = _folded(text)
    title = () if gap.suggestion is None else (gap.suggestion.title,)
    held = any(wanted in _folded(one) for one in (*gap.examples, *title))
    return held or gap.gap_id.startswith(text)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list."""

    rows: Sequence[T]
    number: int
    pages: int
    #: Rows of all pages.
    found: int


def page_of(found: Sequence[T], number: int) -> Page[T]:
    """Cut a page out; beyond the last one is the last one."""
    pages = max(1, -(-len(found) // PAGE))
    number = min(number, pages)
    return Page(found[(number - 1) * PAGE : number * PAGE], number, pages, len(found))
