"""Numbers of a router."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evaluation.router.measure import macro_f1, matthews, mean, measure
from models.router import Reason, Routed


def routed(candidate, *, accepted=True):
    """A decision."""
    intent = candidate if accepted else None
    reason = Reason.ROUTED if accepted else Reason.UNCLEAR
    return Routed(intent=intent, candidate=candidate, reason=reason)


def test_numbers():
    """
    In scope and out of scope are counted apart and together.
    """
    truth = ["a", "a", "b", "b", "oos", "oos"]
    decisions = [
        routed("a"),
        routed("a", accepted=False),
        routed("a"),
        routed("a", accepted=False),
        routed("b"),
        routed("b", accepted=False),
    ]

    numbers = measure(truth, decisions)

    assert numbers["top1"] == 0.5
    assert numbers["answered"] == 0.5
    assert numbers["accuracy"] == 0.5
    assert numbers["oos_answered"] == 0.5
    assert numbers["accuracy_with_oos"] == pytest.approx(1 / 3)


def test_nothing_to_divide_by():
    """
    A router that answers nothing has no accuracy, and one without out-of-scope rows no rate there.
    """
    numbers = measure(["a"], [routed("a", accepted=False)])

    assert numbers["answered"] == 0.0
    assert numbers["accuracy"] is None
    assert numbers["accuracy_with_oos"] is None
    assert numbers["oos_answered"] is None


def test_matthews_of_two_classes():
    """
    With two classes it is the textbook's: here (6·3 - 1·2) / sqrt(7·8·4·5).
    """
    truth = ["p"] * 8 + ["n"] * 4
    predicted = ["p"] * 6 + ["n"] * 2 + ["p"] * 1 + ["n"] * 3

    assert matthews(truth, predicted) == pytest.approx(16 / (7 * 8 * 4 * 5) ** 0.5)


def test_matthews_of_a_router_that_abstains():
    """
    Whoever always says the same knows nothing; where the truth is always the same nobody can tell.
    """
    assert matthews(["a", "b"], ["oos", "oos"]) == 0.0
    assert matthews(["a", "a"], ["a", "b"]) is None


LABELS = st.lists(st.sampled_from("abc"), min_size=2, max_size=30)


@given(LABELS, st.randoms(use_true_random=False))
def test_matthews_is_a_correlation(truth, random):
    """
    It lies between -1 and 1, is 1 where all is right, and is the same either way round.
    """
    predicted = list(truth)
    random.shuffle(predicted)

    found = matthews(truth, predicted)

    if len(set(truth)) == 1:
        assert found is None
    else:
        assert -1 - 1e-9 <= found <= 1 + 1e-9
        assert found == pytest.approx(matthews(predicted, truth))
        assert matthews(truth, truth) == pytest.approx(1.0)


def test_macro_f1():
    """
    Each class of the truth counts the same, however many rows it has.
    """
    assert macro_f1(["a"] * 9 + ["b"], ["a"] * 10) == pytest.approx((18 / 19 + 0) / 2)


def test_mean_leaves_out_what_is_not_there():
    """
    A number that some draws lack is the mean of the others.
    """
    found = mean([{"x": 1.0, "y": None}, {"x": None, "y": None}, {"x": 2.0, "y": None}])

    assert found == {"x": 1.5, "y": None}
