"""Pages out of templates: everything is escaped, and callers' words keep to their own direction."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

_HERE = Path(__file__).resolve().parent
#: The style sheet.
STYLE = _HERE / "static" / "board.css"
#: Units of time from their first value on, seconds.
_UNITS = ((3_600.0, "h"), (60.0, "min"), (1.0, "s"), (0.001, "ms"))
#: Values below this keep a place behind the point.
_ONE_DIGIT = 10
#: What was masked, and what is to be filled in.
_SPECIAL = re.compile(r"(\[[A-Z_]+\]|_{4,})")

_LANGUAGES = {
    "en": "English",
    "hi": "Hindi",
    "hinglish": "Hinglish",
    "ar": "Arabic",
    "und": "not known",
}
#: How the languages are marked in pages, so that a browser chooses fitting letters.
_MARKS = {"en": "en", "hi": "hi", "hinglish": "hi-Latn", "ar": "ar"}
_STATES = {
    "open": "open",
    "added": "entry written",
    "dismissed": "dismissed",
    "covered": "covered",
}
_REASONS = {"missing_knowledge": "missing knowledge", "not_judged": "not judged yet"}


class Pages:
    """All templates."""

    def __init__(self) -> None:
        self._environment = Environment(
            loader=FileSystemLoader(_HERE / "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "words": words,
            "moment": moment,
            "iso": iso,
            "share": share,
            "span": span,
            "number": number,
            "part": lambda text: quote(str(text), safe=""),
            "language": lambda name: _LANGUAGES.get(name, name),
            "mark": lambda name: _MARKS.get(name, "und"),
            "state": lambda name: _STATES.get(name, name),
            "reason": lambda name: _REASONS.get(name, name),
        }

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """Fill a template in."""
        return self._environment.get_template(name).render(values)


def words(text: str) -> Markup:
    """Escape a text; what was masked and what is blank stand out, each in its own direction."""
    parts = _SPECIAL.split(text)
    return Markup().join(
        # Whole matches stand at the odd places.
        Markup('<bdi class="{}" dir="ltr">{}</bdi>').format(_kind(part), part)
        if place % 2
        else escape(part)
        for place, part in enumerate(parts)
    )


def _kind(part: str) -> str:
    return "blank" if part.startswith("_") else "masked"


def moment(at_ms: int) -> str:
    """Say when something was, UTC."""
    at = datetime.fromtimestamp(at_ms // 1_000, tz=UTC)
    return f"{at.day} {at:%b %Y, %H:%M}"


def iso(at_ms: int) -> str:
    """Say when something was, for programs."""
    return datetime.fromtimestamp(at_ms // 1_000, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def share(value: float | None) -> str:
    """Say a share in per cent; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.1f} %"


def span(seconds: float | None) -> str:
    """Say how long something takes."""
    if seconds is None:
        return "–"
    unit, name = next((unit for unit in _UNITS if seconds >= unit[0]), _UNITS[-1])
    value = seconds / unit
    return f"{value:.1f} {name}" if value < _ONE_DIGIT else f"{value:.0f} {name}"


def number(value: float) -> str:
    """Write a number with its thousands apart."""
    return f"{value:,.0f}".replace(",", "\u202f")
