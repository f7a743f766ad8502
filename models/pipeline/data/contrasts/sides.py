"""
Pairs from the hand-written contrasts, alone and joined into long turns.

Negation and its scope, roles, question or answer or request, hedge or commitment, condition,
defer or decide, antonyms, order of words, near topic, tense, quantity.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from models.pipeline.data.romanise import romanise
from models.pipeline.data.row import LANGUAGE_OF, Row
from models.pipeline.data.split import Side
from models.pipeline.data.tables import HERE, read_table

#: Loss weight of a negative by class; polarity is the worst to get wrong.
WEIGHTS = {
    "polarity": 3.0,
    "negation": 3.0,
    "scope": 3.0,
    "hedge": 2.0,
    "defer": 2.0,
    "condition": 2.0,
}
_OTHER_WEIGHT = 1.5
#: Classes whose sides are statements, so that two can be joined into one turn.
STATEMENTS = (
    "polarity", "negation", "role", "hedge", "antonym", "tense", "quantity", "condition",
)  # fmt: skip
_JOINERS = {
    "en": (" and ", ", and also ", "; "),
    "hi": (" और ", ", और "),
    "hinglish": (" aur ", ", aur "),
    "ar-EG": (" و", "، وكمان "),
    "ar-MSA": (" و", "، كما أنه "),
    "ar-Gulf": (" و", "، وبعد "),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One contrast: surfaces by variant and side."""

    kind: str
    name: str
    surfaces: dict[str, dict[str, list[str]]]

    @property
    def key(self) -> str:
        """Split key."""
        return f"item:{self.kind}/{self.name}"


def items(rng: random.Random | None = None) -> list[Item]:
    """
    Return the items of the table.

    Args:
        rng: with it, the Hindi surfaces also come romanised, as further Hinglish ones.
    """
    found: dict[tuple[str, str], dict[str, dict[str, list[str]]]] = {}
    for cells in read_table(HERE / "contrasts" / "sides.tsv"):
        variants = found.setdefault((cells["class"], cells["item"]), {})
        sides = variants.setdefault(cells["variant"], {})
        sides.setdefault(cells["side"], []).append(cells["surface"])
        if rng and cells["variant"] == "hi":
            spelled = romanise(cells["surface"], rng)
            variants.setdefault("hinglish", {}).setdefault(cells["side"], []).append(spelled)
    return [Item(kind, name, surfaces) for (kind, name), surfaces in found.items()]


def rows(rng: random.Random, side: Side, *, joined: int = 4) -> Iterator[Row]:
    """
    Yield pairs within and across the sides of each item, then joined turns.

    Args:
        rng: source of every choice.
        side: the split of an item's key; only items of one side are joined.
        joined: long turns per item and variant.
    """
    everything = items(rng)
    for item in everything:
        yield from _plain(item, rng)
    statements = [item for item in everything if item.kind in STATEMENTS]
    for first in statements:
        partners = [item for item in statements if side(item.key) == side(first.key)]
        for variant in first.surfaces:
            for second in rng.sample(partners, min(joined, len(partners))):
                if second is not first and variant in second.surfaces:
                    yield from _joined(first, second, variant, rng)


def _plain(item: Item, rng: random.Random) -> Iterator[Row]:
    weight = WEIGHTS.get(item.kind, _OTHER_WEIGHT)
    said = [
        (variant, side, text)
        for variant, sides in item.surfaces.items()
        for side, texts in sides.items()
        for text in texts
    ]
    for (left, side, a), (right, other, b) in itertools.combinations(said, 2):
        crossed = LANGUAGE_OF[left] != LANGUAGE_OF[right]
        if crossed and rng.random() > 0.35:  # noqa: PLR2004 - crossed pairs are the fewer part
            continue
        label = int(side == other)
        yield _row(item.kind, a, b, label, (left, right), (item.key,), 1.0 if label else weight)


def _joined(first: Item, second: Item, variant: str, rng: random.Random) -> Iterator[Row]:
    """One positive and two negatives: a turn of two statements, one of them flipped."""
    one, two = first.surfaces[variant], second.surfaces[variant]
    left, right = rng.choice(sorted(one)), rng.choice(sorted(two))
    joiner = rng.choice(_JOINERS[variant])
    a, b = rng.choice(one[left]), rng.choice(two[right])
    turn = a + joiner + b
    keys = (first.key, second.key)

    same = [_other(one[left], a, rng), _other(two[right], b, rng)]
    if rng.random() < 0.5:  # noqa: PLR2004 - a coin: the order of two statements is free
        same.reverse()
    variants = (variant, variant)
    yield _row("joined", turn, rng.choice(_JOINERS[variant]).join(same), 1, variants, keys, 1.0)

    flipped = rng.choice([side for side in one if side != left])
    wrong = one[flipped][min(one[left].index(a), len(one[flipped]) - 1)] + joiner + b
    weight = WEIGHTS.get(first.kind, _OTHER_WEIGHT)
    yield _row("joined", turn, wrong, 0, variants, keys, weight)
    flipped = rng.choice([side for side in two if side != right])
    wrong = a + joiner + two[flipped][min(two[right].index(b), len(two[flipped]) - 1)]
    weight = WEIGHTS.get(second.kind, _OTHER_WEIGHT)
    yield _row("joined", turn, wrong, 0, variants, keys, weight)
    yield _row("partial", turn, _other(one[left], a, rng), 0, variants, keys, 1.0)


def _other(texts: list[str], text: str, rng: random.Random) -> str:
    return rng.choice([one for one in texts if one != text] or texts)


def _row(  # noqa: PLR0917 - one caller shape
    kind: str, a: str, b: str, label: int, variants: tuple[str, str], keys: tuple[str, ...],
    weight: float,
) -> Row:  # fmt: skip
    return Row(
        a=a,
        b=b,
        label=label,
        layer="contrasts",
        kind=kind,
        language_a=variants[0],
        language_b=variants[1],
        group=tuple(dict.fromkeys(keys)),
        source="contrasts",
        weight=weight,
    )
