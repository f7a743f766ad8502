"""The build's parts that need no public data."""

from models.pipeline.data import build
from models.pipeline.data.split import check_splits, split_of, text_key
from tests.unit.models.pipeline.data.factory import make_rng, make_row


def test_pairs_with_both_labels_are_dropped():
    """A pair that two layers label differently is no evidence."""
    rows = [make_row("yes", "sure", 1), make_row("Sure", "yes", 0), make_row("no", "nope", 1)]

    assert build.unique(rows, frozenset()) == [rows[2]]


def test_repeated_and_banned_pairs_are_dropped():
    """The first of equal pairs stays, a trap never."""
    rows = [make_row("yes", "sure"), make_row("sure", "yes"), make_row("no", "nope")]

    assert build.unique(rows, frozenset({("no", "nope")})) == [rows[0]]


def test_texts_are_cleaned_and_equal_sides_dropped():
    """The trainer sees what the judge will see."""
    found = build.cleaned([make_row(" yes\u00a0 please ", "sure"), make_row("yes ", "yes")])

    assert [(row.a, row.b) for row in found] == [("yes please", "sure")]


def test_the_layers_written_here_split_without_leaks():
    """Surfaces, items, frames and values of validation are nowhere in training."""
    rng = make_rng(3)

    train, validation = build.parted(build.unique(build.cleaned(build.call_rows(rng)), frozenset()))

    assert len(train) > 20_000
    assert len(validation) > 2000
    check_splits(train, validation, [])
    held = {key for row in validation for key in row.group}
    assert not held & {key for row in train for key in row.group}


def test_noisy_twins_are_positives_of_their_own_layer():
    """A twin says the same as the row's first side, whatever the row's label."""
    rows = [make_row(f"call me at number {n}", "no", 0) for n in range(50)]

    twins = [row for row in build.with_noise(rows, make_rng()) if row.layer == "noise"]

    assert twins
    assert all(row.label == 1 for row in twins)
    assert {text_key(row.a) for row in twins} <= {text_key(row.a) for row in rows}


def test_every_row_written_here_belongs_to_one_split():
    """The generators never pair a held-out key with a free one."""
    rows = build.call_rows(make_rng(2))

    assert [row for row in rows if split_of(row, build.HELD_OUT[row.layer]) is None] == []
