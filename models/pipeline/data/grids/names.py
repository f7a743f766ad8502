"""Named values: things asked for, things done, who did what to whom, days, cities, relatives."""

import random
from collections.abc import Iterator

from models.pipeline.data.grids import slots
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side

#: Grids whose values stand in `values.tsv`, and rows of each kind per cell.
GRIDS = {"object": 2, "action": 2, "deed": 6, "owed": 12, "day": 3, "city": 2, "kin": 3}


def rows(rng: random.Random, side: Side) -> Iterator[Row]:
    """Yield the rows of every grid of named values."""
    for grid, per_cell in GRIDS.items():
        yield from slots.rows(
            grid, slots.frames(grid), slots.values(grid), rng, side, per_cell=per_cell
        )
