"""Compiles routers from draws of a set and measures them on its test part."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from models.evaluation.router.draw import draw
from models.evaluation.router.measure import mean, measure
from models.evaluation.router.rows import OUT_OF_SCOPE
from models.evaluation.router.vectors import cleaned
from models.router import Gate, Options, RouterError, compile_router
from models.router.withhold import unheard
from models.script import writing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from models.evaluation.router.measure import Numbers
    from models.evaluation.router.sets import RoutingSet
    from models.router import Compiled, Routed, Router
    from models.router.compile import Encodes
    from models.router.prototypes import Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a set is measured."""

    #: Examples an intent.
    k: int
    #: Draws of them, seeds 0 to `draws - 1`.
    draws: int
    gate: Gate
    #: Right answers among all answers that a threshold has to reach on validation.
    target: float
    #: Share of out of scope in production; None: that of the test part, or, for the published
    #: baseline, validation phrases as they are.
    out_of_scope_share: float | None = None
    #: The default gate learns from the k examples alone.
    examples_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One draw, measured."""

    seed: int
    compiled: Compiled
    numbers: Numbers
    #: (T,) seconds of each route step.
    times_s: np.ndarray[tuple[int], np.dtype[np.float64]]


def run(rows: RoutingSet, encoder: Encodes, plan: Plan) -> Iterator[Drawn]:
    """
    Measure draw after draw.

    Raises:
        RouterError: target or share are out of range, or the share cannot be taken from the rows.
        InferenceError: the encoder failed.
    """
    options = Options(
        gate=plan.gate,
        target=plan.target,
        out_of_scope_share=_share(rows, plan),
        examples_only=plan.examples_only,
    )
    texts = cleaned([row.text for row in rows.test])
    vectors = encoder.encode(texts)
    for seed in range(plan.draws):
        compiled = compile_router(draw(rows, plan.k, seed), encoder, options)
        known = set(compiled.router.names)
        # An intent that the router does not have is out of its scope.
        truth = [row.intent if row.intent in known else OUT_OF_SCOPE for row in rows.test]
        routed, times_s = _route(compiled.router, vectors)
        numbers = (
            measure(truth, routed)
            | _withheld(compiled.router, texts, truth, routed)
            | {
                "threshold": _finite(compiled.router.threshold),
                "route_p50_ms": float(np.percentile(times_s, 50)) * 1e3,
                "route_p99_ms": float(np.percentile(times_s, 99)) * 1e3,
            }
        )
        yield Drawn(seed=seed, compiled=compiled, numbers=numbers, times_s=times_s)


def summary(drawn: Sequence[Drawn]) -> dict[str, Any]:
    """Means over the draws, and what must be known to read them."""
    first = drawn[0].compiled.router
    return {
        **mean([one.numbers for one in drawn]),
        "intents": len(first.names),
        "abstained": [one.compiled.router.state for one in drawn if not _routes(one)],
        "validation": mean([_validation(one.compiled) for one in drawn]),
        "left_out": int(np.mean([len(one.compiled.findings) for one in drawn])),
        "by_draw": [one.numbers for one in drawn],
    }


def _validation(compiled: Compiled) -> Numbers:
    """What the threshold promised."""
    quality = compiled.router.quality
    if quality is None:
        return dict.fromkeys(("answered", "oos_answered", "accuracy_with_oos"))
    return {
        "answered": quality.answered,
        "oos_answered": quality.out_of_scope_answered,
        "accuracy_with_oos": quality.accuracy,
    }


def _withheld(
    router: Router, texts: Sequence[str], truth: Sequence[str], routed: Sequence[Routed]
) -> Numbers:
    """
    What the hot path's two guards take out of the answers; the other numbers are without them.

    Returns:
        `language_withheld`, `denial_withheld`: of all answers, each by itself. With `_wrong`: those
        of them that are wrong.
    """
    heard = router.heard
    answers = [
        (text, label, one.intent)
        for text, label, one in zip(texts, truth, routed, strict=True)
        if one.intent is not None
    ]
    names = ("language_withheld", "denial_withheld")
    if heard is None or not answers:
        return {f"{name}{end}": None for name in names for end in ("", "_wrong")}
    place = {name: index for index, name in enumerate(router.names)}
    spoken: list[bool] = []
    denied: list[bool] = []
    for text, label, intent in answers:
        said = writing(text)
        if unheard(router, said) is not None or not heard.answers(place[intent], said):
            spoken.append(label == intent)
        if not heard.agrees(place[intent], text):
            denied.append(label == intent)
    found: Numbers = {}
    for name, out in zip(names, (spoken, denied), strict=True):
        found[name] = len(out) / len(answers)
        found[f"{name}_wrong"] = out.count(False) / len(out) if out else None
    return found


def _share(rows: RoutingSet, plan: Plan) -> float | None:
    if plan.out_of_scope_share is not None:
        return plan.out_of_scope_share
    if plan.gate is Gate.MARGIN:
        return None
    known = {row.intent for row in rows.train} - {OUT_OF_SCOPE}
    if not known:
        raise RouterError(f"{rows.name}: no row of the train part has an intent")
    share = float(np.mean([row.intent not in known for row in rows.test]))
    if share == 1:
        raise RouterError(
            f"{rows.name}: no row of the test part has an intent of the train part, so the share "
            "of out of scope cannot be taken from it; state it"
        )
    return share


def _routes(one: Drawn) -> bool:
    return one.compiled.router.quality is not None


def _route(router: Router, vectors: Vectors) -> tuple[list[Routed], Any]:
    routed, times_s = [], []
    for vector in vectors:
        started = time.perf_counter()
        routed.append(router.route(vector))
        times_s.append(time.perf_counter() - started)
    return routed, np.array(times_s)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
