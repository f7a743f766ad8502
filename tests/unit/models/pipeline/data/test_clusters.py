"""Clusters and their relations."""

from collections import Counter

import pytest

from models.pipeline.data import clusters
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import side_of, split_of
from tests.unit.models.pipeline.data.factory import make_rng


@pytest.fixture(scope="module")
def rows():
    return list(clusters.rows(make_rng(), side_of(0.3)))


def test_every_cluster_is_said_in_every_variant():
    """No cluster lacks a language or a dialect."""
    said = Counter((one.cluster, one.variant) for one in clusters.surfaces(make_rng()))
    names = {cluster for cluster, _ in said}
    variants = set(LANGUAGE_OF) - {"ar-LEV"}

    missing = [(name, one) for name in names for one in variants if said[name, one] < 3]

    assert len(names) >= 30
    assert missing == []


def test_no_surface_stands_in_two_clusters_of_a_language():
    """A surface with two meanings would be both a positive and a negative."""
    places = {}
    for surface in clusters.surfaces(make_rng()):
        places.setdefault((surface.variant, surface.text.lower()), set()).add(surface.cluster)

    assert {place: names for place, names in places.items() if len(names) > 1} == {}


def test_relations_name_known_clusters_and_known_kinds():
    """A typing error in the table must not silently make a pair ordinary."""
    names = {one.cluster for one in clusters.surfaces(make_rng())}

    for pair, kind in clusters.relations().items():
        assert pair <= names
        assert kind in {*clusters.SEVERITY, "excluded"}


def test_excluded_clusters_never_meet(rows):
    """What depends on context makes no row."""
    excluded = {pair for pair, kind in clusters.relations().items() if kind == "excluded"}
    met = {frozenset(row.kind.removeprefix("cluster:").split("/")) for row in rows if not row.label}

    assert met & excluded == set()


def test_yes_and_no_weigh_most(rows):
    """Confusing yes and no is the worst of all."""
    heaviest = max(row.weight for row in rows)

    assert {row.weight for row in rows if row.kind == "cluster:affirm/decline"} == {heaviest}


def test_no_row_crosses_the_split(rows):
    """Every row belongs to exactly one side."""
    assert all(split_of(row, 0.3) is not None for row in rows)
    assert {split_of(row, 0.3) for row in rows} == {"train", "validation"}
