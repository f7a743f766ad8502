import random

import numpy as np
import pytest

from models.pipeline.conservative import MARGIN, Scored, _half, choose, rates, sample
from models.pipeline.data.row import Row

RNG = random.Random(0)  # noqa: S311, nothing secret


def make_row(a, b, label=0, language="en", other=None):
    """A labelled pair."""
    return Row(
        a=a, b=b, label=label, layer="public", kind="k", language_a=language,
        language_b=other or language, group=(), source="s",
    )  # fmt: skip


class TestSample:
    @pytest.mark.parametrize(
        "row",
        [
            pytest.param(make_row("  YES ", "yes", 1), id="exact tier"),
            pytest.param(make_row("at 5", "at 6"), id="other numbers"),
            pytest.param(make_row("yes", "haan", 1, other="hinglish"), id="two languages"),
        ],
    )
    def test_left_out(self, row):
        """
        Pairs that other tiers decide are not drawn.
        """
        assert sample([row], RNG) == []

    def test_drawn(self):
        """
        Pairs that only a model could decide are drawn.
        """
        rows = [make_row("at 5 pm", "5 in the evening", 1), make_row("yes", "no")]

        assert sorted(row.a for row in sample(rows, RNG)) == ["at 5 pm", "yes"]


class TestRates:
    def test_counts(self):
        """
        A score at the threshold is accepted, and only the pairs asked for count.
        """
        scored = Scored([], np.array([0.9, 0.8, 0.9, 0.99]), np.array([True, True, False, False]))

        found = rates(scored, 0.9, np.array([True, True, True, False]))

        assert found["recall"] == 0.5
        assert found["false_accept_rate"] == 1.0
        assert (found["n_positive"], found["n_negative"]) == (2, 1)


class TestChoose:
    def test_above_the_worst_negative(self):
        """
        The value lies one margin above the best negative of one half; the other half is reported.
        """
        rows = [make_row(f"text {i}", f"other {i}", label=i % 2) for i in range(400)]
        halves = np.array([_half(row) for row in rows])
        same = np.array([row.label == 1 for row in rows])
        cosines = np.where(same, 0.95, 0.5)
        cosines[np.flatnonzero(halves & ~same)[0]] = 0.9
        cosines[np.flatnonzero(~halves & ~same)[0]] = 0.99

        found = choose(Scored(rows, cosines, same))

        assert found["value"] == pytest.approx(0.9 + MARGIN, abs=1e-4)
        assert found["recall"] == 1.0
        assert found["n_negative"] == (~halves & ~same).sum()
        assert found["false_accept_rate"] == pytest.approx(1 / found["n_negative"], abs=1e-5)
        assert set(found["languages"]) == {"en"}
