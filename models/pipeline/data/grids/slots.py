"""
The slot engine: frames times values, with exactly one thing varied.

* same frame, same value, other surface or other alias: 1
* same surface, other value: 0 (nearly every word shared)
* same value, other frame: 0
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from models.pipeline.data.row import LANGUAGE_OF, Row
from models.pipeline.data.split import CORE, Side
from models.pipeline.data.tables import HERE, read_table

#: Texts by variant.
ByVariant = Mapping[str, Sequence[str]]
#: Loss weight of a negative: another value, and another frame.
_VALUE_WEIGHT, _FRAME_WEIGHT = 2.0, 1.5
#: Small closed sets, such as the days of the week: all of them are trained on, none is held out.
CLOSED = frozenset(
    {("value", "day"), ("frame", "deed"), ("value", "deed"), ("frame", "owed"), ("value", "owed")}
)
#: Share of pairs that cross languages, where nothing else is asked for.
_CROSSED = 0.15


@dataclass(frozen=True, slots=True)
class Frame:
    """One meaning with a slot, in several surfaces a variant."""

    name: str
    surfaces: ByVariant


@dataclass(frozen=True, slots=True)
class Value:
    """One value in several wordings a variant."""

    name: str
    aliases: ByVariant
    #: Values that are confused with this one: drawn first as negatives.
    near: Sequence[str] = ()


def frames(grid: str) -> list[Frame]:
    """Return the frames of a grid from `frames.tsv`."""
    table = _nested("frames", grid, "frame", "surface")
    return [Frame(name, surfaces) for name, surfaces in table.items()]


def values(grid: str) -> list[Value]:
    """Return the values of a grid from `values.tsv`."""
    table = _nested("values", grid, "value", "alias")
    return [Value(name, aliases) for name, aliases in table.items()]


def _nested(file: str, grid: str, key: str, cell: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for cells in read_table(HERE / "grids" / f"{file}.tsv"):
        if cells["grid"] == grid:
            found[cells[key]][cells["variant"]].append(cells[cell])
    return found


def rows(  # noqa: PLR0917 - one caller shape
    grid: str, some_frames: Sequence[Frame], some_values: Sequence[Value], rng: random.Random,
    side: Side, per_cell: int = 1, *, crossed: float = _CROSSED,
) -> Iterator[Row]:  # fmt: skip
    """
    Yield positives and both kinds of negative for each frame, value and variant.

    Held-out frames meet held-out values only.

    Args:
        grid: name of the grid, also the class of its rows.
        some_frames: frames, none of which means the same as another.
        some_values: values, none of which is equal to another.
        rng: source of every choice.
        side: the split of a frame's or value's key.
        per_cell: rows of each kind per frame, value and variant.
        crossed: share of pairs in two languages.
    """
    for split in ("train", "validation"):
        kept = [one for one in some_frames if side(_key("frame", grid, one.name)) == split]
        filled = {
            one.name: one for one in some_values if side(_key("value", grid, one.name)) == split
        }
        for frame in kept:
            for value in filled.values():
                for variant in frame.surfaces:
                    for _ in range(per_cell if value.aliases.get(variant) else 0):
                        yield from _cell(grid, frame, value, variant, rng, kept, filled, crossed)


def _cell(  # noqa: PLR0917 - one caller shape
    grid: str, frame: Frame, value: Value, variant: str, rng: random.Random,
    some_frames: Sequence[Frame], by_name: Mapping[str, Value], crossed: float,
) -> Iterator[Row]:  # fmt: skip
    surface = rng.choice(frame.surfaces[variant])
    text = surface.format(v=rng.choice(value.aliases[variant]))
    own = (_key("frame", grid, frame.name), _key("value", grid, value.name))

    target = _target(variant, frame, value, rng, crossed)
    others = [one for one in frame.surfaces[target] if one != surface] or frame.surfaces[target]
    same = rng.choice(others).format(v=rng.choice(value.aliases[target]))
    if same != text:
        yield _row(grid, text, same, 1, (variant, target), own, 1.0)

    near = [by_name[name] for name in value.near if name in by_name]
    pool = near if near and rng.random() < 0.6 else list(by_name.values())  # noqa: PLR2004
    other = rng.choice(pool)
    target = _target(variant, frame, other, rng, crossed)
    if other.name != value.name and other.aliases.get(target):
        like = surface if target == variant else rng.choice(frame.surfaces[target])
        if rng.random() < 0.25:  # noqa: PLR2004 - also with the frame in other words
            like = rng.choice(frame.surfaces[target])
        wrong = like.format(v=rng.choice(other.aliases[target]))
        keys = (*own, _key("value", grid, other.name))
        yield _row(grid, text, wrong, 0, (variant, target), keys, _VALUE_WEIGHT)

    kin = [one for one in some_frames if _stem(one.name) == _stem(frame.name)]
    elsewhere = rng.choice(kin if len(kin) > 1 and rng.random() < 0.7 else some_frames)  # noqa: PLR2004
    target = _target(variant, elsewhere, value, rng, crossed)
    if elsewhere.name != frame.name and elsewhere.surfaces.get(target):
        wrong = rng.choice(elsewhere.surfaces[target]).format(v=rng.choice(value.aliases[target]))
        keys = (*own, _key("frame", grid, elsewhere.name))
        yield _row(f"{grid}_frame", text, wrong, 0, (variant, target), keys, _FRAME_WEIGHT)


def _key(kind: str, grid: str, name: str) -> str:
    """Return the split key of a frame or a value."""
    return f"{CORE if (kind, grid) in CLOSED else ''}{kind}:{grid}/{name}"


def _stem(name: str) -> str:
    """Return what is before the double underscore: frames of one stem are told apart first."""
    return name.partition("__")[0]


def _target(variant: str, frame: Frame, value: Value, rng: random.Random, crossed: float) -> str:
    """Return the variant of the other side: mostly the same, else one of another language."""
    if rng.random() < crossed:
        choices = [one for one in frame.surfaces if one != variant and value.aliases.get(one)]
        if choices:
            return rng.choice(choices)
    return variant


def _row(  # noqa: PLR0917 - one caller shape
    kind: str, a: str, b: str, label: int, variants: tuple[str, str], group: Sequence[str],
    weight: float,
) -> Row:  # fmt: skip
    crossed = LANGUAGE_OF[variants[0]] != LANGUAGE_OF[variants[1]]
    return Row(
        a=a,
        b=b,
        label=label,
        layer="grids",
        kind=kind,
        language_a=variants[0],
        language_b=variants[1],
        group=tuple(dict.fromkeys(group)),
        source="grids",
        weight=weight if not crossed else min(weight, 1.0),
    )
