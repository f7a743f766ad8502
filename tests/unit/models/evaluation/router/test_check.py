"""What the writer of a profile is told about its router."""

from dataclasses import replace
from typing import Any

import pytest

from models.evaluation.router.check import check
from models.router import Reason
from tests.unit.models.router.factories import World
from topics.profile import AgentProfile, Intent, Mode, RouterProfile


def profile(world: World, mode=Mode.LIVE, target=0.95, **overrides) -> AgentProfile:
    """Make the profile of a world."""
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "a",
        "version": 1,
        "router": RouterProfile(mode=mode, target_accuracy=target),
        "intents": tuple(
            Intent(name=name, examples=tuple(texts), response=name)
            for name, texts in world.intents.items()
        ),
        "validation_phrases": {k: tuple(v) for k, v in world.validation.items()},
        "out_of_scope_phrases": tuple(world.out_of_scope),
    } | overrides
    return AgentProfile(**fields)


def test_a_good_profile():
    """
    The curve has the chosen threshold, every intent its row, and nothing is to be looked at.
    """
    world = World()

    found = check(profile(world), world.encoder)

    assert found.router.state is Reason.ROUTED
    (chosen,) = [point for point in found.curve if point.chosen]
    assert chosen.threshold == found.router.threshold
    assert chosen.answered == found.router.quality.answered
    assert chosen.accuracy >= 0.95
    assert [one.intent for one in found.intents] == list(world.intents)
    assert {(one.examples, one.validation) for one in found.intents} == {(8, 12)}
    assert found.confusions == found.misread == ()
    assert found.advice == ()


def test_the_curve_is_in_order():
    """
    With the threshold falls how sure the answers are, and grows how many there are.
    """
    world = World(spread=0.25)

    curve = check(profile(world), world.encoder).curve

    assert len(curve) > 5
    assert [one.threshold for one in curve] == sorted(
        (one.threshold for one in curve), reverse=True
    )
    assert [one.answered for one in curve] == sorted(one.answered for one in curve)


def test_intents_that_are_taken_for_each_other():
    """
    Phrases of one intent that lie amid another one are counted and shown, surest first.
    """
    world = World()
    lost = world.phrases("lost", 1, 3, 0.05, 700)
    validation = {k: tuple(v) for k, v in world.validation.items()}
    validation["intent 0"] = (*validation["intent 0"][3:], *lost)

    found = check(profile(world, validation_phrases=validation), world.encoder)

    (confusion,) = [one for one in found.confusions if one.intent == "intent 0"]
    assert (confusion.taken_for, confusion.phrases, confusion.of) == ("intent 1", 3, 12)
    assert -1 <= confusion.cosine <= 1
    mine = [one for one in found.misread if one.intent == "intent 0"]
    assert {one.text for one in mine} == set(lost)
    assert {one.taken_for for one in mine} == {"intent 1"}
    confidences = [one.confidence for one in found.misread]
    assert confidences == sorted(confidences, reverse=True)
    row = found.intents[0]
    assert row.right == row.validation - 3
    assert row.wrong == confusion.routed == sum(one.routed for one in mine)


@pytest.mark.parametrize(
    ("changes", "target", "said"),
    [
        pytest.param({"intents": (), "validation_phrases": {}}, 0.95, "no intent", id="no intents"),
        pytest.param({"validation_phrases": {}}, 0.95, "0 validation phrases count", id="too few"),
        pytest.param({"out_of_scope_phrases": ()}, 1.0, "keeps 100 % of them", id="target"),
    ],
)
def test_a_router_that_abstains(changes, target, said):
    """
    It says first that nothing will be routed, and why.
    """
    world = World(spread=0.25)

    found = check(profile(world, target=target, **changes), world.encoder)

    assert found.router.quality is None
    assert found.advice[0].startswith("Nothing will be routed: ")
    assert said in found.advice[0]
    assert not any(point.chosen for point in found.curve)


def test_an_intent_that_stands_twice():
    """
    The router abstains and says that it is for this reason.
    """
    world = World()
    good = profile(world)

    found = check(replace(good, intents=(*good.intents, good.intents[0])), world.encoder)

    assert "stands twice" in found.advice[0]


def test_a_profile_without_a_router():
    """
    Off and without intents there is nothing to advise.
    """
    world = World()

    found = check(
        profile(world, Mode.OFF, intents=(), validation_phrases={}, out_of_scope_phrases=()),
        world.encoder,
    )

    assert found.advice == ()


def test_one_intent():
    """
    One intent is routed where validation and out-of-scope phrases show how far it reaches.
    """
    world = World(1, validation=30)

    found = check(profile(world), world.encoder)

    assert found.router.state is Reason.ROUTED
    assert found.confusions == ()


def test_a_language_that_has_examples_and_no_validation_phrases():
    """
    Its callers are not routed, which must not be found out in production.
    """
    world = World()
    hindi = world.phrases("हिन्दी में सवाल", 0, 3, 0.08, 800)
    good = profile(world)
    first = replace(good.intents[0], examples=(*good.intents[0].examples, *hindi))

    found = check(replace(good, intents=(first, *good.intents[1:])), world.encoder)

    (row,) = [one for one in found.languages if one.language == "Hindi"]
    assert (row.intents, row.validation, row.routed) == (1, 0, False)
    (sentence,) = found.advice
    assert "Callers who speak Hindi are not routed" in sentence


def test_intents_and_scopes_that_nothing_is_known_of():
    """
    An intent without validation phrases, and a profile without out-of-scope phrases, are named.
    """
    world = World()
    validation = {k: tuple(v) for k, v in list(world.validation.items())[1:]}

    found = check(
        profile(world, validation_phrases=validation, out_of_scope_phrases=()), world.encoder
    )

    assert any("1 intents have no validation phrase" in one for one in found.advice)
    assert any("With 0 out-of-scope phrases" in one for one in found.advice)


def test_advice_quotes_no_phrase():
    """
    The terminal and the log of a build show places and names.
    """
    world = World(spread=0.3)

    found = check(profile(world, out_of_scope_phrases=()), world.encoder)

    assert "number" not in "".join(found.advice)
