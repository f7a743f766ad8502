"""Recall against false accepts, with the threshold that ships."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.evaluation.report import svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from models.evaluation.curves import Curve

WIDTH, HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 620.0, 30.0, 372.0
#: False accept rates from here down are drawn at the left edge, as 0.
_FLOOR = 5e-4
_TICKS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
_X = svg.Axis(low=_FLOOR, high=1.0, start=_LEFT, end=_RIGHT, log=True)
_Y = svg.Axis(low=0.0, high=1.0, start=_BOTTOM, end=_TOP)
#: Points of a curve that are drawn: more would lie on each other.
_POINTS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Operating:
    """Where a threshold puts a judge."""

    threshold: float
    recall: float
    false_accepts: float
    #: Upper bound of the false accept rate, 95 %.
    upper: float


def draw(curves: Mapping[str, Curve], shipped: Operating, ceiling: float) -> str:
    """
    Draw the curves, the shipped threshold with its bound, and the ceiling.

    Args:
        curves: by the class of their line.
        shipped: the threshold that ships.
        ceiling: false accept rate up to which a judge is good.
    """
    return svg.picture(
        WIDTH,
        HEIGHT,
        [
            *_grid(ceiling),
            *(_line(curve, style) for style, curve in curves.items()),
            *_shipped(shipped),
        ],
        title="Recall against false accept rate",
    )


def _grid(ceiling: float) -> list[str]:
    parts = [svg.box(_LEFT, _TOP, _X.at(ceiling) - _LEFT, _BOTTOM - _TOP, "good")]
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        y = _Y.at(share)
        parts += [
            svg.line((_LEFT, y), (_RIGHT, y), "grid"),
            svg.label((_LEFT - 8, y + 4), f"{share:.0%}", "tick", "end"),
        ]
    parts.append(svg.label((_LEFT, _BOTTOM + 18), "0", "tick", "middle"))
    for share in _TICKS:
        x = _X.at(share)
        parts += [
            svg.line((x, _TOP), (x, _BOTTOM), "grid"),
            svg.label((x, _BOTTOM + 18), f"{share * 100:g} %", "tick", "middle"),
        ]
    middle = (_LEFT + _RIGHT) / 2
    parts += [
        svg.label((middle, _BOTTOM + 40), "false accepts (logarithmic)", "name", "middle"),
        svg.label((_LEFT - 8, _TOP - 12), "recall", "name", "end"),
        svg.line((_X.at(ceiling), _TOP), (_X.at(ceiling), _BOTTOM), "ceiling"),
    ]
    return parts


def _line(curve: Curve, style: str) -> str:
    step = max(1, len(curve.recall) // _POINTS)
    points = [(_LEFT, _Y.at(0.0))]
    for place in (*range(0, len(curve.recall), step), len(curve.recall) - 1):
        x, y = _X.at(float(curve.false_accepts[place])), _Y.at(float(curve.recall[place]))
        points += [(x, points[-1][1]), (x, y)]
    return svg.path(points, style)


def _shipped(shipped: Operating) -> list[str]:
    x, y = _X.at(shipped.false_accepts), _Y.at(shipped.recall)
    text = f"shipped {shipped.threshold:+.2f}: {shipped.recall:.1%} at {shipped.false_accepts:.2%}"
    low = y > (_TOP + _BOTTOM) / 2
    return [
        svg.line((x, y), (_X.at(shipped.upper), y), "bound"),
        svg.dot((x, y), "shipped", 6),
        svg.label((x + 10, y - 12 if low else y + 22), text, "strong"),
    ]
