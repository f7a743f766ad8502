"""The slot engine, and the grids that use it."""

import pytest

from models.pipeline.data.grids import clock, dates, names, quantities, slots
from models.pipeline.data.split import side_of, split_of
from tests.unit.models.pipeline.data.factory import make_rng

FRAMES = [
    slots.Frame("call", {"en": ["call me at {v}", "ring me {v}"]}),
    slots.Frame("come", {"en": ["I come at {v}", "expect me {v}"]}),
]
VALUES = [
    slots.Value("5", {"en": ["5 pm", "five in the evening"]}, near=["6"]),
    slots.Value("6", {"en": ["6 pm", "six in the evening"]}, near=["5"]),
]


def read(text):
    """Return which frame and value a text of FRAMES and VALUES says."""
    frame = "call" if ("me at" in text and text.startswith("call")) or "ring" in text else "come"
    return frame, "5" if "5" in text or "five" in text else "6"


def test_labels_follow_from_frame_and_value():
    """Same frame and value is 1, anything else 0."""
    rows = list(slots.rows("t", FRAMES, VALUES, make_rng(), side_of(0.0), per_cell=20))

    assert {row.label for row in rows} == {0, 1}
    for row in rows:
        assert row.label == (read(row.a) == read(row.b))


def test_a_negative_varies_one_thing():
    """Other value or other frame, never both."""
    rows = list(slots.rows("t", FRAMES, VALUES, make_rng(), side_of(0.0), per_cell=20))

    for row in rows:
        one, two = read(row.a), read(row.b)
        assert (one[0] != two[0]) + (one[1] != two[1]) == (0 if row.label else 1)


def test_no_two_values_share_an_alias():
    """An alias of two values would make a positive of a negative."""
    grids = {
        "time": clock.times(), "amount": quantities.amounts(), "count": quantities.counts(),
        "date": dates.dates(), **{grid: slots.values(grid) for grid in names.GRIDS},
    }  # fmt: skip

    for grid, values in grids.items():
        owners = {}
        for value in values:
            for variant, aliases in value.aliases.items():
                for alias in aliases:
                    owners.setdefault((variant, alias), set()).add(value.name)
        assert {key: who for key, who in owners.items() if len(who) > 1} == {}, grid


@pytest.mark.parametrize("module", [clock, dates, names, quantities], ids=lambda one: one.__name__)
def test_held_out_frames_meet_held_out_values_only(module):
    """No row of a grid crosses the split."""
    rows = list(module.rows(make_rng(), side_of(0.3)))

    assert {split_of(row, 0.3) for row in rows} == {"train", "validation"}


def test_near_times_flip_the_half_of_the_day():
    """Five in the morning is the first thing that five in the evening is tested against."""
    evening = next(value for value in clock.times() if value.name == "17:00")

    assert "05:00" in evening.near
