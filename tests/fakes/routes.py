"""A router of two intents whose decisions are plain to see, and the profile that it routes for."""

from dataclasses import replace
from typing import Any

import numpy as np

from models.router import Gate, Reason, Router
from models.router.heard import Heard
from models.script import Writing
from tests.fakes.hot import make_profile
from topics.profile import AgentProfile, Intent, Mode, RouterProfile
from workers.hot.routes import Route

#: Where the two intents lie, and what is near neither.
HOURS, PRICE, NEITHER = (1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
ENGLISH = Writing("latin", "en")
INTENTS = (
    Intent(name="hours", examples=("when do you open",), response="nine to five"),
    Intent(name="price", examples=("how much is it",), response_ref="price.wav"),
)


def make_heard(**overrides) -> Heard:
    """Make what a router knows of phrases that are English and deny nothing."""
    fields: dict[str, Any] = {
        "examples": (frozenset([ENGLISH]), frozenset([ENGLISH])),
        "validation": {ENGLISH: 40},
        "denying": (frozenset([False]), frozenset([False])),
    } | overrides
    return Heard(**fields)


def make_router(**overrides) -> Router:
    """Make a router that routes from a margin of 0.5 on, for callers who speak English."""
    fields: dict[str, Any] = {
        "encoder_fingerprint": "encoder-1",
        "digest": "router-1",
        "gate": Gate.MARGIN,
        "names": ("hours", "price"),
        "prototypes": np.array([HOURS, PRICE], np.float32),
        "threshold": 0.5,
        "state": Reason.ROUTED,
        "heard": make_heard(),
    } | overrides
    return Router(**fields)


def routing_profile(
    mode: Mode = Mode.LIVE, match: Mode = Mode.LIVE, intents=INTENTS, **overrides
) -> AgentProfile:
    """Make a profile of tenant t's agent `live` with both intents."""
    return replace(
        make_profile("live", match),
        router=RouterProfile(mode=mode),
        intents=tuple(intents),
        **overrides,
    )


def make_route(profile: AgentProfile, router: Router | None = None) -> Route:
    """Make a route that is ready."""
    return Route(
        profile, router or make_router(), {intent.name: intent for intent in profile.intents}
    )
