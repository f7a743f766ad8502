"""Longer turns made of cluster surfaces."""

import pytest

from models.pipeline.data import turns
from models.pipeline.data.clusters import relations, surfaces
from models.pipeline.data.split import side_of, split_of
from tests.unit.models.pipeline.data.factory import make_rng


@pytest.fixture(scope="module")
def rows():
    return list(turns.rows(make_rng(), side_of(0.3)))


def test_clusters_named_here_exist():
    """A typing error would silently make no rows."""
    names = {surface.cluster for surface in surfaces(make_rng())}

    assert {*turns.ASKS, *(one for pair in turns.COMBINED for one in pair)} <= names


def test_combined_acts_do_not_contradict_each_other():
    """A turn of a yes and a no would mean nothing."""
    known = relations()

    assert [pair for pair in turns.COMBINED if known.get(frozenset(pair)) == "opposite"] == []


def test_a_small_word_does_not_make_a_question_a_yes(rows):
    """A turn with its small word equals itself without, and is never equal to a bare yes."""
    prefixed = [row for row in rows if row.kind == "prefix"]

    kept = [row for row in prefixed if row.label and row.a.endswith(row.b)]
    yes = {surface.text for surface in surfaces(make_rng()) if surface.cluster == "affirm"}

    assert kept
    assert {row.label for row in prefixed if row.b in yes} == {0}


def test_no_row_crosses_the_split(rows):
    """Turns keep the split of the surfaces that they are made of."""
    assert {split_of(row, 0.3) for row in rows} == {"train", "validation"}
