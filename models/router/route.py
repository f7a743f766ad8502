"""A compiled router, and its decision about one utterance."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from models.router.evidence import pick
from models.router.prototypes import top_two

if TYPE_CHECKING:
    from models.router.evidence import Knowledge
    from models.router.heard import Heard
    from models.router.prototypes import Vectors
    from models.router.regression import Regression


class Gate(StrEnum):
    """How it is decided what is clear enough."""

    #: The published baseline: best prototype minus second.
    MARGIN = "margin"
    #: Head, evidence and regression.
    DEFAULT = "default"


class Reason(StrEnum):
    """Why a router decided as it did."""

    #: The pick is clear enough.
    ROUTED = "routed"
    #: It is not.
    UNCLEAR = "unclear"
    #: The agent has no intent with an example.
    NO_INTENTS = "no_intents"
    #: Fewer validation phrases than a threshold needs.
    TOO_FEW_PHRASES = "too_few_phrases"
    #: No threshold answers its target share correctly.
    TARGET_NOT_REACHED = "target_not_reached"
    #: An intent is given twice, so which response was meant is not known.
    NAMED_TWICE = "named_twice"
    #: More phrases than are worth the time.
    TOO_MANY_PHRASES = "too_many_phrases"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What the threshold does on the validation phrases, none of which chose its own score."""

    #: Share of in-scope phrases that is answered.
    answered: float
    #: Right answers among all answers, at the production's share of out of scope. The default gate
    #: takes accepted out-of-scope phrases at their upper bound: a promise on the low side.
    accuracy: float
    #: Share of out-of-scope phrases that is answered.
    out_of_scope_answered: float


class Routed(NamedTuple):
    """A decision."""

    #: The intent whose response may be played; None hands the turn to the LLM.
    intent: str | None
    #: Why.
    reason: Reason
    #: The best intent, whether it is clear enough or not; None without intents.
    candidate: str | None = None
    #: The second best by the same measure; None with fewer than two intents.
    runner_up: str | None = None
    #: Cosine of the candidate's prototype.
    score: float = 0.0
    #: That cosine minus the one of the runner-up; below 0 where the head disagrees with the
    #: prototypes, and the score itself where there is one intent only.
    margin: float = 0.0
    #: What is held against the threshold: the margin, or the chance that the candidate is right.
    confidence: float = 0.0
    #: From which confidence on an intent is picked; infinite where none ever is.
    threshold: float = np.inf


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Router:
    """
    Everything that a decision needs; made by `compile_router` or `from_bytes`, never changed.

    One router serves one encoder: vectors of another one mean nothing to it.
    """

    #: Encoder whose vectors it understands.
    encoder_fingerprint: str
    #: SHA-256 of phrases and options: another one means that it must be compiled again.
    digest: str
    gate: Gate
    #: Intents, C of them; may be empty.
    names: tuple[str, ...]
    #: (C, D) float32: the mean of each intent's examples, at length 1.
    prototypes: Vectors
    #: Of the default gate; None of the margin gate and without intents.
    knowledge: Knowledge | None = None
    #: Likewise, and None where there was nothing to fit it on.
    regression: Regression | None = None
    #: Infinite where the router abstains from everything.
    threshold: float = np.inf
    #: `ROUTED` where it can route, else why it abstains.
    state: Reason = Reason.ROUTED
    #: At the threshold; None where it abstains.
    quality: Quality | None = None
    #: Languages of the phrases; None where it never saw any.
    heard: Heard | None = None

    @property
    def dimension(self) -> int:
        """Width D of the vectors; 0 without intents."""
        return int(self.prototypes.shape[1])

    def route(self, vector: Vectors) -> Routed:
        """
        Decide about one utterance.

        Args:
            vector: (D,) float32 at length 1, of this router's encoder.

        Raises:
            ValueError: the vector has another width.
        """
        if not self.names:
            return Routed(intent=None, reason=self.state)
        if vector.shape != (self.dimension,):
            raise ValueError(f"a vector of width {self.dimension} is needed")
        if self.knowledge is None:
            return self._by_margin(vector)
        return self._by_evidence(self.knowledge, vector)

    def _by_margin(self, vector: Vectors) -> Routed:
        cosines = self.prototypes @ vector
        top = top_two(cosines[None])
        best, second, margin = int(top.best[0]), int(top.second[0]), float(top.margin[0])
        return self._decided(best, second, float(cosines[best]), margin, margin)

    def _by_evidence(self, knowledge: Knowledge, vector: Vectors) -> Routed:
        found = pick(knowledge, vector)
        score = float(self.prototypes[found.intent] @ vector)
        margin = score
        if found.second != found.intent:
            margin -= float(self.prototypes[found.second] @ vector)
        chance = 0.0
        if self.regression is not None:
            chance = self.regression.chance(found.evidence)
        return self._decided(found.intent, found.second, score, margin, chance)

    def _decided(
        self, best: int, second: int, score: float, margin: float, confidence: float
    ) -> Routed:
        clear = confidence >= self.threshold
        refused = Reason.UNCLEAR if self.state is Reason.ROUTED else self.state
        return Routed(
            intent=self.names[best] if clear else None,
            reason=Reason.ROUTED if clear else refused,
            candidate=self.names[best],
            runner_up=self.names[second] if second != best else None,
            score=score,
            margin=margin,
            confidence=confidence,
            threshold=self.threshold,
        )
