"""What keeps a clear turn from being routed."""

from dataclasses import replace

import pytest

from models.router import Reason as RouterReason
from models.router import compile_router
from models.router.withhold import unheard, withheld
from models.script import writing
from tests.unit.models.router.factories import World
from topics.decision import Reason
from topics.profile import Intent


@pytest.fixture
def router():
    """A router that knows short Latin phrases, none of which denies."""
    world = World()
    return compile_router(world.profile(), world.encoder).router


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("said it number 7", None, id="like its phrases"),
        pytest.param("मेरा पैसा कहाँ है", Reason.ROUTE_LANGUAGE, id="another language"),
    ],
)
def test_languages(router, text, reason):
    """
    A language without validation phrases is not looked at, and one without examples not answered.
    """
    intent = Intent(name="intent 0", examples=("it",), response="yes")

    assert unheard(router, writing(text)) is reason
    assert withheld(router, intent, text, writing(text)) is reason


@pytest.mark.parametrize(
    ("text", "changes", "reason"),
    [
        pytest.param("not it", {}, Reason.ROUTE_NEGATION, id="denies"),
        pytest.param("it", {"side_effect": True}, Reason.ROUTE_SIDE_EFFECT, id="acts"),
        pytest.param("it", {"response": None}, Reason.ROUTE_NO_RESPONSE, id="nothing to play"),
    ],
)
def test_intents(router, text, changes, reason):
    """
    A denial, an intent that acts and one without a response are withheld.
    """
    intent = replace(Intent(name="intent 0", examples=("it",), response="yes"), **changes)

    assert withheld(router, intent, text, writing(text)) is reason


def test_a_router_that_abstains(router):
    """
    Nothing is asked of it.
    """
    abstaining = replace(router, state=RouterReason.TARGET_NOT_REACHED)

    assert unheard(abstaining, writing("it")) is Reason.ROUTE_ABSTAINS
