"""Which gaps may be the same one: by their words only, a hint for a person who decides."""

from collections.abc import Sequence

from models.kb.words import words
from topics.gap import Gap


def similar(gap: Gap, others: Sequence[Gap]) -> list[Gap]:
    """Order gaps by the share of words that they have in common with one; the order is stable."""
    mine = _said(gap)
    return sorted(others, key=lambda one: -_common(mine, _said(one)))


def _said(gap: Gap) -> frozenset[str]:
    return frozenset(words(" ".join(gap.examples)))


def _common(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
