"""Makes rows and random sources for tests."""

import random

from models.pipeline.data.row import Row


def make_row(a="yes please", b="sure", label=1, **overrides) -> Row:
    """Return a row with any field overridden."""
    values = {
        "layer": "clusters",
        "kind": "cluster:affirm",
        "language_a": "en",
        "language_b": "en",
        "group": (f"surface:{a}", f"surface:{b}"),
        "source": "clusters",
    } | overrides
    return Row(a=a, b=b, label=label, **values)


def make_rng(seed=1) -> random.Random:
    """Return a seeded random source."""
    return random.Random(seed)  # noqa: S311 - nothing secret
