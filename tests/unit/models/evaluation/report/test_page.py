"""The report of an evaluation."""

import re
from html.parser import HTMLParser

import pytest

from models.evaluation import measure
from models.evaluation.cosine import by_cosine
from models.evaluation.pairs import decide_pairs
from models.evaluation.report import Report, render
from tests.fakes.models import FakeEncoder, FakeJudge
from tests.unit.models.evaluation.factories import make_pair

PAIRS = (
    make_pair("ok sure", "yes please", 1, row=1, kind="polarity"),
    make_pair("ok sure", "no way", 0, row=2, kind="polarity", agent="shall I?"),
    make_pair("مش عايز", "ايوه عايز", 0, row=3, language="ar"),
    make_pair("at 5 pm", "at five in the evening", 1, row=4, kind="value"),
    make_pair("<script>alert()</script>", "no", 0, row=5, id="<b>", kind="<i>"),
)


def make_report(pairs=PAIRS):
    judge = FakeJudge({("ok sure", "yes please"): 4.0, ("ok sure", "no way"): 2.0})
    decided = decide_pairs(pairs, judge)
    cosine = by_cosine(pairs, FakeEncoder())
    found = measure.measure(measure.as_served(decided)) | {
        "judge_only": measure.measure(measure.judge_only(decided)),
        "cosine": measure.measure(cosine),
        "script_guard": False,
        "bundles": {"judge": "f" * 64},
        "batch20_ms": {"1": {"p50": 60.0, "p95": 70.0}, "2": {"p50": 30.0, "p95": 40.0}},
    }
    return Report(judge="tiny 1.0", decided=decided, cosine=cosine, measures=found)


class Page(HTMLParser):
    """Reads a page; fails where an element is not closed in its order."""

    def __init__(self, page):
        super().__init__()
        self.open = []
        self.pictures = 0
        self.directions = {}
        self.words = ""
        self.links = []
        self._direction = None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if tag != "meta":
            self.open.append(tag)
        self.pictures += tag == "svg"
        self._direction = known.get("dir")
        self.links += [value for name, value in attrs if name in {"href", "src"}]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += f"{data}\n"
        self.directions[data] = self._direction


class TestRender:
    def test_page(self):
        """
        The page has three plots, is closed properly, and needs nothing else.
        """
        html = render(make_report())

        page = Page(html)
        assert not page.open
        assert page.pictures == 3
        assert not page.links
        assert not re.search(r"url\(|@import|<script", html)

    def test_texts(self):
        """
        Texts of the worst pairs are shown in their own direction, and are never markup.
        """
        page = Page(render(make_report()))

        assert page.directions["مش عايز"] == "auto"
        assert page.directions["shall I?"] == "auto"
        assert "<script>alert()</script>" in page.words
        assert "<b>" in page.words

    def test_numbers(self):
        """
        What ships and what it does stands on the page.
        """
        words = Page(render(make_report())).words

        assert "tiny 1.0 at logit +1.000" in words
        assert "shipped +1.00: 50.0% at 33.33%" in words
        assert "Wrong hits: served, and must not be (1)" in words

    @pytest.mark.parametrize("label", [0, 1], ids=["negatives", "positives"])
    def test_one_label(self, label):
        """
        Pairs of one label have no curves, but still a page.
        """
        pairs = [make_pair("ok sure", "yes please", label), make_pair("why", "how", label)]

        page = Page(render(make_report(pairs)))

        assert not page.open
        assert page.pictures == 1
        assert "one label only" in page.words

    def test_nothing_was_judged(self):
        """
        Pairs that all end before the judge still have a page.
        """
        pairs = [make_pair("yes", "Yes", 1), make_pair("at 5 pm", "at 6 pm", 0)]

        page = Page(render(make_report(pairs)))

        assert page.pictures == 3
