"""
One training pair and how it is written to disk.

A row says whether two utterances are interchangeable as the caller's turn, where the pair
comes from, and which keys decide its split.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

#: Variants that texts are written in, and the language that each is reported under.
LANGUAGE_OF = {
    "en": "en",
    "hi": "hi",
    "hinglish": "hinglish",
    "ar-EG": "ar",
    "ar-MSA": "ar",
    "ar-Gulf": "ar",
    "ar-LEV": "ar",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One labelled pair."""

    #: What the caller said.
    a: str
    #: What was predicted.
    b: str
    #: 1 when the reply prepared for one may be played to the other, else 0.
    label: int
    #: Module that made the row.
    layer: str
    #: What the pair tests, such as "negation" or "time".
    kind: str
    #: Variant of each side, a key of `LANGUAGE_OF`.
    language_a: str
    language_b: str
    #: Keys whose splits must agree: surfaces, items, frames, values.
    group: tuple[str, ...]
    #: Set or file that the texts come from.
    source: str
    #: How much the pair counts in the loss; severe confusions count more.
    weight: float = 1.0

    def reversed(self) -> "Row":
        """Return the pair in the other order."""
        return replace(
            self, a=self.b, b=self.a, language_a=self.language_b, language_b=self.language_a
        )


def languages(row: Row) -> str:
    """Return "en" for a pair in one language, "ar+en" for a crossed pair."""
    sides = {LANGUAGE_OF[row.language_a], LANGUAGE_OF[row.language_b]}
    return "+".join(sorted(sides))


def to_json(row: Row) -> bytes:
    """Return the row as one JSON object; `kind` is written as "class"."""
    return orjson.dumps(
        {
            "a": row.a,
            "b": row.b,
            "label": row.label,
            "layer": row.layer,
            "class": row.kind,
            "language_a": row.language_a,
            "language_b": row.language_b,
            "group": list(row.group),
            "source": row.source,
            "weight": row.weight,
        }
    )


def from_json(raw: bytes | str) -> Row:
    """
    Return the row that `to_json` wrote.

    Raises:
        KeyError: a field is missing.
    """
    fields = orjson.loads(raw)
    return Row(
        a=fields["a"],
        b=fields["b"],
        label=fields["label"],
        layer=fields["layer"],
        kind=fields["class"],
        language_a=fields["language_a"],
        language_b=fields["language_b"],
        group=tuple(fields["group"]),
        source=fields["source"],
        weight=fields["weight"],
    )


def write_rows(path: Path, rows: Iterable[Row]) -> int:
    """Write one JSON object a line and return the number of rows."""
    count = 0
    with path.open("wb") as file:
        for row in rows:
            file.write(to_json(row) + b"\n")
            count += 1
    return count


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a file that `write_rows` wrote."""
    with path.open("rb") as file:
        for line in file:
            yield from_json(line)
