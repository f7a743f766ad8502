"""How well the classifier of unanswered questions does: for `turngate eval classify`."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from models.gaps.reasons import REASONS, Classified, Reason


class ReasonRow(msgspec.Struct, frozen=True):
    """A question that no entry answered, and why; the suite calls the fields `text` and `class`."""

    #: User text: never logged.
    question: str = ""
    text: str = ""
    reason: Reason | None = None
    kind: Reason | None = msgspec.field(name="class", default=None)
    #: Whose caller asked; None where it is not known.
    tenant: str | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        """Refuse a row without question or reason."""
        if not self.asked.strip() or (self.reason or self.kind) is None:
            raise ValueError("a row needs question and reason")

    @property
    def asked(self) -> str:
        """The question."""
        return self.question or self.text

    @property
    def right(self) -> Reason:
        """The reason."""
        found = self.reason or self.kind
        assert found is not None  # noqa: S101 - the constructor refuses it
        return found


Classify = Callable[[Sequence[ReasonRow]], Sequence[Classified]]


def measure_reasons(rows: Iterable[tuple[int, ReasonRow]], classify: Classify) -> dict[str, Any]:
    """
    Classify every question and compare.

    Args:
        rows: rows with the number by which each is named.
        classify: says of N rows why each stayed unanswered.

    Returns:
        Macro F1 and accuracy, both also by language, F1 of each reason, the confusion as
        `{right: {said: count}}`, how many were unsure, how honest the confidence was, and the
        numbers of the rows that are wrong.

    """
    numbered = list(rows)
    said = list(classify([row for _, row in numbered]))
    pairs = [(row.right, one.reason) for (_, row), one in zip(numbered, said, strict=True)]
    languages = sorted({row.language or "unknown" for _, row in numbered})
    return {
        "n": len(numbered),
        **_measures(pairs),
        "f1": {one.value: _f1(pairs, one) for one in REASONS},
        "by_lang": {
            name: _measures(
                [
                    pair
                    for (_, row), pair in zip(numbered, pairs, strict=True)
                    if (row.language or "unknown") == name
                ]
            )
            for name in languages
        },
        "confusion": {
            right.value: {one.value: sum(pair == (right, one) for pair in pairs) for one in REASONS}
            for right in REASONS
        },
        "unsure": sum(one.unsure for one in said),
        "calibration_error": _calibration_error(numbered, said),
        "wrong_rows": [
            number
            for (number, _), (right, one) in zip(numbered, pairs, strict=True)
            if right != one
        ],
    }


def _measures(pairs: Sequence[tuple[Reason, Reason]]) -> dict[str, Any]:
    present = [one for one in REASONS if any(one in pair for pair in pairs)]
    return {
        "rows": len(pairs),
        "macro_f1": sum(_f1(pairs, one) or 0.0 for one in present) / len(present),
        "accuracy": sum(right == said for right, said in pairs) / len(pairs),
    }


def _f1(pairs: Sequence[tuple[Reason, Reason]], one: Reason) -> float | None:
    """F1 of one reason; None where nobody speaks of it."""
    right = sum(pair == (one, one) for pair in pairs)
    spoken = sum((pair[0] == one) + (pair[1] == one) for pair in pairs)
    return 2 * right / spoken if spoken else None


def _calibration_error(
    numbered: Sequence[tuple[int, ReasonRow]], said: Sequence[Classified]
) -> float:
    """Mean distance, in ten bins, between the best share and how often it was right."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for (_, row), one in zip(numbered, said, strict=True):
        share = max(one.shares)
        best = REASONS[one.shares.index(share)]
        bins.setdefault(min(int(share * 10), 9), []).append((share, best == row.right))
    total = 0.0
    for own in bins.values():
        total += abs(sum(share for share, _ in own) - sum(right for _, right in own))
    return total / len(numbered)
