"""Statements inside other sentences."""

import pytest

from models.pipeline.data import embedded
from models.pipeline.data.clusters import surfaces
from models.pipeline.data.overlap import auc, jaccard
from models.pipeline.data.split import side_of, split_of
from tests.unit.models.pipeline.data.factory import make_rng


@pytest.fixture(scope="module")
def rows():
    return list(embedded.rows(make_rng(), side_of(0.3)))


def test_clusters_named_here_exist():
    """A typing error would silently make no rows."""
    assert set(embedded.TOLD) <= {surface.cluster for surface in surfaces(make_rng())}


def test_every_variant_has_frames_of_both_kinds():
    """A variant with one kind only would give its label away."""
    assert embedded._KEEP.keys() == embedded._TURN.keys()
    assert {row.language_a for row in rows_of(1)} == {row.language_a for row in rows_of(0)}


def rows_of(label):
    return [row for row in embedded.rows(make_rng(), side_of(0.3)) if row.label == label]


def test_overlap_says_little(rows):
    """Both labels share nearly all words with the statement."""
    area = auc([jaccard(row.a, row.b) for row in rows], [row.label for row in rows])

    assert area < 0.6


def test_each_row_has_one_key_of_its_layer(rows):
    """Items split as contrasts do, surfaces as clusters do."""
    for row in rows:
        assert row.layer == ("contrasts" if row.group[0].startswith("item:") else "clusters")
        assert split_of(row, 0.3) in ("train", "validation")
