"""What errors cost at each threshold, for several prices of a wrong serve."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.curves import best_threshold, cost
from models.evaluation.report import svg

if TYPE_CHECKING:
    from models.evaluation.measure import Scored

WIDTH, HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 620, 30, 372
#: How many misses a wrong serve is as bad as.
RATIOS = (3, 10, 30, 100)
#: Costs are drawn up to here: beyond, the judge does harm anyway.
_HIGHEST = 1.5
_STEPS = 240
_Y = svg.Axis(low=0.0, high=_HIGHEST, start=_BOTTOM, end=_TOP)


def draw(scored: Scored, threshold: float, span: tuple[float, float]) -> str:
    """
    Draw one line for each price, with its cheapest threshold, and the shipped threshold.

    Args:
        scored: the pairs as the hot path decides them.
        threshold: that ships.
        span: lowest and highest score that are drawn.
    """
    axis = svg.Axis(low=span[0], high=span[1], start=_LEFT, end=_RIGHT)
    parts = _grid(axis, threshold)
    for place, ratio in enumerate(RATIOS):
        parts += _line(scored, ratio, axis, f"price p{place}")
    return svg.picture(WIDTH, HEIGHT, parts, title="Cost of errors by threshold")


def rows(scored: Scored, threshold: float) -> list[tuple[int, float, float, float]]:
    """For each price: cost at the shipped threshold, the least cost, and the threshold of it."""
    found = []
    for ratio in RATIOS:
        best = best_threshold(scored, ratio)
        here, least = cost(scored, np.array([threshold, best]), ratio)
        found.append((ratio, float(here), float(least), best))
    return found


def _grid(axis: svg.Axis, threshold: float) -> list[str]:
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5):
        y = _Y.at(share)
        parts += [
            svg.line((_LEFT, y), (_RIGHT, y), "axis" if share == 1 else "grid"),
            svg.label((_LEFT - 8, y + 4), f"{share:.0%}", "tick", "end"),
        ]
    for tick in axis.ticks():
        x = axis.at(tick)
        parts += [
            svg.line((x, _TOP), (x, _BOTTOM), "grid"),
            svg.label((x, _BOTTOM + 18), svg.signed(tick), "tick", "middle"),
        ]
    x = axis.at(threshold)
    middle = (_LEFT + _RIGHT) / 2
    parts += [
        svg.label((_LEFT + 8, _Y.at(1.0) - 6), "serving nothing costs this", "tick"),
        svg.line((x, _TOP - 4), (x, _BOTTOM), "threshold"),
        svg.label((x, _TOP - 10), f"shipped {threshold:+.2f}", "strong", "middle"),
        svg.label((middle, _BOTTOM + 40), "threshold, logit", "name", "middle"),
    ]
    return parts


def _line(scored: Scored, ratio: float, axis: svg.Axis, style: str) -> list[str]:
    thresholds = np.linspace(axis.low, axis.high, _STEPS)
    costs = cost(scored, thresholds, ratio)
    points = list(zip(thresholds.tolist(), costs.tolist(), strict=True))
    lines = [
        svg.path([(axis.at(threshold), _Y.at(total)) for threshold, total in run], style)
        for inside, run in itertools.groupby(points, lambda point: point[1] <= _HIGHEST)
        if inside
    ]
    best = best_threshold(scored, ratio)
    least = float(cost(scored, np.array([best]), ratio)[0])
    return [*lines, svg.dot((axis.at(best), _Y.at(least)), style, 4.5)]
