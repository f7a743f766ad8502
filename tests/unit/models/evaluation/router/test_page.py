"""The page on profiles."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from models.evaluation.router.check import check
from models.evaluation.router.page import render
from tests.unit.models.evaluation.router.test_check import profile, two_languages
from tests.unit.models.router.factories import World

#: Elements that are never closed.
_VOID = {"meta"}


class Balanced(HTMLParser):
    """Fails where an element is closed that is not open."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.texts = []

    def handle_starttag(self, tag, attrs):
        assert all(value is not None for _, value in attrs)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def page(*found):
    """Render and parse; give the source and the texts."""
    source = render(list(found))
    parser = Balanced()
    parser.feed(source)
    assert parser.open == []
    return source, " ".join(parser.texts)


def test_a_router_that_routes():
    """
    State, target, the chosen threshold and both curves are on the page.
    """
    world = World(spread=0.2)
    checked = check(profile(world), world.encoder)

    source, text = page((checked, ["12: intents[0].examples[1]: remark"]))

    assert "t / a" in text
    assert "The router routes" in text
    assert f"{checked.router.threshold:.3f} (chosen)" in text
    assert "target 95 %" in text
    assert source.count("<svg") == 2
    assert "12: intents[0].examples[1]: remark" in text
    for one in checked.intents:
        assert one.intent in text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        pytest.param({"validation_phrases": {}}, "too few validation phrases", id="too few"),
        pytest.param({"target": 1.0, "out_of_scope_phrases": ()}, "keeps the target", id="target"),
    ],
)
def test_a_router_that_abstains(changes, said):
    """
    The page says so first, and chooses nothing.
    """
    world = World(spread=0.3)

    _, text = page((check(profile(world, **changes), world.encoder), []))

    assert f"The router abstains: {'no threshold ' if 'target' in changes else ''}{said}" in text
    assert "(chosen)" not in text
    assert "Nothing will be routed" in text


def test_a_router_that_no_caller_hears():
    """
    The headline does not say that it routes where the hot path withholds everything.
    """
    world = World()
    validation = two_languages(world, 4)

    _, text = page((check(profile(world, validation_phrases=validation), world.encoder), []))

    assert "The router routes nothing: no language has enough validation phrases" in text
    assert "(chosen)" not in text


def test_phrases_and_names_are_escaped():
    """
    What somebody wrote is text, whatever it looks like.
    """
    world = World()
    lost = world.phrases("<script>alert(1)</script> lost", 1, 3, 0.05, 700)
    validation = {k: tuple(v) for k, v in world.validation.items()}
    validation["intent 0"] = (*validation["intent 0"][3:], *lost)
    named = profile(world, validation_phrases=validation)

    source, text = page((check(replace(named, agent_id='<b>"&'), world.encoder), []))

    assert "<script" not in source
    assert '<b>"' not in source
    assert '<b>"&' in text
    assert "<script>alert(1)</script>" in text
    assert 'dir="auto"' in source


def test_several_profiles():
    """
    Each has its own part, one without a router only its name.
    """
    world = World()
    gate = profile(world, intents=(), validation_phrases={})
    checked = check(profile(world), world.encoder)

    _, text = page((checked, []), (check(replace(gate, agent_id="b"), world.encoder), []))

    assert text.index("t / a") < text.index("t / b")
    assert "abstains: no intents" in text
