"""From a profile to the phrases of its router."""

from dataclasses import replace
from typing import Any

import pytest

from models.router import Reason, compile_router
from models.router.compile import MAX_PHRASES
from models.router.profile import digest, options, phrases, sources
from tests.unit.models.router.factories import World
from topics.codec import decode, encode
from topics.profile import AgentProfile, Intent, Mode, RouterProfile


def profile(world: World | None = None, **overrides) -> AgentProfile:
    """Make the profile of a world."""
    world = world or World()
    fields: dict[str, Any] = {
        "tenant_id": "t",
        "agent_id": "a",
        "version": 1,
        "intents": tuple(
            Intent(name=name, examples=tuple(texts), response=name)
            for name, texts in world.intents.items()
        ),
        "validation_phrases": {k: tuple(v) for k, v in world.validation.items()},
        "out_of_scope_phrases": tuple(world.out_of_scope),
    } | overrides
    return AgentProfile(**fields)


def test_a_profile_is_compiled():
    """
    Intents, validation and out-of-scope phrases reach the router as they stand in the profile.
    """
    world = World()
    given = sources(profile(world))

    router = compile_router(phrases(given), world.encoder, options(given)).router

    assert router.state is Reason.ROUTED
    assert router.names == tuple(world.intents)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"version": 9}, id="version"),
        pytest.param({"router": RouterProfile(mode=Mode.LIVE)}, id="mode"),
        pytest.param(
            {
                "intents": tuple(
                    replace(intent, response="other", side_effect=True)
                    for intent in profile().intents
                )
            },
            id="responses",
        ),
        pytest.param(
            {"validation_phrases": dict(reversed(profile().validation_phrases.items()))},
            id="order of a mapping",
        ),
    ],
)
def test_what_the_router_does_not_see_changes_nothing(changed):
    """
    A profile with other responses or modes needs no new router.
    """
    one, other = sources(profile()), sources(profile(**changed))

    assert one == other
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"out_of_scope_phrases": ("x",)}, id="out of scope"),
        pytest.param({"validation_phrases": {}}, id="validation"),
        pytest.param({"intents": profile().intents[1:]}, id="intents"),
        pytest.param({"intents": profile().intents[::-1]}, id="order of intents"),
        pytest.param({"router": RouterProfile(target_accuracy=0.9)}, id="target"),
        pytest.param({"router": RouterProfile(out_of_scope_share=0.5)}, id="share"),
    ],
)
def test_what_the_router_sees_makes_another_one(changed):
    """
    A stored router is found again only under the same phrases and options.
    """
    assert digest(sources(profile())) != digest(sources(profile(**changed)))


def test_the_digest_survives_the_topic():
    """
    Every worker that reads the record finds the same stored router.
    """
    one = profile()

    assert digest(sources(decode(AgentProfile, encode(one)))) == digest(sources(one))


def test_an_intent_that_stands_twice():
    """
    Which of two responses was meant is not known, so nothing is routed.
    """
    world = World()
    twice = profile(world)
    given = sources(replace(twice, intents=(*twice.intents, twice.intents[0])))

    router = compile_router(phrases(given), world.encoder, options(given)).router

    assert router.state is Reason.NAMED_TWICE
    assert router.names == ()


def test_too_many_phrases():
    """
    A profile that would take minutes to learn is not learnt at all.
    """
    world = World()
    many = tuple(f"phrase {number}" for number in range(MAX_PHRASES))
    given = sources(profile(world, out_of_scope_phrases=many))

    router = compile_router(phrases(given), world.encoder, options(given)).router

    assert router.state is Reason.TOO_MANY_PHRASES
