"""A decision's numbers; `test_compile.py` has decisions of whole routers."""

import numpy as np
import pytest

from models.router.route import _standing


@pytest.mark.parametrize(
    ("cosines", "best", "score", "margin"),
    [
        pytest.param([0.9, 0.5, 0.75], 0, 0.9, 0.15, id="best of all"),
        pytest.param([0.9, 0.5, 0.75], 1, 0.5, -0.4, id="the head prefers another than the cosine"),
        pytest.param([0.8, 0.8], 1, 0.8, 0.0, id="two alike"),
        pytest.param([0.8], 0, 0.8, 0.8, id="alone"),
    ],
)
def test_standing(cosines, best, score, margin):
    """
    The margin is to the best of the others, and the score itself where there is no other.
    """
    found = _standing(np.array(cosines, np.float32), best)

    assert found == pytest.approx((score, margin), abs=1e-6)
