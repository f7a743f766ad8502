"""Pieces of SVG."""

import itertools
from xml.etree import ElementTree as ET

import pytest

from models.evaluation.report import svg


class TestAxis:
    @pytest.mark.parametrize(
        ("value", "pixel"), [(0, 100), (5, 150), (10, 200), (-3, 100), (99, 200)], ids=str
    )
    def test_linear(self, value, pixel):
        """
        Values go to pixels evenly; what lies outside is drawn at the end.
        """
        assert svg.Axis(low=0, high=10, start=100, end=200).at(value) == pixel

    @pytest.mark.parametrize(("value", "pixel"), [(0, 0), (0.01, 0), (0.1, 50), (1, 100)], ids=str)
    def test_logarithmic(self, value, pixel):
        """
        Equal factors take equal room, and 0 stands at the start.
        """
        assert svg.Axis(low=0.01, high=1, start=0, end=100, log=True).at(value) == pixel

    def test_downwards(self):
        """
        An axis may run up the page.
        """
        assert svg.Axis(low=0, high=1, start=300, end=100).at(0.75) == 150

    @pytest.mark.parametrize(
        ("low", "high"), [(-8.3, 9.1), (0.21, 0.24), (-1, 1), (-300, 40)], ids=str
    )
    def test_ticks(self, low, high):
        """
        A few evenly spaced round values lie on the axis.
        """
        ticks = svg.Axis(low=low, high=high, start=0, end=1).ticks()

        steps = {round(after - before, 6) for before, after in itertools.pairwise(ticks)}
        assert 3 <= len(ticks) <= 10
        assert len(steps) == 1
        assert all(low <= tick <= high for tick in ticks)


def test_text_is_escaped():
    """
    Text never becomes markup, neither inside an element nor in an attribute.
    """
    written = svg.tag("g", svg.label((1, 2), '<b>"&'), class_='a"b')

    element = ET.fromstring(written)  # noqa: S314 - our own

    assert element.attrib == {"class": 'a"b'}
    assert element[0].text == '<b>"&'


@pytest.mark.parametrize(("value", "text"), [(-2.0, "-2"), (0.0, "0"), (2.5, "+2.5")], ids=str)
def test_signed(value, text):
    """
    Logits have their sign, except 0.
    """
    assert svg.signed(value) == text
