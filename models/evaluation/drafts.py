"""How well the validator tells drafts apart: for `turngate eval drafts`."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec

from models.gaps.validate import validate
from models.pipeline.bounds import upper_bound


class DraftRow(msgspec.Struct, frozen=True):
    """A draft beside its evidence, and whether it may be shown."""

    #: Raw texts.
    evidence: tuple[str, ...]
    #: Raw text.
    draft: str
    ok: bool
    #: What is wrong with it.
    kind: str | None = None


def measure_drafts(rows: Iterable[tuple[int, DraftRow]]) -> dict[str, Any]:
    """
    Validate every draft and compare.

    Returns:
        How many bad ones were accepted and the upper bound of their share, the share of good ones
        that were, both with the numbers of their rows, acceptance by kind, and how often each
        reason was given for a bad and for a good one.

    """
    accepted: list[int] = []
    refused: list[int] = []
    kinds: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    reasons: dict[str, Counter[str]] = {"bad": Counter(), "good": Counter()}
    counts = Counter[bool]()
    for number, row in rows:
        verdict = validate(row.draft, row.evidence)
        counts[row.ok] += 1
        kinds[row.kind or "unknown"][verdict.ok] += 1
        reasons["good" if row.ok else "bad"].update(one.value for one in verdict.reasons)
        if verdict.ok is not row.ok:
            (refused if row.ok else accepted).append(number)
    good, bad = counts[True], counts[False]
    return {
        "n": good + bad,
        "bad": bad,
        "bad_accepted": len(accepted),
        "bad_accepted_upper95": upper_bound(len(accepted), bad) if bad else None,
        "good_accepted_rate": 1 - len(refused) / good if good else None,
        "bad_accepted_rows": accepted,
        "good_refused_rows": refused,
        "by_kind": {
            name: {"n": count.total(), "accepted": count[True]}
            for name, count in sorted(kinds.items())
        },
        "reasons": {name: dict(count.most_common()) for name, count in reasons.items()},
    }
