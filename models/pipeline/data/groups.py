"""
Groups of meanings, for the contrastive warm-up: what belongs together, what stands against it.

A group is a scene, a contrast, some clusters of one language no two of which depend on context, or
a knowledge base: there a meaning is a fact, its surfaces what the entry says and what callers ask,
in all languages, so that a question comes to lie by its answer and not by its language.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import orjson

from models.pipeline.data import clusters, scenes
from models.pipeline.data.contrasts import sides
from models.pipeline.data.kb import knowledge_bases
from models.pipeline.data.kb_groups import facts
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import Side
from models.text import clean

#: Meanings of a group, each a list of its surfaces.
Group = list[list[str]]

#: Texts that the ranges of an int8 encoder are set by, and proved.
TEXTS = 1200
#: Groups of clusters in each language, and clusters in each.
_CLUSTER_GROUPS, _CLUSTERS = 150, 9
#: Times that each knowledge base comes: every time other questions stand beside the entries.
_KNOWLEDGE_TIMES = 3


def groups(
    rng: random.Random, scene_side: Side, item_side: Side, surface_side: Side, base_side: Side
) -> Iterator[Group]:
    """
    Yield the groups of the training split.

    Args:
        rng: source of every choice.
        scene_side: split of a scene's key.
        item_side: split of a contrast's key.
        surface_side: split of a cluster surface's key.
        base_side: split of a knowledge base's key.
    """
    for scene in scenes.scenes():
        if scene_side(scene.key) == "train":
            yield list(scene.meanings.values())
            if scene.language == "hi":
                yield list(scenes.spelled(scene, rng).meanings.values())
    for item in sides.items(rng):
        if item_side(item.key) == "train":
            yield from _contrast(item)
    yield from _clusters(rng, surface_side)
    for base in knowledge_bases():
        if base_side(base.key) == "train":
            yield from (facts(base, rng) for _ in range(_KNOWLEDGE_TIMES))


def _contrast(item: sides.Item) -> Iterator[Group]:
    """Yield an item in each language; its variants say the same."""
    by_language: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for variant, said in item.surfaces.items():
        for side, texts in said.items():
            by_language[LANGUAGE_OF[variant]][side] += texts
    for meanings in by_language.values():
        yield list(meanings.values())


def _clusters(rng: random.Random, side: Side) -> Iterator[Group]:
    by_language: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for surface in clusters.surfaces(rng):
        if side(surface.key) == "train":
            by_language[LANGUAGE_OF[surface.variant]][surface.cluster].append(surface.text)
    known = clusters.relations()
    for by_cluster in by_language.values():
        for _ in range(_CLUSTER_GROUPS):
            chosen: list[str] = []
            for name in rng.sample(sorted(by_cluster), len(by_cluster)):
                if all(known.get(frozenset((name, one))) != "excluded" for one in chosen):
                    chosen.append(name)
                if len(chosen) == _CLUSTERS:
                    break
            yield [by_cluster[name] for name in chosen]


def write_groups(path: Path, found: Iterable[Group]) -> int:
    """Write one JSON array of arrays a line, texts cleaned, and return the number of lines."""
    count = 0
    with path.open("wb") as file:
        for group in found:
            file.write(
                orjson.dumps([[clean(text).text for text in texts] for texts in group]) + b"\n"
            )
            count += 1
    return count


def write_texts(path: Path, found: Sequence[Group], rng: random.Random) -> int:
    """Write `TEXTS` texts of the groups, `{"text"}` a line, and return their number."""
    said = sorted({text for group in found for texts in group for text in texts})
    drawn = rng.sample(said, min(TEXTS, len(said)))
    path.write_bytes(b"".join(orjson.dumps({"text": clean(text).text}) + b"\n" for text in drawn))
    return len(drawn)


def read_groups(path: Path) -> Iterator[Group]:
    """Yield the groups of a file that `write_groups` wrote."""
    with path.open("rb") as file:
        for line in file:
            yield orjson.loads(line)
