"""How well the decider tells the same question from another: for `turngate eval same`."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from models.gaps.same import Sameness
from models.pipeline.data.overlap import auc


class SameRow(msgspec.Struct, frozen=True):
    """Two questions, and whether they are one."""

    #: User texts: never logged.
    a: str
    b: str
    same: bool
    #: What the pair tests.
    kind: str | None = None
    #: Languages of both, such as "ar-en"; alike on both sides where they are one.
    language: str | None = None

    def __post_init__(self) -> None:
        """Refuse a question that says nothing."""
        if not self.a.strip() or not self.b.strip():
            raise ValueError("a question is blank")


#: Of N rows, what the decider says and the encoder's cosine.
Decide = Callable[[Sequence[SameRow]], tuple[Sequence[Sameness], npt.NDArray[np.float64]]]


def measure_same(numbered: Sequence[tuple[int, SameRow]], decide: Decide) -> dict[str, Any]:
    """
    Decide every pair and compare.

    Args:
        numbered: rows with the number by which each is named.
        decide: says of N rows what the decider says, and their cosines.

    Returns:
        Accuracy, AUC, how many pairs were joined or parted wrongly, all by kind and by whether the
        languages differ; beside them the best that any cosine threshold could do, chosen on these
        very rows, and the AUC of the cosine. Rows that are wrong are named by their number.

    """
    rows = [row for _, row in numbered]
    said, cosines = decide(rows)
    labels = np.array([row.same for row in rows])
    found = np.array([one.same for one in said])
    chances = np.array([one.chance for one in said])
    threshold, cosine_accuracy = best_cosine(cosines, labels)
    return {
        "n": len(rows),
        "accuracy": float((found == labels).mean()),
        "auc": auc(chances.tolist(), labels.astype(int).tolist()),
        "joined_wrongly": int((found & ~labels).sum()),
        "parted_wrongly": int((~found & labels).sum()),
        "cosine_accuracy": cosine_accuracy,
        "cosine_threshold": threshold,
        "cosine_auc": auc(cosines.tolist(), labels.astype(int).tolist()),
        "by_kind": _groups([row.kind for row in rows], found, labels, cosines >= threshold),
        "by_languages": _groups(
            [_across(row.language) for row in rows], found, labels, cosines >= threshold
        ),
        "reasons": dict(Counter(one.why.value for one in said)),
        "wrong_rows": [
            number
            for (number, _), right in zip(numbered, found == labels, strict=True)
            if not right
        ],
    }


def best_cosine(
    cosines: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_]
) -> tuple[float, float]:
    """Give the cosine from which on "same" is right most often on these rows, and how often."""
    tried = [*np.unique(cosines), float(cosines.max()) + 1e-6]
    right = [float(((cosines >= one) == labels).mean()) for one in tried]
    best = int(np.argmax(right))
    return float(tried[best]), right[best]


def _groups(
    names: Sequence[str | None],
    found: npt.NDArray[np.bool_],
    labels: npt.NDArray[np.bool_],
    cosine: npt.NDArray[np.bool_],
) -> dict[str, Any]:
    groups = {}
    for name in sorted({one or "unknown" for one in names}):
        own = np.array([(one or "unknown") == name for one in names])
        groups[name] = {
            "n": int(own.sum()),
            "same": int(labels[own].sum()),
            "accuracy": float((found == labels)[own].mean()),
            "cosine_accuracy": float((cosine == labels)[own].mean()),
        }
    return groups


def _across(language: str | None) -> str | None:
    if language is None:
        return None
    one, _, other = language.partition("-")
    return "one" if one == other else "across"
