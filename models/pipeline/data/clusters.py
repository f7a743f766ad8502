"""
Equivalence clusters: what callers say in real calls, in many surfaces.

Two surfaces of one cluster are interchangeable; surfaces of two clusters are not, and how
bad it would be to confuse them is in `clusters/relations.tsv`. Pairs of clusters whose
relation depends on context ("yes?" is a greeting and a yes) are `excluded` there, with the
reason, and make no rows.
"""

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from models.pipeline.data.romanise import romanise
from models.pipeline.data.row import LANGUAGE_OF, Row
from models.pipeline.data.split import CORE, Side
from models.pipeline.data.tables import HERE, read_table

#: Loss weight of a negative by the relation of its clusters.
SEVERITY = {"opposite": 3.0, "severe": 2.0, "near": 1.5, "other": 1.0}
#: Surfaces of each cluster and variant that are too common to hold out ("yes", "no").
CORE_SURFACES = 4
#: Clusters that mean something else in each language: their pairs never cross languages.
OWN = ("own_language",)
#: Pairs of each relation that are made beside the random ones, per two clusters and language.
LISTED = {"opposite": 400, "severe": 40}
FILES = ("en", "hi", "hinglish", "ar")


@dataclass(frozen=True, slots=True)
class Surface:
    """One way to say what a cluster means."""

    cluster: str
    variant: str
    text: str
    #: Split key; core surfaces are always trained on.
    key: str


def surfaces(rng: random.Random) -> list[Surface]:
    """
    Return all surfaces, in the order of the tables.

    Hindi surfaces also come romanised, in one of the usual spellings, on the same side of the
    split as the original.
    """
    seen: dict[tuple[str, str], int] = defaultdict(int)
    found = []
    for name in FILES:
        for cells in read_table(HERE / "clusters" / f"{name}.tsv"):
            place = (cells["cluster"], cells["variant"])
            seen[place] += 1
            prefix = CORE if seen[place] <= CORE_SURFACES else ""
            text = cells["surface"]
            key = f"{prefix}surface:{text}"
            found.append(Surface(*place, text, key))
            if cells["variant"] == "hi":
                found.append(Surface(place[0], "hinglish", romanise(text, rng), key))
    return found


def relations() -> dict[frozenset[str], str]:
    """Return the relation of each listed pair of clusters; unlisted pairs are "other"."""
    return {
        frozenset((cells["cluster_a"], cells["cluster_b"])): cells["relation"]
        for cells in read_table(HERE / "clusters" / "relations.tsv")
    }


def rows(
    rng: random.Random, side: Side, *, crossed: float = 0.12, negatives: int = 24
) -> Iterator[Row]:
    """
    Yield positives within clusters and negatives across them, never across the split.

    Args:
        rng: source of every choice.
        side: the split of a surface's key.
        crossed: share of the crossed-language positives that is kept.
        negatives: negatives per surface, half of them severe where the cluster has such.
    """
    parts: dict[str, dict[str, list[Surface]]] = defaultdict(lambda: defaultdict(list))
    for surface in surfaces(rng):
        parts[side(surface.key)][surface.cluster].append(surface)
    for by_cluster in parts.values():
        yield from _positives(by_cluster, rng, crossed)
        yield from _negatives(by_cluster, rng, negatives)
        yield from _listed(by_cluster, rng)


def _listed(by_cluster: dict[str, list[Surface]], rng: random.Random) -> Iterator[Row]:
    """Yield the pairs that matter most: all of "yes" against "no", and their kin."""
    for pair, relation in relations().items():
        if relation not in LISTED:
            continue
        first, second = sorted(pair)
        by_language: dict[str, list[tuple[Surface, Surface]]] = defaultdict(list)
        for left, right in itertools.product(by_cluster[first], by_cluster[second]):
            if LANGUAGE_OF[left.variant] == LANGUAGE_OF[right.variant]:
                by_language[LANGUAGE_OF[left.variant]].append((left, right))
        for pairs in by_language.values():
            for left, right in rng.sample(pairs, min(LISTED[relation], len(pairs))):
                yield _row(left, right, 0, SEVERITY[relation])


def _positives(
    by_cluster: dict[str, list[Surface]], rng: random.Random, crossed: float
) -> Iterator[Row]:
    for members in by_cluster.values():
        for left, right in itertools.combinations(members, 2):
            same = LANGUAGE_OF[left.variant] == LANGUAGE_OF[right.variant]
            meet = same or (rng.random() < crossed and left.cluster not in OWN)
            if left.text != right.text and meet:
                yield _row(left, right, 1, 1.0)


def _negatives(
    by_cluster: dict[str, list[Surface]], rng: random.Random, count: int
) -> Iterator[Row]:
    known = relations()
    for cluster, members in by_cluster.items():
        relation = {
            other: known.get(frozenset((cluster, other)), "other")
            for other in by_cluster
            if other != cluster
        }
        allowed = [other for other, kind in relation.items() if kind != "excluded"]
        sharp = [other for other in allowed if relation[other] != "other"]
        for left in members:
            for turn in range(count):
                pool = sharp if sharp and turn % 2 else allowed
                other = rng.choice(pool)
                same = rng.random() > 0.2  # noqa: PLR2004 - one in five is crossed
                language = LANGUAGE_OF[left.variant]
                candidates = [
                    right
                    for right in by_cluster[other]
                    if (LANGUAGE_OF[right.variant] == language) == same
                ]
                if candidates:
                    yield _row(left, rng.choice(candidates), 0, SEVERITY[relation[other]])


def _row(left: Surface, right: Surface, label: int, weight: float) -> Row:
    if label:
        kind = f"cluster:{left.cluster}"
    else:
        first, second = sorted((left.cluster, right.cluster))
        kind = f"cluster:{first}/{second}"
    return Row(
        a=left.text,
        b=right.text,
        label=label,
        layer="clusters",
        kind=kind,
        language_a=left.variant,
        language_b=right.variant,
        group=(left.key, right.key),
        source="clusters",
        weight=weight,
    )
