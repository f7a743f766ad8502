"""The curve of a router: how much it answers, and how much of that is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from models.evaluation.report import svg

if TYPE_CHECKING:
    from models.router.threshold import Curve

WIDTH, HEIGHT = 640, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60.0, 620.0, 30.0, 368.0
#: Points of a curve that are drawn: more would lie on each other.
_POINTS = 400
_X = svg.Axis(low=0.0, high=1.0, start=_LEFT, end=_RIGHT)


def accuracy(curve: Curve, target: float, chosen: int | None, least: int) -> str:
    """
    Draw right answers over answered phrases, with the target and the chosen threshold.

    Args:
        curve: what each threshold does.
        target: right answers among all answers.
        chosen: position of the chosen threshold; None where none was.
        least: phrases that a threshold must accept; fewer are drawn pale.
    """
    enough = curve.accepted >= least
    low = min(float(curve.accuracy[enough].min(initial=1.0)), target)
    axis = svg.Axis(low=max(0.0, low - 0.1), high=1.0, start=_BOTTOM, end=_TOP)
    parts = [
        svg.box(_LEFT, _TOP, _RIGHT - _LEFT, axis.at(target) - _TOP, "good"),
        *_grid(axis, "right of all answers"),
        svg.line((_LEFT, axis.at(target)), (_RIGHT, axis.at(target)), "ceiling"),
        svg.label((_LEFT + 6, axis.at(target) - 6), f"target {target * 100:g} %", "tick"),
    ]
    few = [_at(axis, curve, place) for place in _drawn(len(curve.answered)) if not enough[place]]
    many = [_at(axis, curve, place) for place in _drawn(len(curve.answered)) if enough[place]]
    parts += [svg.path(few + many[:1], "cosine"), svg.path(many, "gate")]
    if chosen is not None:
        x, y = _at(axis, curve, chosen)
        text = f"chosen: {curve.answered[chosen]:.1%} answered, {curve.accuracy[chosen]:.1%} right"
        left = x > (_LEFT + _RIGHT) / 2
        below = y < (_TOP + _BOTTOM) / 2
        at = (x - 10 if left else x + 10, y + 24 if below else y - 14)
        parts += [
            svg.dot((x, y), "shipped", 6),
            svg.label(at, text, "strong", "end" if left else "start"),
        ]
    return svg.picture(WIDTH, HEIGHT, parts, title="Right answers by share answered")


def shares(curve: Curve, threshold: float | None) -> str:
    """Draw how much of either side is answered, in and out of scope, over the threshold."""
    axis = svg.Axis(low=0.0, high=1.0, start=_BOTTOM, end=_TOP)
    parts = _grid(axis, "answered", "threshold: chance that the pick is right")
    drawn = _drawn(len(curve.thresholds))
    for values, style in ((curve.answered, "gate"), (curve.out_of_scope_answered, "bare")):
        points = [(_X.at(1.0), _BOTTOM)]
        for place in drawn:
            x, y = _X.at(float(curve.thresholds[place])), axis.at(float(values[place]))
            points += [(x, points[-1][1]), (x, y)]
        parts.append(svg.path([*points, (_LEFT, points[-1][1])], style))
    if threshold is not None:
        x = _X.at(threshold)
        left = x > (_LEFT + _RIGHT) / 2
        parts += [
            svg.line((x, _TOP - 4), (x, _BOTTOM), "threshold"),
            svg.label(
                (x - 8 if left else x + 8, (_TOP + _BOTTOM) / 2),
                f"chosen {threshold:.3f}",
                "strong",
                "end" if left else "start",
            ),
        ]
    return svg.picture(WIDTH, HEIGHT, parts, title="Answered by threshold")


def _drawn(count: int) -> list[int]:
    step = max(1, count // _POINTS)
    return sorted({*range(0, count, step), count - 1})


def _at(axis: svg.Axis, curve: Curve, place: int) -> svg.Point:
    return _X.at(float(curve.answered[place])), axis.at(float(curve.accuracy[place]))


def _grid(axis: svg.Axis, name: str, below: str = "answered, of what is in scope") -> list[str]:
    parts = []
    for share in axis.ticks():
        y = axis.at(share)
        parts += [
            svg.line((_LEFT, y), (_RIGHT, y), "grid"),
            svg.label((_LEFT - 8, y + 4), f"{share:.0%}", "tick", "end"),
        ]
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        x = _X.at(share)
        parts += [
            svg.line((x, _TOP), (x, _BOTTOM), "grid"),
            svg.label((x, _BOTTOM + 18), f"{share:.0%}", "tick", "middle"),
        ]
    return [
        *parts,
        svg.label(((_LEFT + _RIGHT) / 2, _BOTTOM + 40), below, "name", "middle"),
        svg.label((_LEFT - 44, _TOP - 12), name, "name"),
    ]
