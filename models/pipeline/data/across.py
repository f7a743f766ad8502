"""
Pairs across scenes: what lies near in the encoder's eyes and was said of something else.

A scene gives near misses of its own moment only, so a judge that is trained on scenes alone has
never seen two callers who speak of different things: half of such pairs, nearest neighbours by
cosine, looked alike to it. Nothing is written down about two scenes, but sentences of four words
and more that come from two of them hardly ever say the same. Shorter ones do ("that one"), and make
no pair.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from models.pipeline.data.row import Row
from models.pipeline.data.scenes import VARIANTS, Scene
from models.text import clean

#: Words of a side at least, and characters at most.
_WORDS, _CHARS = 4, 80
#: Sides of each language that are drawn, and neighbours of each.
_SIDES, _NEIGHBOURS = 6000, 5

#: Texts (N) to unit vectors (N, D).
Encode = Callable[[Sequence[str]], NDArray[np.float32]]


def across(scenes: Sequence[Scene], encode: Encode, rng: random.Random) -> Iterator[Row]:
    """
    Yield a negative for each drawn text and each of its neighbours in other scenes.

    Args:
        scenes: of the training split only.
        encode: an encoder.
        rng: source of every choice.
    """
    said: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for scene in scenes:
        for texts in scene.meanings.values():
            cleaned = (clean(text).text for text in texts)
            said[scene.language] += [(text, scene.key) for text in cleaned if _fits(text)]
    for language, found in said.items():
        drawn = rng.sample(found, min(_SIDES, len(found)))
        yield from _pairs(drawn, encode([text for text, _ in drawn]), VARIANTS[language])


def _fits(text: str) -> bool:
    return len(text) <= _CHARS and len(text.split()) >= _WORDS


def _pairs(
    drawn: Sequence[tuple[str, str]], vectors: NDArray[np.float32], variant: str
) -> Iterator[Row]:
    keys = np.array([key for _, key in drawn])
    seen: set[tuple[int, int]] = set()
    for place, (text, key) in enumerate(drawn):
        cosines = np.where(keys == key, -1, vectors @ vectors[place])
        for near in np.argsort(-cosines)[:_NEIGHBOURS].tolist():
            pair = (min(place, near), max(place, near))
            if pair not in seen and cosines[near] > -1:
                seen.add(pair)
                other, other_key = drawn[near]
                yield Row(
                    a=text,
                    b=other,
                    label=0,
                    layer="across",
                    kind="across",
                    language_a=variant,
                    language_b=variant,
                    group=(key, other_key),
                    source="scenes",
                    weight=1.0,
                )
