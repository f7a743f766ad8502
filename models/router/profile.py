"""From an agent's profile to what its router is compiled from."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import orjson

from models.router.compile import RECIPE, Options
from models.router.phrases import Phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from topics.profile import AgentProfile


class Sources(NamedTuple):
    """What decides which router comes out; equal sources give equal routers."""

    #: (name, examples) of each intent, as they stand in the profile.
    intents: tuple[tuple[str, tuple[str, ...]], ...]
    validation: dict[str, tuple[str, ...]]
    out_of_scope: tuple[str, ...]
    target: float
    out_of_scope_share: float


def sources(profile: AgentProfile) -> Sources:
    """Take what matters for the router out of a profile: neither modes nor responses."""
    return Sources(
        intents=tuple((intent.name, intent.examples) for intent in profile.intents),
        validation=profile.validation_phrases,
        out_of_scope=profile.out_of_scope_phrases,
        target=profile.router.target_accuracy,
        out_of_scope_share=profile.router.out_of_scope_share,
    )


def digest(given: Sources) -> str:
    """Name sources, and the way in which routers are made of them, in 64 characters."""
    # Validation comes as a mapping, whose order says nothing.
    ordered = given._replace(validation=dict(sorted(given.validation.items())))
    return hashlib.sha256(orjson.dumps([RECIPE, *ordered])).hexdigest()


def phrases(given: Sources) -> Phrases:
    """Make the phrases of a router."""
    return Phrases(
        intents=dict(given.intents),
        validation=given.validation,
        out_of_scope=given.out_of_scope,
        named_twice=named_twice([name for name, _ in given.intents]),
    )


def options(given: Sources) -> Options:
    """Make the options of a router."""
    return Options(target=given.target, out_of_scope_share=given.out_of_scope_share)


def named_twice(names: Sequence[str]) -> frozenset[str]:
    """Names that stand more than once: which response was meant cannot be known."""
    return frozenset(name for name, times in Counter(names).items() if times > 1)
