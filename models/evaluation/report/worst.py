"""The pairs that say most about a judge: wrong hits, near ones, and misses."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from models.evaluation.rows import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.evaluation.pairs import Decided

#: Pairs of each kind that are listed.
WRONG, NEAR, MISSED, TAKEN_OUT = 60, 12, 25, 15
_HEAD = (
    "<tr><th>pair</th><th>class</th><th></th><th>said</th><th>predicted</th>"
    '<th class="number">logit</th><th class="number">reversed</th><th>end</th></tr>'
)


def table(decided: Decided) -> str:
    """List the worst pairs with their texts, each text in its own direction."""
    several = len({pair.file for pair in decided.pairs}) > 1
    parts = []
    for heading, places in _kinds(decided):
        if places:
            parts.append(f'<tr class="head"><td colspan="8">{escape(heading)}</td></tr>')
        parts += [_row(decided, place, several=several) for place in places]
    return f"<table>{_HEAD}{''.join(parts)}</table>"


def _kinds(decided: Decided) -> list[tuple[str, list[int]]]:
    truth, served, scores = decided.labels == 1, decided.served, decided.scores
    judged = np.isfinite(scores)
    wrong, near, missed, taken = (
        _places(served & ~truth, -scores),
        _places(~served & ~truth & judged, -scores),
        _places(~served & truth & judged, scores),
        _places(~served & truth & ~judged, np.zeros(len(scores))),
    )
    return [
        (_heading("Wrong hits: served, and must not be", wrong, WRONG), wrong[:WRONG]),
        (_heading("Nearly wrong: not served, nearest first", near, NEAR), near[:NEAR]),
        (_heading("Missed by the judge, furthest first", missed, MISSED), missed[:MISSED]),
        (_heading("Taken out before the judge", taken, TAKEN_OUT), taken[:TAKEN_OUT]),
    ]


def _places(which: np.typing.NDArray[np.bool_], order: np.typing.NDArray[np.floating]) -> list[int]:
    found = np.flatnonzero(which)
    return [int(place) for place in found[np.argsort(order[found], kind="stable")]]


def _heading(text: str, places: Sequence[int], shown: int) -> str:
    count = f"{shown} of {len(places)}" if len(places) > shown else str(len(places))
    return f"{text} ({count})"


def _row(decided: Decided, place: int, *, several: bool) -> str:
    pair = decided.pairs[place]
    wrong = decided.served[place] and not pair.label
    agent = f'<div class="agent" dir="auto">{escape(pair.agent)}</div>' if pair.agent else ""
    cells = [
        f"<td>{escape(str(name_of(pair, several=several)))}</td>",
        f"<td>{escape(pair.kind or '')}</td>",
        f"<td>{escape(pair.language or '')}</td>",
        f'<td class="text">{agent}<div dir="auto">{escape(pair.utterance)}</div></td>',
        f'<td class="text"><div dir="auto">{escape(pair.prediction)}</div></td>',
        f'<td class="number">{_logit(decided.logits[place])}</td>',
        f'<td class="number">{_logit(decided.reversed_logits[place])}</td>',
        f"<td{' class=alarm' if wrong else ''}>{escape(_words(decided.reasons[place]))}</td>",
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _logit(value: np.floating) -> str:
    return f"{value:+.2f}" if np.isfinite(value) else "–"


def _words(reason: str) -> str:
    return reason.replace("_", " ")
