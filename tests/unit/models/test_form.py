"""A judge's logits, weighed by the form of the pair."""

import numpy as np
import pytest

from models.errors import BundleError
from models.form import check, columns, forms, weighed
from models.manifest import Form

PLAIN = Form(bias=0.0, weights=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
#: What is spelled alike counts less.
WARY = Form(bias=0.5, weights=(1.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


class TestForms:
    @pytest.mark.parametrize(
        ("a", "b", "alike"),
        [
            ("call me at eight", "call me at eight", 1.0),
            ("Call me at EIGHT.", "call me at eight", 1.0),
            ("مساء الخير", "مساء الخير", 1.0),
            ("मुझे कल फ़ोन करना", "मुझे कल फ़ोन करना", 1.0),
            ("yes", "no way", 0.0),
            ("हाँ जी", "نعم", 0.0),
            ("", "", 0.0),
        ],
    )
    def test_alike(self, a, b, alike):
        """
        What is spelled alike in the exact tier's eyes is alike, in every script.
        """
        assert forms([(a, b)])[0, 0] == alike

    def test_one_word_of_four_differs(self):
        """
        A contrast in one word leaves most trigrams shared.
        """
        (found,) = forms([("please call me at eight", "please call me at nine")])

        assert 0.5 < found[0] < 1

    def test_lengths(self):
        """
        The shorter comes first, whichever side it is on, and a long text counts as thirty words.
        """
        (found,) = forms([("a b c", "a " * 200)])

        assert np.expm1(found[1:]).round(6).tolist() == [3, 30]

    def test_both_orders(self):
        """
        The form of a pair is that of the pair turned round.
        """
        pairs = [("call me back", "please call me back tomorrow"), ("yes", "haan ji bilkul")]

        assert (forms(pairs) == forms([(b, a) for a, b in pairs])).all()

    def test_nothing(self):
        """
        No pairs have no forms.
        """
        assert forms([]).shape == (0, 3)
        assert columns(np.zeros(0), forms([])).shape == (0, 8)


class TestWeighed:
    def test_without_form(self):
        """
        A bundle that says nothing of form leaves its logits alone.
        """
        logits = np.array([1.25, -3.0], np.float32)

        assert weighed(None, [("a", "b"), ("c", "d")], logits) is logits

    def test_alike_counts_less(self):
        """
        At one logit, the pair that shares its words stands lower where the weights say so.
        """
        pairs = [("not on monday", "not on sunday"), ("not on monday", "the week starts badly")]

        near, far = weighed(WARY, pairs, np.array([3.0, 3.0], np.float32))

        assert near < far <= 3.5

    def test_plain_weights(self):
        """
        Weights of one and nothing are the logits themselves, as float32.
        """
        logits = np.array([1.5, -2.0], np.float32)

        found = weighed(PLAIN, [("a b", "a c"), ("x", "y")], logits)

        assert found.tolist() == logits.tolist()
        assert found.dtype == np.float32


class TestCheck:
    def test_rising(self):
        """
        Weights under which a surer judge always means more are taken.
        """
        check(PLAIN)
        check(WARY)

    @pytest.mark.parametrize("place", [3, 5, 7])
    def test_falling(self, place):
        """
        Weights that turn the judge round for some form are refused.
        """
        weights = [1.0, 0, 0, 0, 0, 0, 0, 0]
        weights[place] = -1.5

        with pytest.raises(BundleError, match=r"form\.weights"):
            check(Form(bias=0, weights=tuple(weights)))
