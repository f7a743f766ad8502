"""Measures of a judge."""

import numpy as np

from models.pipeline.data import traps
from models.pipeline.evaluate import Labelled, evaluate, rates, read_pairs, recall_at, wrong_rows


def make_data() -> Labelled:
    return Labelled(
        [("yes", "sure"), ("yes", "no"), ("haan", "ji"), ("haan", "nahi")],
        [1, 0, 1, 0],
        ["en", "en", "hinglish", "hinglish"],
        ["clusters/cluster", "clusters/cluster", "clusters/cluster", "grids/time"],
    )


LOGITS = np.array([3, -3, 1, 2], np.float32)


def test_recall_is_counted_above_the_allowed_false_accepts():
    """Of a hundred negatives one may pass at one per cent; the second sets the limit."""
    logits = np.concatenate([np.arange(100), [98.5, 97.5, 50]]).astype(np.float32)
    labels = [0] * 100 + [1] * 3

    assert recall_at(logits, labels, 0.01) == 1 / 3
    assert recall_at(logits, labels, 0.0) == 0
    assert recall_at(logits, labels, 0.02) == 2 / 3


def test_a_positive_tied_with_the_limit_is_not_recalled():
    """A threshold cannot tell equal logits apart."""
    assert recall_at(np.ones(4, np.float32), [1, 1, 0, 0], 0.01) == 0


def test_groups_hold_everything_languages_and_classes():
    """Each group has its own measures, with word overlap beside them."""
    found = evaluate(make_data(), LOGITS, 1.5)

    assert found["all"]["n"] == 4
    assert found["language/en"]["auc"] == 1
    assert found["language/hinglish"]["auc"] == 0
    assert found["class/grids/time"]["auc"] is None
    assert found["all"]["overlap_auc"] == 0.5
    assert found["all"]["recall"] == 0.5


def test_rates_without_negatives_prove_nothing():
    """The upper bound is then one."""
    assert rates(LOGITS[:1], [1], 0.0)["false_accept_upper95"] == 1


def test_wrong_rows_are_named_by_number_only():
    """A report holds no text."""
    found = wrong_rows(make_data(), LOGITS, 1.5)

    assert [entry["row"] for entry in found["wrong_hits"]] == [3]
    assert [entry["row"] for entry in found["misses"]] == [2]
    assert "haan" not in str(found)


def test_the_traps_can_be_read_as_pairs():
    """The table of traps is a suite like any other."""
    data = read_pairs(traps.TRAPS)

    assert len(data.pairs) == len(traps.load(traps.TRAPS))
    assert set(data.languages) == {"en", "hi", "hinglish", "ar"}
