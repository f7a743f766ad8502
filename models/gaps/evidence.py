"""The evidence for a draft, cut once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from models.gaps.clause import Clause, Word, clauses, segments
from models.values import Value


@dataclass(frozen=True, slots=True)
class Evidence:
    """All texts that a draft may draw on."""

    clauses: tuple[Clause, ...]
    #: Each clause with its segments.
    parts: tuple[tuple[Clause, Clause], ...]
    words: tuple[Word, ...]
    values: tuple[Value, ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Cut raw texts."""
        found = [clause for at, text in enumerate(texts) for clause in clauses(text, at)]
        return cls(
            clauses=tuple(found),
            parts=tuple((clause, part) for clause in found for part in segments(clause)),
            words=tuple(word for clause in found for word in clause.words),
            values=tuple(value for clause in found for value in clause.values),
        )
