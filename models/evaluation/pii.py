"""
How well masking finds marked personal data: for `turngate eval pii`.

A marked span is found where masking takes at least `OVERLAP` of its characters, whatever kind it
takes it for; a masked span is right where at least as much of it is marked. A row is named by its
number in the file, never by its text.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

# At run time too: msgspec reads the types of the fields.
from models.masking import Kind, Span, mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

#: Share of a span's characters that the other side must hold.
OVERLAP = 0.8
#: Kinds that are not made of digits and letters that name somebody or something.
_WORDS = frozenset({Kind.NAME, Kind.ADDRESS, Kind.EMAIL})


class MarkedSpan(msgspec.Struct, frozen=True, array_like=False):
    """Characters [start, end) of a text that are personal data."""

    start: int
    end: int
    type: Kind


class PiiRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a caller said, and the personal data in it."""

    #: User text: never logged.
    text: str
    #: In order, without overlaps; empty where nothing may be masked.
    spans: tuple[MarkedSpan, ...]
    language: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        """Refuse spans that are out of the text, empty, or over one another."""
        end = 0
        for span in self.spans:
            if not end <= span.start < span.end <= len(self.text):
                raise ValueError("spans are out of the text or out of order")
            end = span.end


@dataclass(slots=True)
class _Tally:
    """Counts of some rows, or of the spans of one kind."""

    rows: int = 0
    marked: int = 0
    found: int = 0
    same_kind: int = 0
    masked: int = 0
    right: int = 0
    leaked: int = 0
    clean: int = 0
    over: int = 0
    #: Row numbers where something leaked.
    leaks: set[int] = field(default_factory=set)

    def measures(self) -> dict[str, Any]:
        found = {
            "spans": self.marked,
            "recall": _share(self.found, self.marked),
            "right_type": _share(self.same_kind, self.found),
            "leaked_characters": self.leaked,
        }
        if self.rows:
            found |= {
                "rows": self.rows,
                "precision": _share(self.right, self.masked),
                "clean_lines": self.clean,
                "over_masked_lines": _share(self.over, self.clean),
            }
        return found


def measure_pii(
    rows: Iterable[tuple[int, PiiRow]],
    find: Callable[[str], Sequence[Span]] = lambda text: mask(text).spans,
) -> dict[str, Any]:
    """
    Mask every row and compare.

    Args:
        rows: rows with the number by which each is named.
        find: the spans of a text; the masking of the slow path by default.

    Returns:
        Recall and precision of spans, recall of the kinds made of digits, leaked characters
        (marked, not masked, spaces not counted), the share of rows without personal data that are
        touched, the same by kind and language, and the numbers of rows that leak or are touched.
    """
    whole, digits = _Tally(), _Tally()
    kinds: defaultdict[str, _Tally] = defaultdict(_Tally)
    languages: defaultdict[str, _Tally] = defaultdict(_Tally)
    touched = []
    for number, row in rows:
        spans = find(row.text)
        own = (whole, languages[row.language or "unknown"])
        for tally in own:
            _count_row(tally, row, spans)
        if spans and not row.spans:
            touched.append(number)
        for span in row.spans:
            by_kind = (kinds[span.type.value], *((digits,) if span.type not in _WORDS else ()))
            for tally in (*own, *by_kind):
                _count_span(tally, number, row.text, span, spans)
    return whole.measures() | {
        "digit_recall": _share(digits.found, digits.marked),
        "digit_spans": digits.marked,
        "by_type": {name: tally.measures() for name, tally in sorted(kinds.items())},
        "by_lang": {name: tally.measures() for name, tally in sorted(languages.items())},
        "leaks": {
            name: sorted(tally.leaks) for name, tally in sorted(kinds.items()) if tally.leaks
        },
        "over_masked": touched,
    }


def _count_row(tally: _Tally, row: PiiRow, spans: Sequence[Span]) -> None:
    tally.rows += 1
    tally.clean += not row.spans
    tally.over += bool(spans) and not row.spans
    tally.masked += len(spans)
    marked = _characters(row.text, row.spans)
    for span in spans:
        own = _characters(row.text, (span,))
        tally.right += len(own & marked) >= OVERLAP * len(own)


def _count_span(
    tally: _Tally, number: int, text: str, span: MarkedSpan, spans: Sequence[Span]
) -> None:
    own = _characters(text, (span,))
    left = own - _characters(text, spans)
    tally.marked += 1
    tally.leaked += len(left)
    if left:
        tally.leaks.add(number)
    if len(own) - len(left) >= OVERLAP * len(own):
        tally.found += 1
        same = _characters(text, [one for one in spans if one.kind is span.type])
        tally.same_kind += len(own & same) >= OVERLAP * len(own)


def _characters(text: str, spans: Iterable[Span | MarkedSpan]) -> set[int]:
    """Places of the characters of spans; a space says nothing of anybody."""
    places = (place for span in spans for place in range(span.start, span.end))
    return {place for place in places if not text[place].isspace()}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
