import numpy as np
import pytest

from models.evaluation.classify import ReasonRow
from models.evaluation.labelled import read_labelled
from models.gaps.reasons import REASONS, Reason
from models.pipeline.data.tables import read_table
from models.pipeline.reasons_fit import (
    calibration_error,
    choose_temperature,
    choose_threshold,
    decide,
    fit,
    held_out,
    macro_f1,
)
from models.pipeline.reasons_rows import FOLDS, TABLES, Rows, read_rows
from models.suites import FOLDER
from models.text import clean, match_key

UNCLEAR = REASONS.index(Reason.UNCLEAR)


def toy(count=200, seed=3):
    """Questions whose reason their vector and one word tell."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(4, size=count)
    vectors = np.eye(8, dtype=np.float32)[labels] + rng.normal(0, 0.2, (count, 8)).astype(
        np.float32
    )
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [f"{'abcd'[label] * 4} word{at}" for at, label in enumerate(labels)]
    return Rows(texts, ["en"] * count, labels, np.arange(count) % FOLDS), vectors


class TestFit:
    def test_learns(self):
        """What is told by vector and word is learned, and held-out rows say so."""
        rows, vectors = toy()

        logits = held_out(rows, vectors)

        assert macro_f1(rows.labels, logits.argmax(axis=1)) > 0.95

    def test_same_again(self):
        """The same rows give the same weights."""
        rows, vectors = toy()

        one, other = (fit(rows.texts, vectors, rows.labels) for _ in range(2))

        assert np.array_equal(one.dense, other.dense)
        assert np.array_equal(one.hashed, other.hashed)


class TestChoose:
    def test_threshold(self):
        """Rows that no reason is likely for are better called unclear where they are."""
        labels = np.array([0, 1, UNCLEAR, UNCLEAR])
        shares = np.array(
            [[0.9, 0.1, 0, 0], [0.1, 0.9, 0, 0], [0.3, 0.2, 0.25, 0.25], [0.2, 0.3, 0.25, 0.25]],
            np.float32,
        )

        threshold = choose_threshold(shares, labels)

        assert 0.3 < threshold <= 0.7
        assert decide(shares, threshold).tolist() == labels.tolist()

    def test_temperature(self):
        """Logits that are too sure of themselves are cooled."""
        rng = np.random.default_rng(1)
        labels = rng.integers(4, size=400)
        said = np.where(rng.random(400) < 0.6, labels, rng.integers(4, size=400))
        logits = 4 * np.eye(4, dtype=np.float32)[said]

        assert choose_temperature(logits, labels) > 1

    def test_calibration(self):
        """Shares that are as often right as they say have no error."""
        shares = np.tile(np.array([0.75, 0.25, 0, 0], np.float32), (4, 1))

        assert calibration_error(shares, np.array([0, 0, 0, 1])) == pytest.approx(0)
        assert calibration_error(shares, np.array([1, 1, 1, 1])) == pytest.approx(0.75)


@pytest.fixture(scope="module")
def trained():
    """The training rows."""
    return read_rows()


class TestRows:
    def test_twins_share_a_fold(self, trained):
        """Rows of one name, in any language and class, are never on both sides."""
        names = [row["pair"] for path in sorted(TABLES.glob("*.tsv")) for row in read_table(path)]
        folds = {}
        for name, fold in zip(names, trained.folds, strict=True):
            if name:
                folds.setdefault(name, set()).add(int(fold))

        assert all(len(found) == 1 for found in folds.values())
        assert set(trained.folds.tolist()) == set(range(FOLDS))

    def test_nothing_of_the_suite(self, trained):
        """No question of the suite is trained on, but for a few bare words."""
        suite = {
            match_key(clean(row.asked).text)
            for _, row in read_labelled(FOLDER / "unanswered.jsonl", ReasonRow)
        }
        shared = {text for text in map(match_key, trained.texts) if text in suite}

        assert all(len(text.split()) <= 3 for text in shared)
