import math

import pytest

from models.pipeline.bounds import upper_bound


class TestUpperBound:
    @pytest.mark.parametrize(
        ("hits", "trials", "expected"),
        [
            pytest.param(0, 100, 0.029513, id="none of a hundred"),
            pytest.param(3, 1000, 0.0077352, id="three of a thousand"),
            pytest.param(50, 3000, 0.0210489, id="many"),
            pytest.param(10, 40, 0.3870602, id="few trials"),
            pytest.param(5, 5, 1.0, id="all"),
        ],
    )
    def test_known(self, hits, trials, expected):
        """
        Bounds equal the beta quantile that statistics tables give.
        """
        assert upper_bound(hits, trials) == pytest.approx(expected, abs=1e-6)

    def test_rule_of_three(self):
        """
        Without a hit the bound is `1 - 0.05 ** (1 / n)`, and more confidence means a wider bound.
        """
        assert upper_bound(0, 5000) == pytest.approx(1 - 0.05 ** (1 / 5000), rel=1e-9)
        assert upper_bound(0, 5000, confidence=0.99) > upper_bound(0, 5000)

    def test_probability_at_the_bound(self):
        """
        At the bound, so few hits have exactly the probability that is left over.
        """
        share = upper_bound(1, 20)

        at_most_one = (1 - share) ** 20 + 20 * share * (1 - share) ** 19
        assert math.isclose(at_most_one, 0.05, rel_tol=1e-9)
