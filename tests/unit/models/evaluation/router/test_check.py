"""What the writer of a profile is told about its router."""

from dataclasses import replace
from typing import Any

import pytest

from models.evaluation.router.check import check, shown
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


def two_languages(world: World, count: int) -> dict[str, tuple[str, ...]]:
    """Validation phrases of each intent, as many in English or the like as in Hindi."""
    return {
        name: (
            *texts[:count],
            *world.phrases(f"हिन्दी में सवाल {axis} है", axis, count, 0.08, 800 + axis),
        )
        for axis, (name, texts) in enumerate(world.validation.items())
    }


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
    assert "20 are missing" in sentence


def test_no_language_has_enough_validation_phrases():
    """
    A router whose every answer the hot path withholds routes nothing, and what lacks is said.
    """
    world = World()

    found = check(profile(world, validation_phrases=two_languages(world, 4)), world.encoder)

    assert found.router.state is Reason.ROUTED
    assert (found.state, found.quality, found.curve) == ("no_language", None, ())
    assert found.delivered.withheld == {"route_language": 32}
    assert not any(row.routed for row in (*found.intents, *found.languages))
    assert found.advice[0].startswith("Nothing will be routed: a language is routed from 20")
    assert "missing: English or Hinglish 4." in found.advice[0]
    assert not any(one.startswith("Callers who speak") for one in found.advice)


def test_one_language_has_not_enough():
    """
    Its phrases count as not answered, in share, curve and rows.
    """
    world = World()
    validation = two_languages(world, 3)
    for name, texts in world.validation.items():
        validation[name] = (*validation[name][3:], *texts[:9])

    found = check(profile(world, validation_phrases=validation), world.encoder)

    assert found.state == "routed"
    assert found.quality.answered == pytest.approx(36 / 48)
    (chosen,) = [point for point in found.curve if point.chosen]
    assert (chosen.answered, chosen.accuracy) == (found.quality.answered, found.quality.accuracy)
    assert found.delivered.withheld == {"route_language": 12}
    assert {row.routed for row in found.intents} == {9}
    assert any("12 validation phrases that the router is sure of" in one for one in found.advice)


def test_an_intent_that_acts():
    """
    Its response is never played, so its phrases are not answered.
    """
    world = World()
    good = profile(world)
    acting = replace(good.intents[0], side_effect=True)

    found = check(replace(good, intents=(acting, *good.intents[1:])), world.encoder)

    assert found.quality.answered == pytest.approx(36 / 48)
    assert found.delivered.withheld == {"route_side_effect": 12}
    assert found.intents[0].routed == 0


def test_the_count_of_a_language_is_what_is_compared():
    """
    Short Latin phrases are shared out, and the share never shows as more than it is.
    """
    world = World()
    english = world.phrases("what would you like me to do with this order", 0, 13, 0.08, 801)
    hinglish = world.phrases("mujhe apna paisa wapas chahiye aur kya karu", 1, 20, 0.08, 802)
    short = world.phrases("ok", 2, 7, 0.08, 803)
    validation = {"intent 0": english, "intent 1": hinglish, "intent 2": short}

    found = check(profile(world, validation_phrases=validation), world.encoder)

    rows = {row.language: row for row in found.languages}
    assert rows["English"].validation == pytest.approx(13 + 7 * 13 / 33)
    assert not rows["English"].routed
    assert any("only 15.7 validation phrases count as theirs" in one for one in found.advice)
    assert shown(19.96) == "19.9"
    assert shown(20.0) == "20"


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
