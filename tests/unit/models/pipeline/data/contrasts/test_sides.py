"""Hand-written contrasts."""

from models.pipeline.data.contrasts import sides
from models.pipeline.data.overlap import jaccard
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import side_of
from tests.unit.models.pipeline.data.factory import make_rng


def test_every_item_has_two_sides_in_all_four_languages():
    """An item that lacks a language would leave that language without its axis."""
    for item in sides.items():
        assert {LANGUAGE_OF[variant] for variant in item.surfaces} == set(LANGUAGE_OF.values())
        for variant, by_side in item.surfaces.items():
            assert len(by_side) >= 2, (item.name, variant)


def test_no_surface_stands_on_two_sides():
    """The same words cannot be both meanings of an item."""
    for item in sides.items():
        for by_side in item.surfaces.values():
            said = [text for texts in by_side.values() for text in texts]
            assert len(said) == len(set(said)), item.name


def test_contrasts_share_more_words_than_paraphrases():
    """The table does what it is for: overlap points the wrong way."""
    rows = [
        row
        for row in sides.rows(make_rng(), side_of(0.2))
        if row.kind not in ("joined", "partial", "scenario") and row.language_a == row.language_b
    ]
    mean = {
        label: sum(jaccard(row.a, row.b) for row in rows if row.label == label)
        / sum(row.label == label for row in rows)
        for label in (0, 1)
    }

    assert mean[0] > mean[1]


def test_a_joined_negative_flips_one_half():
    """A long turn with one statement turned round is another turn."""
    rows = [row for row in sides.rows(make_rng(), side_of(0.2)) if row.kind == "joined"]

    assert any(row.label for row in rows)
    assert all(row.a != row.b for row in rows if not row.label)
