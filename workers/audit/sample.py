"""
Which served decisions people look at.

Each language and each band gets its share, and the pairs near the threshold twice theirs: there the
judge is wrong most often. The draw is by hash, so the same log gives the same sample.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from workers.audit.case import Case, by_stratum

#: How often a stratum of each band is dealt a case while there are some left.
_WEIGHTS = {"near": 2, "conservative": 2}


def sample(found: Sequence[Case], *, size: int, seed: str) -> list[Case]:
    """
    Draw cases, each with the size of its stratum and how many were drawn of it.

    Args:
        found: all cases of a log.
        size: how many to draw at most.
        seed: another one gives another sample.

    """
    strata = {
        name: sorted(group, key=lambda one: _place(one, seed))
        for name, group in by_stratum(found).items()
    }
    counts = _shares({name: len(group) for name, group in strata.items()}, size)
    drawn = [
        replace(one, population=len(group), drawn=counts[name])
        for name, group in strata.items()
        for one in group[: counts[name]]
    ]
    # In no order that would tell what the judge thought.
    return sorted(drawn, key=lambda one: _place(one, seed))


def _shares(sizes: dict[tuple[str, str], int], size: int) -> dict[tuple[str, str], int]:
    """Deal out the sample in rounds, so that small strata are looked at whole."""
    counts = dict.fromkeys(sizes, 0)
    left = min(size, sum(sizes.values()))
    while left:
        for name, whole in sizes.items():
            more = min(_WEIGHTS.get(name[1], 1), whole - counts[name], left)
            counts[name] += more
            left -= more
    return counts


def _place(one: Case, seed: str) -> bytes:
    raw = one.decision_id.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, key=seed.encode()[:64]).digest()
