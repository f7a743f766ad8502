"""Questions whose answer is there and was not found, by the entry that holds it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from topics.codec import encode
from topics.reviewed import ReviewedItem
from workers.gaps_export import line, when
from workers.slow.tally import day

#: Questions of one entry that are shown, the latest.
EXAMPLES = 6
#: Columns of the table, in order.
COLUMNS = ("tenant_id", "entry_id", "rank", "reviewed_at", "question", "call_id", "seq")


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """One entry that search did not bring, and what callers asked."""

    tenant_id: str
    entry_id: str
    count: int
    last_ms: int
    days: dict[str, int]
    #: Different questions, the latest first.
    examples: Sequence[str]
    #: Its best and its worst place in our own search, from 1; None where it was never there.
    best: int | None
    worst: int | None
    #: How often it was not even there.
    nowhere: int


def by_entry(items: Iterable[ReviewedItem], *, tenant: str = "") -> list[Missed]:
    """Group questions by entry, the most often missed first; the items come latest first."""
    grouped: defaultdict[tuple[str, str], list[ReviewedItem]] = defaultdict(list)
    for item in items:
        if not tenant or item.tenant_id == tenant:
            grouped[(item.tenant_id, item.entry_id or "")].append(item)
    found = [_missed(tenant_id, entry_id, of) for (tenant_id, entry_id), of in grouped.items()]
    return sorted(found, key=lambda one: (-one.count, -one.last_ms, one.entry_id))


def _missed(tenant_id: str, entry_id: str, items: Sequence[ReviewedItem]) -> Missed:
    days: defaultdict[str, int] = defaultdict(int)
    for item in items:
        days[day(item.reviewed_at_ms)] += 1
    places = [item.rank + 1 for item in items if item.rank is not None]
    return Missed(
        tenant_id=tenant_id,
        entry_id=entry_id,
        count=len(items),
        last_ms=items[0].reviewed_at_ms,
        days=dict(days),
        examples=tuple(dict.fromkeys(item.masked_question for item in items))[:EXAMPLES],
        best=min(places, default=None),
        worst=max(places, default=None),
        nowhere=len(items) - len(places),
    )


def table(items: Iterable[ReviewedItem]) -> Iterator[str]:
    """Give the lines of a CSV file, its columns named first."""
    yield line(COLUMNS)
    for item in items:
        rank = "" if item.rank is None else item.rank
        at = when(item.reviewed_at_ms)
        cells = (item.tenant_id, item.entry_id or "", rank, at, item.masked_question)
        yield line((*cells, item.call_id, item.seq))


def jsonl(items: Iterable[ReviewedItem]) -> Iterator[str]:
    """Give one line of JSON a question."""
    for item in items:
        yield encode(item).decode() + "\n"
