"""Learning what a logit is worth by the form of its pair."""

import numpy as np
import pytest

from models.pipeline.evaluate import Labelled
from models.pipeline.form import Weighed, fit, measures, unseen

#: Words that carry nothing, to make pairs of.
NAMES = ("amber", "bronze", "coral", "denim", "ebony", "fawn", "grape", "hazel", "ivory", "jade")


def pairs_of(count, *, alike, seed):
    """Labels at random; pairs that share all words but one, or nothing."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        one, other, third = rng.choice(NAMES, 3, replace=False)
        said = f"the {one} parcel came number {number}"
        pair = (said, f"the {other} parcel came number {number}") if alike else (said, third)
        found.append((pair, int(rng.random() < 0.5)))
    return found


LABELS = dict([*pairs_of(300, alike=True, seed=1), *pairs_of(300, alike=False, seed=2)])


@pytest.fixture(scope="module")
def files():
    """Two files: pairs that share their words and stand too high, and pairs that share none."""
    near = [(pair, label) for pair, label in LABELS.items() if len(pair[1].split()) > 1]
    far = [(pair, label) for pair, label in LABELS.items() if len(pair[1].split()) == 1]
    return [
        Weighed(
            Labelled(
                [pair for pair, _ in one],
                [label for _, label in one],
                ["en"] * len(one),
                ["x"] * len(one),
            ),
            score_near_high,
        )
        for one in (near, far)
    ]


def score_near_high(pairs):
    """Pairs of two sentences stand two logits too high."""
    rng = np.random.default_rng(5)
    known = {**LABELS, **{(b, a): label for (a, b), label in LABELS.items()}}
    found = [
        3.0 * known[pair] + 3.0 * (min(len(side.split()) for side in pair) > 1) for pair in pairs
    ]
    return (np.array(found) + rng.normal(0, 0.7, len(pairs))).astype(np.float32)


def joined_recall(scores, files):
    """Recall over both files at one threshold with 2 % false accepts."""
    labels = np.concatenate([one.labels for one in files])
    return measures(np.concatenate(scores), labels)["recall_at_2pct"]


def test_one_threshold_fits_both_forms(files):
    """What stands too high because of its form comes down, for utterances that were not seen."""
    before = joined_recall([one.plain for one in files], files)
    after = joined_recall(unseen(files), files)

    assert before < 0.6
    assert after > 0.8


def test_each_file_counts_alike(files):
    """A file that holds each pair twice weighs no more than once."""
    near, far = files
    pairs = [pair for pair in LABELS if len(pair[1].split()) == 1]
    labels = [LABELS[pair] for pair in pairs]
    doubled = Labelled(pairs * 2, labels * 2, ["en"] * 2 * len(pairs), ["x"] * 2 * len(pairs))

    def repeated(asked):
        half = score_near_high(asked[: len(pairs)])
        return np.concatenate([half, half])

    once, twice = fit([near, far]), fit([near, Weighed(doubled, repeated)])

    # the ridge depends on the number of rows: scores are drawn out, and stay in their order
    assert np.corrcoef(near.by(once), near.by(twice))[0, 1] > 0.999


def test_what_a_guard_takes_out_teaches_nothing():
    """The judge is never asked for a pair with two times of day, so it is left out."""
    data = Labelled(
        [("call at 8 am", "call at 9 am"), ("yes please", "sure thing")],
        [0, 1],
        ["en", "en"],
        ["x", "x"],
    )

    found = Weighed(data, lambda pairs: np.zeros(len(pairs), np.float32))

    assert found.labels.tolist() == [1]
