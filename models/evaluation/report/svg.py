"""The few pieces of SVG that the plots are made of; coordinates are pixels from the top left."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Point = tuple[float, float]
#: Steps of a linear axis, at most.
_TICKS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """Maps values to pixels; what lies outside is drawn at the end."""

    low: float
    high: float
    #: Pixel of `low`.
    start: float
    #: Pixel of `high`.
    end: float
    #: Equal factors take equal room; `low` is then above 0.
    log: bool = False

    def at(self, value: float) -> float:
        """Pixel of a value."""
        value = min(max(value, self.low), self.high)
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Round values along a linear axis, at most ten of them."""
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / _TICKS))
        while (self.high - self.low) / step > _TICKS:
            step *= 2
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [round(step * place, 6) for place in range(first, last + 1)]


def signed(value: float) -> str:
    """Write a logit as it stands on an axis."""
    return f"{value:+g}" if value else "0"


def tag(name: str, content: str = "", **attributes: object) -> str:
    """
    Write one element.

    Args:
        name: of the element.
        content: markup inside it.
        attributes: `class_` stands for class, an underscore for a hyphen.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>"


def picture(width: int, height: int, parts: Iterable[str], *, title: str) -> str:
    """Put parts together; the title is for those who cannot see it."""
    content = tag("title", escape(title)) + "".join(parts)
    return tag("svg", content, viewBox=f"0 0 {width} {height}", role="img")


def line(start: Point, end: Point, class_: str) -> str:
    """Draw a straight line."""
    return tag("line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], class_=class_)


def path(points: Sequence[Point], class_: str) -> str:
    """Draw a line through points."""
    return tag("polyline", points=" ".join(f"{x},{y}" for x, y in points), class_=class_)


def dot(at: Point, class_: str, radius: float = 4) -> str:
    """Draw a filled circle."""
    return tag("circle", cx=at[0], cy=at[1], r=radius, class_=class_)


def box(left: float, top: float, width: float, height: float, class_: str) -> str:
    """Draw a filled rectangle."""
    return tag(
        "rect",
        x=round(left, 2),
        y=round(top, 2),
        width=round(width, 2),
        height=round(height, 2),
        class_=class_,
    )


def label(at: Point, text: str, class_: str = "", anchor: str = "start") -> str:
    """Write a line of text; `anchor` is start, middle or end."""
    return tag("text", escape(text), x=at[0], y=at[1], class_=class_, text_anchor=anchor)
