"""Balancing labels against word overlap."""

from models.pipeline.data.balance import balanced, capped, draw, report
from models.pipeline.data.overlap import auc, jaccard
from tests.unit.models.pipeline.data.factory import make_rng, make_row


def shortcut_rows():
    """Rows whose overlap gives the label away: most positives share all words."""
    rows = [make_row(f"a{n} b{n}", f"b{n} a{n}", 1) for n in range(60)]
    rows += [make_row(f"c{n} d{n}", f"e{n} f{n}", 0) for n in range(60)]
    rows += [make_row(f"g{n} h{n}", f"i{n} j{n}", 1) for n in range(20)]
    rows += [make_row(f"k{n} l{n}", f"l{n} k{n}", 0) for n in range(20)]
    return rows


def overlap_auc(rows):
    return auc([jaccard(row.a, row.b) for row in rows], [row.label for row in rows])


def test_balancing_takes_the_shortcut_away():
    """Overlap predicts the label before, and says nothing after."""
    rows = shortcut_rows()

    kept = balanced(rows, make_rng())

    assert overlap_auc(rows) > 0.7
    assert overlap_auc(kept) == 0.5
    assert sum(row.label for row in kept) * 2 == len(kept)


def test_a_tilt_makes_overlap_mislead():
    """More of the misleading label stays: overlap then points the wrong way."""
    rows = [make_row(f"a{n} b{n}", f"c{n} d{n}", int(n < 40)) for n in range(60)]
    rows += [make_row(f"e{n} f{n}", f"f{n} e{n}", int(n < 20)) for n in range(60)]

    assert overlap_auc(balanced(rows, make_rng())) == 0.5
    assert overlap_auc(balanced(rows, make_rng(), tilt=1.0)) < 0.4


def test_a_draw_cuts_the_largest_class_first():
    """A small class is kept whole beside a large one."""
    rows = [make_row(f"x{n}", "y", kind="big") for n in range(100)]
    rows += [make_row(f"z{n}", "y", kind="small") for n in range(5)]

    kept = draw(rows, 20, make_rng())

    assert len(kept) == 20
    assert sum(row.kind == "small" for row in kept) == 5


def test_a_cap_holds_per_language_and_keeps_labels_even():
    """English is cut to its cap, Hindi has none and stays whole."""
    rows = [make_row(f"a{n}", f"b{n}", n % 2) for n in range(100)]
    hindi = [make_row(f"क{n}", f"ख{n}", n % 2, language_a="hi", language_b="hi") for n in range(10)]

    kept = capped([*rows, *hindi], {"en": 40}, make_rng())

    english = [row for row in kept if row.language_a == "en"]
    assert (len(english), sum(row.label for row in english)) == (40, 20)
    assert len(kept) - len(english) == 10


def test_the_report_counts_by_layer_and_language():
    """Each layer has its own overlap AUC beside its counts."""
    found = report(shortcut_rows())

    assert found["all"]["rows"] == 160
    assert found["clusters/en"]["same"] == 80
    assert found["clusters"]["overlap_auc"] > 0.7
