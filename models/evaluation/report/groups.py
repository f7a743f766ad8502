"""The numbers of each group of pairs as a table with bars."""

from __future__ import annotations

from html import escape
from typing import Any

_HEAD = (
    '<tr><th></th><th class="number">match</th><th class="number">other</th>'
    '<th>recall</th><th class="number">wrong hits</th><th class="number">false accepts</th>'
    '<th class="number">at most (95 %)</th><th class="number">AUC</th>'
    '<th class="number">recall at 1 %</th><th class="number">word overlap AUC</th></tr>'
)
_TRACK_PX = 140

Measures = dict[str, Any]


def table(measures: Measures) -> str:
    """Write a row for all pairs, each file and each language, the bare model and cosine."""
    parts = [_HEAD, _row("all pairs", measures)]
    for name, heading in (("by_file", "files"), ("by_language", "languages")):
        if len(measures[name]) > 1:
            parts.append(f'<tr class="head"><td colspan="10">{heading}</td></tr>')
            parts += [_row(value, part) for value, part in measures[name].items()]
    parts.append('<tr class="head"><td colspan="10">the same pairs without the gate</td></tr>')
    parts.append(_row("bare model, one order, no guards", measures["judge_only"]))
    parts.append(_row("cosine of the encoder", measures["cosine"]))
    return f"<table>{''.join(parts)}</table>"


def percent(value: float | None, digits: int = 1) -> str:
    """Write a share."""
    return "–" if value is None else f"{value * 100:.{digits}f} %"


def _row(name: str, part: Measures) -> str:
    wrong = part.get("false_accepts")
    cells = [
        f"<td>{escape(name)}</td>",
        _number(str(part["positives"])),
        _number(str(part["n"] - part["positives"])),
        f"<td>{_bar(part.get('recall'))}{percent(part.get('recall'))}</td>",
        _number("–" if wrong is None else str(wrong), alarm=bool(wrong)),
        _number(percent(part.get("false_accept_rate"), 2)),
        _number(percent(part.get("false_accept_upper95"), 2)),
        _number(_plain(part["auc"])),
        _number(percent(part["recall_at_far_1pct"])),
        _number(_plain(part["overlap_auc"])),
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _number(text: str, *, alarm: bool = False) -> str:
    return f'<td class="number{" alarm" if alarm else ""}">{text}</td>'


def _bar(share: float | None) -> str:
    wide = 0 if share is None else round(share * _TRACK_PX)
    return f'<span class="track"><span class="bar" style="width:{wide}px"></span></span>'


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
