"""
Balancing, so that word overlap does not predict the label.

Within one cell (languages and band of overlap) as many rows say "same" as "different". What
a cell lacks cannot be invented here: the layers make positives that share few words and
negatives that share nearly all, and this module only draws.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from models.pipeline.data.overlap import auc, band, jaccard
from models.pipeline.data.row import Row, languages

#: Weight from which each class is drawn by itself: two opposite clusters, such as yes and no.
_GRAVE = 3.0
#: Classes that are drawn several times a round: what must never be confused.
_FIRST = {
    "clusters/cluster:affirm/decline/3.0": 6,
    "clusters/cluster:affirm/hedge/3.0": 3,
    "clusters/cluster:decline/hedge/3.0": 3,
    "grids/deed_frame/1.5": 4,
    "grids/deed/1.0": 2,
    "grids/owed_frame/1.5": 4,
    "grids/owed/1.0": 3,
    "contrasts/role/1.5": 2,
    "contrasts/order/1.5": 2,
    "contrasts/question/1.5": 2,
}
#: Cell of the balance: languages, band of overlap.
Cell = tuple[str, int]


def cell_of(row: Row) -> Cell:
    """Return the cell that a row is balanced in."""
    return languages(row), band(jaccard(row.a, row.b))


def balanced(rows: Iterable[Row], rng: random.Random, *, tilt: float = 0.0) -> list[Row]:
    """
    Return a draw with as many positives as negatives in every cell.

    Args:
        rows: rows of any layer.
        rng: source of the draw.
        tilt: how many more of the misleading label a cell may keep, as a share of the rarer
            label: positives where few words are shared, negatives where most are.
    """
    cells: dict[Cell, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for row in rows:
        cells[cell_of(row)][row.label].append(row)
    kept: list[Row] = []
    for (_, number), (negatives, positives) in sorted(cells.items(), key=lambda item: item[0]):
        low = number <= 1
        rarer = min(len(negatives), len(positives))
        more = int(rarer * (1 + tilt))
        kept += draw(positives, more if low else rarer, rng)
        kept += draw(negatives, rarer if low else more, rng)
    rng.shuffle(kept)
    return kept


def draw(rows: Sequence[Row], count: int, rng: random.Random) -> list[Row]:
    """
    Return at most `count` rows, spread evenly over their classes.

    Frequent classes are cut first, so that a large table does not drown a small one. Rows of one
    kind but other severity are classes apart, so that "yes" against "no" is not drowned either.
    """
    classes: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        kind = row.kind if row.weight >= _GRAVE else row.kind.partition(":")[0]
        classes[f"{row.source}/{kind}/{row.weight}"].append(row)
    for members in classes.values():
        rng.shuffle(members)
    kept: list[Row] = []
    queues = [classes[name] for name in sorted(classes) for _ in range(_FIRST.get(name, 1))]
    while queues and len(kept) < count:
        rng.shuffle(queues)
        for queue in queues[: count - len(kept)]:
            if queue:  # a class drawn several times a round may be used up within it
                kept.append(queue.pop())  # noqa: PERF401 - pops
        queues = [queue for queue in queues if queue]
    return kept


def capped(rows: Sequence[Row], caps: Mapping[str, int], rng: random.Random) -> list[Row]:
    """Return at most `caps[languages]` rows of each language pair, labels kept even."""
    by_languages: dict[tuple[str, Cell], list[list[Row]]] = defaultdict(lambda: [[], []])
    totals: dict[str, int] = defaultdict(int)
    for row in rows:
        by_languages[languages(row), cell_of(row)][row.label].append(row)
        totals[languages(row)] += 1
    kept: list[Row] = []
    for (name, _), sides in sorted(by_languages.items(), key=lambda item: item[0]):
        share = min(1.0, caps.get(name, totals[name]) / totals[name])
        for side in sides:
            kept += draw(side, round(len(side) * share), rng)
    rng.shuffle(kept)
    return kept


def report(rows: Sequence[Row]) -> dict[str, dict[str, float | int | None]]:
    """Return, per layer and language pair, counts and how well overlap predicts the label."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups["all"].append(row)
        groups[row.layer].append(row)
        groups[f"{row.layer}/{languages(row)}"].append(row)
        groups[f"language/{languages(row)}"].append(row)
    out: dict[str, dict[str, float | int | None]] = {}
    for name, members in sorted(groups.items()):
        area = auc([jaccard(row.a, row.b) for row in members], [row.label for row in members])
        out[name] = {
            "rows": len(members),
            "same": sum(row.label for row in members),
            "overlap_auc": None if area is None else round(area, 3),
        }
    return out
