"""
Entries and questions, read from JSONL.

An entry is `{"id", "tenant", "title", "content"}` with `lang`, `category` and `updated` (a date)
where known. A question is `{"id", "tenant", "question", "gold"}`: ids of the entries that each
answer it, or an empty list. It may bring its own `candidates`, `[{"id", "title", "content"}]` in
search order, and `answerable` in place of gold. Any other field of a question is a column to group
by; other fields of an entry are ignored, and so are blank lines.

A bad row stops the reading; the error names file and line and shows nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, TypeVar

from models.evaluation.line import WrongRow, object_of
from models.script_report import RowError
from topics.entry import KbEntry
from topics.question import CandidateEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

_KNOWN = {"id", "tenant", "question", "gold", "candidates", "answerable"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a caller asks, and what answers it."""

    id: str
    tenant: str
    #: User text: never logged.
    text: str
    #: Entries that each answer it; None where only `answerable` is known.
    gold: frozenset[str] | None
    #: Whether anything answers it.
    answerable: bool
    #: Its own candidates in search order; None where we search.
    candidates: tuple[CandidateEntry, ...] | None = None
    #: Everything else that its row says, by name.
    columns: dict[str, str] = field(default_factory=dict)


def read_entries(path: Path) -> list[KbEntry]:
    """
    Read a file of entries.

    Raises:
        RowError: a row is no entry, an entry is there twice, or there is none.
        OSError: the file cannot be read.
    """
    return _read(path, _entry, lambda entry: (entry.tenant_id, entry.entry_id))


def read_questions(path: Path, entries: Sequence[KbEntry] | None) -> list[Question]:
    """
    Read a file of questions.

    Args:
        path: the file.
        entries: those that are searched; None where every question brings its own candidates.

    Raises:
        RowError: a row is no question, one is there twice, there is none, or its gold is no entry
            of its tenant.
        OSError: the file cannot be read.
    """
    known = None if entries is None else {(one.tenant_id, one.entry_id) for one in entries}

    def parse(fields: dict[str, Any]) -> Question:
        question = _question(fields)
        if question.candidates is None:
            if known is None:
                raise WrongRow("no candidates, and there are no entries to search")
            if any((question.tenant, name) not in known for name in question.gold or ()):
                raise WrongRow("its gold is no entry of its tenant")
        return question

    return _read(path, parse, lambda question: question.id)


R = TypeVar("R")


def _read(path: Path, parse: Callable[[dict[str, Any]], R], name: Callable[[R], object]) -> list[R]:
    rows: dict[object, R] = {}
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            row = parse(object_of(line))
        except WrongRow as wrong:
            # The line may be what somebody said, so nothing that holds it may follow the error.
            raise RowError(path, number, str(wrong)) from None
        if rows.setdefault(name(row), row) is not row:
            raise RowError(path, number, "its id is there already")
    if not rows:
        raise RowError(path, 1, "no rows in this file")
    return list(rows.values())


def _entry(fields: dict[str, Any]) -> KbEntry:
    return KbEntry(
        tenant_id=_text(fields, "tenant"),
        entry_id=_text(fields, "id"),
        title=_text(fields, "title"),
        content=_text(fields, "content"),
        category=_optional(fields, "category"),
        lang=_optional(fields, "lang"),
        updated_at_ms=_day(fields),
    )


def _question(fields: dict[str, Any]) -> Question:
    candidates = _candidates(fields)
    gold = _gold(fields)
    answerable = fields.get("answerable")
    if answerable is not None and not isinstance(answerable, bool):
        raise WrongRow("field 'answerable' is neither true nor false")
    if gold is None and answerable is None:
        raise WrongRow("neither 'gold' nor 'answerable'")
    if answerable is False and gold:
        raise WrongRow("not answerable, and yet there is gold")
    if gold is not None and not gold and answerable is True:
        gold = None  # answered by what has no name here
    return Question(
        id=_text(fields, "id"),
        tenant=_text(fields, "tenant") if candidates is None else _optional(fields, "tenant") or "",
        text=_text(fields, "question"),
        gold=gold,
        answerable=bool(gold) if answerable is None else answerable,
        candidates=candidates,
        columns=dict(_columns(fields)),
    )


def _gold(fields: dict[str, Any]) -> frozenset[str] | None:
    gold = fields.get("gold")
    if gold is None:
        return None
    if not isinstance(gold, list) or not all(isinstance(name, str) for name in gold):
        raise WrongRow("field 'gold' is no list of ids")
    return frozenset(gold)


def _candidates(fields: dict[str, Any]) -> tuple[CandidateEntry, ...] | None:
    found = fields.get("candidates")
    if found is None:
        return None
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise WrongRow("field 'candidates' is no list of entries")
    return tuple(
        CandidateEntry(
            entry_id=_text(one, "id"),
            title=_optional(one, "title") or "",
            content=_text(one, "content"),
            category=_optional(one, "category"),
            lang=_optional(one, "lang"),
        )
        for one in found
    )


def _columns(fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if name not in _KNOWN and isinstance(value, str | int | float):
            yield name, str(value)


def _day(fields: dict[str, Any]) -> int | None:
    updated = _optional(fields, "updated")
    if updated is None:
        return None
    try:
        midnight = datetime.combine(date.fromisoformat(updated), time(), UTC)
    except ValueError:
        raise WrongRow("field 'updated' is no date") from None
    return int(midnight.timestamp() * 1e3)


def _text(fields: dict[str, Any], name: str) -> str:
    text = fields.get(name)
    if not isinstance(text, str):
        raise WrongRow(f"no text in field {name!r}")
    return text


def _optional(fields: dict[str, Any], name: str) -> str | None:
    return None if fields.get(name) is None else _text(fields, name)
