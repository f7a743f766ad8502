"""
What keeps a turn from being routed though the router is clear about it.

The hot path asks before and after `Router.route`; the check of a profile asks the same about every
phrase, so that it promises nothing that no caller gets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.router.route import Reason as RouterReason
from topics.decision import Reason

if TYPE_CHECKING:
    from models.router.route import Router
    from models.script import Writing
    from topics.profile import Intent


def unheard(router: Router, said: Writing) -> Reason | None:
    """Find out what keeps a router from looking at an utterance that is written so."""
    if router.state is not RouterReason.ROUTED or router.heard is None:
        return Reason.ROUTE_ABSTAINS
    return None if router.heard.validated(said) else Reason.ROUTE_LANGUAGE


def withheld(router: Router, intent: Intent, text: str, said: Writing) -> Reason | None:
    """
    Find out what keeps the response of a clear intent from being played.

    Args:
        router: the one that picked it.
        intent: one of the router's.
        text: the cleaned utterance.
        said: how it is written.
    """
    place = router.names.index(intent.name)
    if router.heard is None or not router.heard.answers(place, said):
        return Reason.ROUTE_LANGUAGE
    if not router.heard.agrees(place, text):
        return Reason.ROUTE_NEGATION
    if intent.side_effect:
        return Reason.ROUTE_SIDE_EFFECT
    if intent.response is None and intent.response_ref is None:
        return Reason.ROUTE_NO_RESPONSE
    return None
