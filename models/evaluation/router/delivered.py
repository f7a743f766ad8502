"""
What callers would get of a router: its answers without those that the hot path withholds.

The router's own threshold was chosen on all phrases. A turn in a language that the threshold was
not chosen on is not routed, nor is one that the guards or the intent keep back; here such phrases
count as not answered.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from models.router import Quality, Reason
from models.router.heard import LEAST_HEARD
from models.router.threshold import trade_off
from models.router.withhold import unheard, withheld
from models.script import writing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from models.router import Compiled, Router
    from models.router.threshold import Curve, Flags
    from models.script import Writing
    from topics.profile import AgentProfile

#: State of a router that is clear often enough, but in no language that has enough phrases.
NO_LANGUAGE = "no_language"
#: Likewise, and everything that it is clear about is withheld for another reason.
WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Delivered:
    """A router as callers meet it."""

    #: `routed` where something is, else why nothing is.
    state: str
    #: None where nothing is routed.
    quality: Quality | None = None
    #: What each threshold would have done; None where there was nothing to judge, or where all of
    #: it is withheld.
    curve: Curve | None = None
    #: (R,) of the judged phrases, whether the hot path would play an answer; None where there was
    #: nothing to judge, or the router abstains.
    playable: Flags | None = None
    #: Validation phrases that are clear and withheld, by the reason in a decision.
    withheld: Mapping[str, int]


def deliver(profile: AgentProfile, compiled: Compiled) -> Delivered:
    """Take from a router's answers what the hot path withholds."""
    router, fitted = compiled.router, compiled.fitted
    if router.state is not Reason.ROUTED or fitted is None or compiled.curve is None:
        return Delivered(state=router.state, curve=compiled.curve, withheld={})
    reasons = list(_reasons(profile, compiled))
    playable = np.array([reason is None for reason in reasons], np.bool_)
    share = profile.router.out_of_scope_share
    curve = trade_off(fitted.judged, share, bound=True, playable=playable)
    place = int(np.flatnonzero(curve.thresholds >= router.threshold)[-1])
    validation = zip(reasons, fitted.judged.scores.tolist(), compiled.validation, strict=False)
    out = Counter(
        str(reason)
        for reason, score, _ in validation
        if reason is not None and score >= router.threshold
    )
    if not curve.answered[place]:
        state = WITHHELD if _any_language(router) else NO_LANGUAGE
        return Delivered(state=state, playable=playable, withheld=out)
    quality = Quality(
        answered=float(curve.answered[place]),
        accuracy=float(curve.accuracy[place]),
        out_of_scope_answered=float(curve.out_of_scope_answered[place]),
    )
    return Delivered(
        state=Reason.ROUTED, quality=quality, curve=curve, playable=playable, withheld=out
    )


def routed_language(router: Router, said: Writing) -> bool:
    """Whether callers who speak so are routed to any intent."""
    if unheard(router, said) is not None or router.heard is None:
        return False
    return any(router.heard.answers(place, said) for place in range(len(router.names)))


def missing(router: Router, said: Writing) -> int:
    """How many more validation phrases a language needs to be routed; 0 where it has enough."""
    counted = router.heard.like(said) if router.heard is not None else 0.0
    return max(math.ceil(LEAST_HEARD - counted), 0)


def _any_language(router: Router) -> bool:
    known = router.heard.validation if router.heard is not None else ()
    return any(routed_language(router, one) for one in known if one.script != "none")


def _reasons(profile: AgentProfile, compiled: Compiled) -> Iterator[str | None]:
    """Yield for each judged phrase why its pick would not be played, or None."""
    if compiled.fitted is None:
        return
    router = compiled.router
    intents = {intent.name: intent for intent in profile.intents}
    validation = [text for text, _ in compiled.validation]
    # After the out-of-scope phrases, validation phrases may stand in for more of them.
    texts = [*validation, *compiled.out_of_scope, *validation]
    for text, picked in zip(texts, compiled.fitted.picked.tolist(), strict=False):
        said = writing(text)
        intent = intents[router.names[picked]]
        yield unheard(router, said) or withheld(router, intent, text, said)
