"""Choosing a threshold."""

import numpy as np
import pytest

from models.pipeline.bounds import upper_bound
from models.pipeline.calibrate import (
    MARGIN,
    allowed_hits,
    choose,
    floor_of,
    guarded,
    language_of,
    lowest_threshold,
    threshold_entry,
)
from models.pipeline.evaluate import Labelled


def make_data(labels, languages) -> Labelled:
    count = len(labels)
    return Labelled([("a", "b")] * count, list(labels), list(languages), ["x/y"] * count)


def test_the_bound_allows_fewer_hits_than_the_rate():
    """With the upper bound under the ceiling, so is the proof, not just the rate."""
    hits = allowed_hits(1000, 0.01, bound=True)

    assert hits < allowed_hits(1000, 0.01, bound=False) == 10
    assert upper_bound(hits, 1000) <= 0.01 < upper_bound(hits + 1, 1000)


def test_too_few_negatives_prove_nothing():
    """Fifty clean negatives cannot show one per cent."""
    assert allowed_hits(50, 0.01, bound=True) == -1
    with pytest.raises(ValueError, match="too few"):
        lowest_threshold(np.zeros(50, np.float32), [0] * 50, -1)


def test_the_lowest_threshold_accepts_exactly_the_allowed_hits():
    """The next negative below it stays out."""
    logits = np.array([5, 4, 3, 2, 1], np.float32)

    threshold = lowest_threshold(logits, [0, 0, 0, 1, 0], 1)

    assert (logits[[0, 1, 2, 4]] >= threshold).sum() == 1


def test_one_hard_language_raises_the_threshold_for_all():
    """There is one threshold, and no language may break the ceiling at it."""
    easy = make_data([0] * 2000 + [1] * 10, ["en"] * 2010)
    hard = make_data([0] * 2000 + [1] * 10 + [0] * 100, ["en"] * 2010 + ["hi"] * 100)
    logits = np.concatenate([np.linspace(-9, 0, 2000), np.full(10, 6)]).astype(np.float32)
    more = np.concatenate([logits, np.full(100, 3)]).astype(np.float32)

    assert choose(easy, logits, 0.01) < 0
    assert choose(hard, more, 0.01) > 3


def test_slack_lets_one_language_have_more():
    """With slack a hard language may be worse than all together, by that factor."""
    labels = [0] * 2000 + [1] * 10 + [0] * 100
    data = make_data(labels, ["en"] * 2010 + ["hi"] * 100)
    logits = np.concatenate([np.linspace(-9, 0, 2000), np.full(10, 6), np.zeros(100)])
    logits = logits.astype(np.float32)
    logits[-2:] = 3

    assert choose(data, logits, 0.01) > 3
    assert choose(data, logits, 0.01, slack=2) < 3


def test_guarded_pairs_are_no_hits():
    """What a guard takes out is never served, whatever the judge says of it."""
    data = Labelled(
        [("call at 8 am", "call at 9 am"), ("yes please", "sure thing")],
        [0, 1],
        ["en", "en"],
        ["x/y", "x/y"],
    )

    assert guarded(data, np.array([9, 5], np.float32)).tolist() == [-np.inf, 5]


def test_the_entry_has_rates_by_language_and_crossed_pairs_as_mixed():
    """A language with one label only says nothing and is left out."""
    data = make_data([1, 0, 1, 0, 0], ["en", "en", "en+hi", "en+hi", "ar"])
    logits = np.array([4, -4, 4, 5, -1], np.float32)

    entry = threshold_entry(data, logits, 1.0)

    assert set(entry["languages"]) == {"en", "mixed"}
    assert entry["languages"]["en"]["false_accept_rate"] == 0
    assert entry["languages"]["mixed"]["false_accept_rate"] == 1
    assert entry["recall"] == 1
    assert entry["false_accept_upper95"] > entry["false_accept_rate"] > 0


@pytest.mark.parametrize(
    ("languages", "expected"), [("ar", "ar"), ("hinglish", "hinglish"), ("ar+en", "mixed")], ids=str
)
def test_language_of(languages, expected):
    """A manifest knows four languages and a mixture."""
    assert language_of(languages) == expected


def test_the_floor_lies_above_every_negative():
    """Positives do not count, and nothing that a guard takes out."""
    scores = {
        ("send it", "keep it"): 1.0, ("send it", "bring it"): 2.0, ("send it", "mail it"): 9.0,
        ("yes", "no"): 5.0,
    }  # fmt: skip
    suite = Labelled(list(scores), [0, 0, 1, 0], ["en"] * 4, ["trap/polarity"] * 4)

    floor = floor_of(suite, lambda pairs: np.array([scores[pair] for pair in pairs], np.float32))

    assert floor == pytest.approx(2.0 + MARGIN)
