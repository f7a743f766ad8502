"""Every threshold at once."""

import numpy as np
import pytest

from models.evaluation.curves import best_threshold, cost, trade_off
from models.evaluation.measure import Scored
from models.evaluation.pairs import ALWAYS, NEVER
from tests.unit.models.evaluation.factories import make_pair


def make_scored(positives, negatives) -> Scored:
    labels = [1] * len(positives) + [0] * len(negatives)
    scores = np.array([*positives, *negatives], np.float32)
    return Scored(pairs=[make_pair(label=label) for label in labels], scores=scores)


class TestTradeOff:
    def test_every_threshold(self):
        """
        The curve walks from the highest score to the lowest.
        """
        curve = trade_off(make_scored([3, 1], [2, 0]))

        assert curve.thresholds.tolist() == [3, 2, 1, 0]
        assert curve.recall.tolist() == [0.5, 0.5, 1, 1]
        assert curve.false_accepts.tolist() == [0, 0.5, 0.5, 1]

    def test_what_no_threshold_accepts(self):
        """
        Pairs that were taken out keep the curve below 1; the exact tier is there from the start.
        """
        curve = trade_off(make_scored([ALWAYS, 1, NEVER, NEVER], [0, NEVER]))

        assert curve.recall.tolist() == [0.25, 0.5, 0.5]
        assert curve.false_accepts.tolist() == [0, 0, 0.5]

    def test_one_label(self):
        """
        Without one of the labels there is no trade-off.
        """
        with pytest.raises(ValueError, match="one label"):
            trade_off(make_scored([1], []))


class TestCost:
    def test_ratio(self):
        """
        Misses count one each, wrong serves as many as they are worth, as a share of all positives.
        """
        scored = make_scored([3, 1], [2, 0])

        assert cost(scored, np.array([2.5, 2.0, 0.5, 9.0]), 10).tolist() == [0.5, 5.5, 5.0, 1.0]

    @pytest.mark.parametrize(("ratio", "best"), [(0.1, 1.0), (3, 3.0)], ids=["cheap", "dear"])
    def test_best(self, ratio, best):
        """
        The dearer a wrong serve, the higher the cheapest threshold.
        """
        assert best_threshold(make_scored([3, 1], [2, 0]), ratio) == best

    def test_serving_nothing_may_be_best(self):
        """
        A judge whose best score is wrong serves nothing at the cheapest.
        """
        assert best_threshold(make_scored([1], [2]), 10) == np.inf
