"""
From phrases to a router: off the hot path, seconds for thousands of phrases.

Poor phrases are left out and reported; a router that cannot keep its promise abstains and says why.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import orjson

from models.router.errors import RouterError
from models.router.fit import Material, fit_default, fit_margin
from models.router.heard import listen
from models.router.phrases import Phrases, prepare
from models.router.prototypes import prototypes
from models.router.route import Gate, Quality, Reason, Router
from models.router.threshold import LEAST_ACCEPTED, choose, trade_off

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.router.fit import Fitted
    from models.router.phrases import Finding, Prepared
    from models.router.prototypes import Vectors
    from models.router.threshold import Curve

#: Right answers among all answers that a router has to reach.
TARGET = 0.95
#: Share of utterances that no intent answers, where nobody measured an agent's own.
OUT_OF_SCOPE_SHARE = 0.2
#: The default gate never routes what is more likely wrong than right, even where clearer phrases
#: leave room for errors.
_FLOOR = 0.5
#: More phrases than this are refused: a head over them would take minutes.
MAX_PHRASES = 20_000
#: Changes whenever the same phrases would give another router.
RECIPE = 3


class Encodes(Protocol):
    """What the compilation needs of an encoder."""

    @property
    def fingerprint(self) -> str:
        """Name the weights."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """(N, D) unit rows for N cleaned texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a router is to decide."""

    gate: Gate = Gate.DEFAULT
    #: Right answers among all answers, above 0 up to 1.
    target: float = TARGET
    #: Share of utterances out of scope in production, 0 to below 1; None counts the phrases as
    #: they are, which only the published baseline does.
    out_of_scope_share: float | None = OUT_OF_SCOPE_SHARE
    #: The default gate learns from examples alone, and validation phrases only judge. They then
    #: need not come in folds, but what they could teach is lost.
    examples_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compiled:
    """A router and how it came about."""

    router: Router
    #: Phrases and intents that were left out.
    findings: tuple[Finding, ...]
    #: Intent of each example that counted.
    example_labels: tuple[int, ...] = ()
    #: Validation phrases that counted; what the gate made of each is in `fitted`.
    validation: tuple[tuple[str, int], ...] = ()
    #: Out-of-scope phrases that counted; likewise.
    out_of_scope: tuple[str, ...] = ()
    #: What was learned; None where there was nothing to judge it on.
    fitted: Fitted | None = None
    #: What other thresholds would have done; likewise.
    curve: Curve | None = None


def compile_router(phrases: Phrases, encoder: Encodes, options: Options | None = None) -> Compiled:
    """
    Compile a router.

    Args:
        phrases: what somebody wrote; poor ones are left out and reported.
        encoder: the one whose vectors the router will see.
        options: how it is to decide.

    Returns:
        A router that abstains, and says why, where there are no intents, too few phrases to choose
        a threshold on, or none that reaches the target; likewise where an intent is given twice or
        there are more than `MAX_PHRASES`.

    Raises:
        RouterError: target or share are out of range.
        InferenceError: the encoder failed.
    """
    options = options or Options()
    _check(options)
    refused = _refused(phrases)
    prepared = prepare(phrases if refused is None else Phrases(intents={}))
    base = Router(
        encoder_fingerprint=encoder.fingerprint,
        digest=_digest(prepared, options),
        gate=options.gate,
        names=prepared.names,
        prototypes=np.empty((0, 0), np.float32),
        state=refused or Reason.NO_INTENTS,
    )
    if not prepared.names:
        return Compiled(router=base, findings=prepared.findings)
    material = _encode(prepared, encoder)
    means = prototypes(material.examples, material.example_labels, len(prepared.names))
    base = replace(base, prototypes=means, state=Reason.TOO_FEW_PHRASES, heard=listen(prepared))
    examples = tuple(label for _, label in prepared.examples)
    if len(prepared.validation) < LEAST_ACCEPTED:
        return Compiled(
            router=base,
            findings=prepared.findings,
            example_labels=examples,
            validation=prepared.validation,
        )
    fitted = (
        fit_margin(material, means)
        if options.gate == Gate.MARGIN
        else fit_default(material, options.out_of_scope_share, examples_only=options.examples_only)
    )
    # The baseline counts phrases as they are; ours does not trust a few.
    curve = trade_off(fitted.judged, options.out_of_scope_share, bound=options.gate == Gate.DEFAULT)
    return Compiled(
        router=_with_threshold(base, fitted, curve, options.target),
        findings=prepared.findings,
        example_labels=examples,
        validation=prepared.validation,
        out_of_scope=prepared.out_of_scope,
        fitted=fitted,
        curve=curve,
    )


def _refused(phrases: Phrases) -> Reason | None:
    if phrases.named_twice:
        return Reason.NAMED_TWICE
    return Reason.TOO_MANY_PHRASES if phrases.size > MAX_PHRASES else None


def _with_threshold(base: Router, fitted: Fitted, curve: Curve, target: float) -> Router:
    learned = replace(base, knowledge=fitted.knowledge, regression=fitted.regression)
    place = choose(curve, target, _FLOOR if base.gate == Gate.DEFAULT else -np.inf)
    if place is None:
        return replace(learned, state=Reason.TARGET_NOT_REACHED)
    quality = Quality(
        answered=float(curve.answered[place]),
        accuracy=float(curve.accuracy[place]),
        out_of_scope_answered=float(curve.out_of_scope_answered[place]),
    )
    threshold = float(curve.thresholds[place])
    return replace(learned, threshold=threshold, quality=quality, state=Reason.ROUTED)


def _encode(prepared: Prepared, encoder: Encodes) -> Material:
    texts = [text for text, _ in (*prepared.examples, *prepared.validation)]
    vectors = encoder.encode([*texts, *prepared.out_of_scope])
    first, second = len(prepared.examples), len(texts)
    return Material(
        count=len(prepared.names),
        examples=vectors[:first],
        example_labels=np.array([label for _, label in prepared.examples], np.intp),
        validation=vectors[first:second],
        validation_labels=np.array([label for _, label in prepared.validation], np.intp),
        outside=vectors[second:],
    )


def _digest(prepared: Prepared, options: Options) -> str:
    content = {
        "recipe": RECIPE,
        "options": asdict(options),
        "names": prepared.names,
        "examples": prepared.examples,
        "validation": prepared.validation,
        "out_of_scope": prepared.out_of_scope,
    }
    return hashlib.sha256(orjson.dumps(content)).hexdigest()


def _check(options: Options) -> None:
    if not 0 < options.target <= 1:
        raise RouterError("the target must be above 0 and at most 1")
    if options.out_of_scope_share is not None and not 0 <= options.out_of_scope_share < 1:
        raise RouterError("the share of out of scope must be at least 0 and below 1")
