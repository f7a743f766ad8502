"""The report on profiles: one HTML page. It shows phrases, so it is as private as the profiles."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from models.evaluation.report.groups import percent
from models.evaluation.report.style import CSS
from models.evaluation.router import plot
from models.evaluation.router.check import chosen_place, shown
from models.evaluation.router.delivered import NO_LANGUAGE, WITHHELD
from models.router import Reason
from models.router.heard import LEAST_HEARD
from models.router.threshold import LEAST_ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.evaluation.router.check import Checked, IntentRow

#: Rows of the longer tables.
_MOST = 60
_OWN_CSS = """
.advice { margin: 0; padding-left: 20px; }
.advice li { margin-bottom: 6px; }
h1 + p { margin-bottom: 0; }
h1:not(:first-child) { margin-top: 44px; }
tr.chosen td { font-weight: 700; background: #eaf6ef; }
"""
_STATES = {
    Reason.ROUTED: "routes",
    NO_LANGUAGE: "routes nothing: no language has enough validation phrases",
    WITHHELD: "routes nothing: all its answers are withheld",
    Reason.NO_INTENTS: "abstains: no intents",
    Reason.TOO_FEW_PHRASES: "abstains: too few validation phrases",
    Reason.TARGET_NOT_REACHED: "abstains: no threshold keeps the target",
    Reason.NAMED_TWICE: "abstains: an intent stands twice",
    Reason.TOO_MANY_PHRASES: "abstains: too many phrases",
}


def render(found: Sequence[tuple[Checked, Sequence[str]]]) -> str:
    """
    Write the page.

    Args:
        found: each profile, with what was remarked about places in its file.
    """
    parts = [part for checked, remarks in found for part in _profile(checked, remarks)]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Profile check</title><style>{CSS}{_OWN_CSS}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _profile(checked: Checked, remarks: Sequence[str]) -> Iterable[str]:
    profile = checked.profile
    yield (
        f'<h1 dir="auto">{escape(profile.tenant_id)} / {escape(profile.agent_id)}</h1>'
        f"<p>The router {escape(_STATES[checked.state])}; its mode is "
        f"{profile.router.mode}. All numbers come from validation phrases, each judged by what did "
        "not see it; what the hot path withholds counts as not answered. Callers who say "
        "something else are another matter.</p>"
    )
    if not profile.intents:
        return
    yield _tiles(checked)
    if checked.advice or remarks:
        items = "".join(f"<li>{escape(each)}</li>" for each in (*checked.advice, *remarks))
        yield _section("To look at", f'<ul class="advice">{items}</ul>')
    yield from _curves(checked)
    if checked.compiled.fitted is not None:
        yield _section("Intents that are taken for each other", _confusions(checked))
    if checked.misread:
        yield _section("Phrases that are taken for another intent", _misread(checked))
    if checked.languages:
        yield _section("Languages", _LANGUAGES + _languages(checked))
    if checked.intents:
        yield _section("Intents", _intents(checked))


def _tiles(checked: Checked) -> str:
    quality, routes = checked.quality, checked.state == Reason.ROUTED
    tiles = [
        (str(len(checked.intents)), "intents", False),
        (str(len(checked.compiled.validation)), "validation phrases that count", False),
        (
            percent(quality.answered if quality else None),
            "of in-scope phrases are routed",
            not routes,
        ),
        (
            percent(quality.accuracy if quality else None),
            f"of the routed are right; target {percent(checked.profile.router.target_accuracy)}",
            not routes,
        ),
        (
            percent(quality.out_of_scope_answered if quality else None),
            "of out-of-scope phrases are routed",
            False,
        ),
    ]
    written = "".join(
        f'<div class="tile{" alarm" if alarm else ""}"><b>{value}</b><span>{name}</span></div>'
        for value, name, alarm in tiles
    )
    return f'<div class="tiles">{written}</div>'


def _curves(checked: Checked) -> Iterable[str]:
    curve, router = checked.delivered.curve, checked.router
    if curve is None:
        return
    chosen = chosen_place(curve, router.threshold)
    target = checked.profile.router.target_accuracy
    left = _section(
        "Accuracy and coverage",
        _ACCURACY + plot.accuracy(curve, target, chosen, LEAST_ACCEPTED),
    )
    threshold = router.threshold if chosen is not None else None
    right = _section("What is answered", _SHARES + plot.shares(curve, threshold))
    yield f'<div class="two">{left}{right}</div>'
    head = _head(
        "threshold", "answered", "right of all answers", "out of scope answered", "phrases"
    )
    rows = "".join(
        f"<tr{' class=chosen' if one.chosen else ''}>"
        + _number(f"{one.threshold:.3f}{' (chosen)' if one.chosen else ''}")
        + _number(percent(one.answered))
        + _number(percent(one.accuracy))
        + _number(percent(one.out_of_scope_answered))
        + _number(str(one.accepted))
        + "</tr>"
        for one in checked.curve
    )
    yield _section("Thresholds", f"<table>{head}{rows}</table>")


def _confusions(checked: Checked) -> str:
    if not checked.confusions:
        return "<p>None on the validation phrases.</p>"
    rows = "".join(
        f"<tr>{_name(one.intent)}{_name(one.taken_for)}"
        + _number(f"{one.phrases} of {one.of}")
        + _number(str(one.routed), alarm=one.routed > 0)
        + _number(f"{one.cosine:.3f}")
        + "</tr>"
        for one in checked.confusions[:_MOST]
    )
    head = _head("phrases", "routed, wrongly", "cosine", names=("intent", "taken for"))
    return _cut(f"<table>{head}{rows}</table>", len(checked.confusions))


def _misread(checked: Checked) -> str:
    rows = "".join(
        f'<tr><td class="text"><div dir="auto">{escape(one.text)}</div></td>'
        f"{_name(one.intent)}{_name(one.taken_for)}"
        + _number(f"{one.confidence:.3f}")
        + _number("yes" if one.routed else "no", alarm=one.routed)
        + "</tr>"
        for one in checked.misread[:_MOST]
    )
    head = _head("chance", "routed", names=("validation phrase", "intent", "taken for"))
    return _cut(f"<table>{head}{rows}</table>", len(checked.misread))


def _languages(checked: Checked) -> str:
    rows = "".join(
        f"<tr>{_name(one.language)}"
        + _number(str(one.intents))
        + _number(shown(one.validation))
        + _number("yes" if one.routed else "no", alarm=not one.routed)
        + "</tr>"
        for one in checked.languages
    )
    head = _head("intents with examples", "validation phrases", "routed", names=("language",))
    return f"<table>{head}{rows}</table>"


def _intents(checked: Checked) -> str:
    judged = checked.compiled.fitted is not None
    rows = "".join(
        f"<tr>{_name(one.intent)}"
        + _number(str(one.examples))
        + _number(str(one.validation), alarm=not one.validation)
        + _number(_share(one.right, judged * one.validation))
        + _number(_share(one.routed, judged * one.validation))
        + _number(str(one.wrong) if judged else "–", alarm=one.wrong > 0)
        + "</tr>"
        for one in sorted(checked.intents, key=lambda one: (-one.wrong, _rate(one), one.intent))
    )
    head = _head(
        "examples",
        "validation phrases",
        "picked right",
        "routed right",
        "routed wrongly",
        names=("intent",),
    )
    return f"<table>{head}{rows}</table>"


def _rate(one: IntentRow) -> float:
    return one.routed / one.validation if one.validation else -1.0


def _share(count: int, of: int) -> str:
    return percent(count / of, 0) if of else "–"


def _cut(table: str, count: int) -> str:
    more = count - _MOST
    return table if more <= 0 else f"{table}<p>and {more} more</p>"


def _head(*numbers: str, names: Sequence[str] = ()) -> str:
    cells = [f"<th>{name}</th>" for name in names]
    cells += [f'<th class="number">{name}</th>' for name in numbers]
    return f"<tr>{''.join(cells)}</tr>"


def _name(text: str) -> str:
    return f'<td><span dir="auto">{escape(text)}</span></td>'


def _number(text: str, *, alarm: bool = False) -> str:
    return f'<td class="number{" alarm" if alarm else ""}">{text}</td>'


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>"


def _key(style: str, name: str) -> str:
    return f'<span class="key"><i class="{style}"></i>{name}</span>'


_ACCURACY = (
    "<p>Each threshold is a point: the further right, the more is answered. Green is where the "
    "target holds; out-of-scope phrases count with the share that the profile states, at their "
    f"upper bound.</p>{_key('gate', 'thresholds')}"
    f"{_key('cosine', f'fewer than {LEAST_ACCEPTED} phrases accepted')}"
)
_SHARES = (
    "<p>A good router keeps the lines apart: blue high, orange low.</p>"
    f"{_key('gate', 'in scope')}{_key('bare', 'out of scope')}"
)
_LANGUAGES = (
    "<p>A caller is routed only in a language that the threshold was chosen on, and to an intent "
    f"that has examples in it: {LEAST_HEARD} validation phrases have to count as spoken so. Short "
    "Latin phrases that may be English or Hinglish are shared out as the sure ones are.</p>"
)
