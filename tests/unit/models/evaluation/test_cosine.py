"""Pairs by cosine."""

import pytest

from models.evaluation.cosine import by_cosine
from tests.fakes.models import FakeEncoder
from tests.unit.models.evaluation.factories import make_pair


def test_each_text_is_encoded_once():
    """
    A pair's score is the cosine of its cleaned texts; a text in many pairs is encoded once.
    """
    encoder = FakeEncoder({"yes": (1, 0, 0, 0), "haan": (0.6, 0.8, 0, 0)})
    pairs = [make_pair("yes ", "haan"), make_pair("haan", "haan"), make_pair("no", "yes", 0)]

    scored = by_cosine(pairs, encoder)

    assert scored.scores.tolist() == pytest.approx([0.6, 1.0, 0.0])
    assert sorted(encoder.asked) == ["haan", "no", "yes"]
    assert scored.served is None
