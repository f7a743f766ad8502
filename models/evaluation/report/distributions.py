"""Where the scores of each class lie: what should match above its line, what must not below."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.report import svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from models.evaluation.measure import Scored

WIDTH = 1300
_LEFT, _RIGHT, _TOP, _ROW, _FOOT = 190, 1020, 44, 58, 30
#: Right ends of the two columns of numbers.
_RECALL, _WRONG = 1140, 1290
#: Half of a row's height that its bars may take.
_REACH = 25
_BINS = 75
#: Classes that are drawn, those with errors first.
_MOST = 40


@dataclass(frozen=True, slots=True)
class _Bins:
    """Where bars stand; an edge lies on the threshold, so that no bar is on both sides of it."""

    #: (B + 1,) edges.
    edges: NDArray[np.float64]
    #: Bars before the threshold.
    below: int
    axis: svg.Axis


def span(scores: NDArray[np.float32], threshold: float) -> tuple[float, float]:
    """Lowest and highest logit to draw: nearly all scores, and the threshold with some room."""
    finite = scores[np.isfinite(scores)]
    low, high = np.percentile(finite, (0.5, 99.5)) if finite.size else (threshold, threshold)
    return float(min(low, threshold - 1)), float(max(high, threshold + 1))


def draw(scored: Scored, threshold: float, limits: tuple[float, float]) -> str:
    """
    Draw one row for each class, those with most wrong hits first.

    Args:
        scored: the pairs as the hot path decides them.
        threshold: that ships.
        limits: lowest and highest score that are drawn; what lies beyond stands at the edge.
    """
    bins = _bins(threshold, limits)
    classes = _classes(scored)
    bottom = _TOP + _ROW * len(classes[:_MOST])
    parts = _frame(bins.axis, threshold, bottom)
    for place, (name, places) in enumerate(classes[:_MOST]):
        middle = _TOP + _ROW * (place + 0.5)
        parts.append(svg.label((_LEFT - 16, middle + 5), name, "name", "end"))
        parts += _row(scored, places, bins, middle)
    if len(classes) > _MOST:
        left = f"and {len(classes) - _MOST} more classes"
        parts.append(svg.label((_WRONG, bottom + 18), left, "tick", "end"))
    return svg.picture(WIDTH, bottom + _FOOT, parts, title="Scores by class")


def _bins(threshold: float, limits: tuple[float, float]) -> _Bins:
    width = (limits[1] - limits[0]) / _BINS
    below = math.ceil((threshold - limits[0]) / width)
    edges = threshold + width * np.arange(-below, _BINS + 2 - below, dtype=np.float64)
    axis = svg.Axis(low=float(edges[0]), high=float(edges[-1]), start=_LEFT, end=_RIGHT)
    return _Bins(edges, below, axis)


def _classes(scored: Scored) -> list[tuple[str, list[int]]]:
    found: dict[str, list[int]] = {}
    for place, pair in enumerate(scored.pairs):
        found.setdefault(pair.kind or "without class", []).append(place)
    return sorted(found.items(), key=lambda item: _errors(scored, item[1]))


def _errors(scored: Scored, places: Sequence[int]) -> tuple[float, float]:
    """Sorts by wrong hits, then by the share of misses, most first."""
    truth, served = scored.labels[places] == 1, _served(scored)[places]
    missed = float((truth & ~served).sum()) / max(1, int(truth.sum()))
    return -float((served & ~truth).sum()), -missed


def _served(scored: Scored) -> NDArray[np.bool_]:
    return np.zeros(len(scored.pairs), np.bool_) if scored.served is None else scored.served


def _frame(axis: svg.Axis, threshold: float, bottom: float) -> list[str]:
    parts = []
    for tick in axis.ticks():
        x = axis.at(tick)
        parts += [
            svg.line((x, _TOP), (x, bottom), "grid"),
            svg.label((x, bottom + 18), svg.signed(tick), "tick", "middle"),
        ]
    x = axis.at(threshold)
    return [
        *parts,
        svg.label((x - 8, _TOP - 10), "not served", "tick", "end"),
        svg.label((x + 8, _TOP - 10), "served", "strong"),
        svg.label((_RECALL, _TOP - 10), "recall", "tick", "end"),
        svg.label((_WRONG, _TOP - 10), "wrong hits", "tick", "end"),
        svg.line((x, _TOP - 24), (x, bottom), "threshold"),
    ]


def _row(scored: Scored, places: Sequence[int], bins: _Bins, middle: float) -> list[str]:
    truth, served = scored.labels[places] == 1, _served(scored)[places]
    scores = scored.scores[places]
    positives, negatives = int(truth.sum()), int((~truth).sum())
    wrong = int((served & ~truth).sum())
    recall = f"{(served & truth).sum() / positives:.0%} of {positives}" if positives else "–"
    hits = f"{wrong} of {negatives}" if negatives else "–"
    return [
        svg.line((_LEFT, middle), (_RIGHT, middle), "axis"),
        *_bars(scores[truth], bins, middle, up=True),
        *_bars(scores[~truth], bins, middle, up=False),
        svg.label((_RECALL, middle + 5), recall, "name", "end"),
        svg.label((_WRONG, middle + 5), hits, "bad" if wrong else "name", "end"),
    ]


def _bars(scores: NDArray[np.float32], bins: _Bins, middle: float, *, up: bool) -> list[str]:
    """Draw a histogram on one side of a line; the highest bar takes the whole room."""
    shown = np.clip(scores[scores > -np.inf], bins.axis.low, bins.axis.high)
    counts, _ = np.histogram(shown.astype(np.float64), bins.edges)
    bars = []
    for place in np.flatnonzero(counts):
        # Square roots, so that a single pair is still seen beside a hundred.
        tall = _REACH * math.sqrt(counts[place] / counts.max())
        left, right = (bins.axis.at(float(edge)) for edge in bins.edges[place : place + 2])
        style = ("match" if up else "other") + (" served" if place >= bins.below else " kept")
        bars.append(svg.box(left, middle - tall if up else middle, right - left - 1, tall, style))
    return bars
