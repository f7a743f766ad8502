"""A draw: which phrases of a set a router is compiled from."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.router.rows import OUT_OF_SCOPE
from models.router import Phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.evaluation.router.rows import Row
    from models.evaluation.router.sets import RoutingSet

#: Of a set without a validation part every intent gives one in so many train phrases to it, so
#: that intents stand in validation as often as in train.
_CARVED = 4


def draw(rows: RoutingSet, k: int, seed: int) -> Phrases:
    """
    Draw phrases for a router; the test part is never looked at.

    Args:
        rows: the set.
        k: examples an intent; an intent with fewer phrases gives what it has.
        seed: of the draw.
    """
    random = np.random.default_rng(seed)
    intents, validation = {}, _by_intent(rows.validation)
    outside = [row.text for row in (*rows.train, *rows.validation) if row.intent == OUT_OF_SCOPE]
    for name, texts in sorted(_by_intent(rows.train).items()):
        order = [texts[place] for place in random.permutation(len(texts))]
        carved = 0 if rows.validation else len(order) // _CARVED
        if carved:
            validation[name] = order[:carved]
        intents[name] = order[carved : carved + k]
    return Phrases(intents=intents, validation=validation, out_of_scope=outside)


def _by_intent(rows: Sequence[Row]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.intent != OUT_OF_SCOPE:
            texts[row.intent].append(row.text)
    return dict(texts)
