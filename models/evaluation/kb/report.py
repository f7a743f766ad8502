"""Numbers and worst questions as a page. It shows texts, so it is as private as they are."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from models.evaluation.kb.measure import BINS, HALF, flagged
from models.evaluation.report.groups import percent
from models.evaluation.report.style import CSS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from models.evaluation.kb.cases import Outcome

Measures = dict[str, Any]

#: Questions of each kind that are listed, and characters of an entry that are shown.
_LISTED, _SHOWN = 40, 240
_COLUMNS = {
    "n": "questions",
    "recall8_search": "an answer in the first 8",
    "top1_search": "first by search",
    "top1_judged": "first as judged",
    "improved": "improved",
    "worsened": "worsened",
    "auroc_search": "AUROC by cosine",
    "auroc_judged": "AUROC as judged",
    "caught_at_50": "unanswerable, caught",
    "false_at_50": "answerable, flagged",
    "ece": "calibration error",
}
_SHARES = {"recall8_search", "top1_search", "top1_judged", "caught_at_50", "false_at_50"}


def render(outcomes: Sequence[Outcome], found: Measures) -> str:
    """
    Write the page.

    Args:
        outcomes: all questions.
        found: their measures, as `turngate eval kb` prints them.
    """
    judge = found["judge"] or "no judge"
    parts = [
        f"<h1>Knowledge base: {escape(judge)}</h1>",
        _about(found),
        _tiles(found),
        _section("Groups", _groups(found)),
        _section("Calibration", _calibration(outcomes)),
        _section("Worst questions", _worst(outcomes)),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(judge)}: knowledge-base evaluation</title><style>{CSS}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _about(found: Measures) -> str:
    return (
        f"<p>{found['n']} questions, {found['answerable']} of them answered by an entry; one is"
        f" called unanswerable below a probability of {HALF:g}.</p>"
    )


def _tiles(found: Measures) -> str:
    times = "–" if found["p50_ms"] is None else f"{found['p50_ms']:.0f} / {found['p95_ms']:.0f} ms"
    tiles = {
        "an answer first: search / judged": (
            f"{percent(found['top1_search'])} / {percent(found['top1_judged'])}"
        ),
        f"improved / worsened, p = {found['mcnemar_p']:.2g}": (
            f"{found['improved']} / {found['worsened']}"
        ),
        "AUROC of unanswerable: cosine / judged": (
            f"{_plain(found['auroc_search'])} / {_plain(found['auroc_judged'])}"
        ),
        "unanswerable caught / answerable flagged": (
            f"{percent(found['caught_at_50'])} / {percent(found['false_at_50'])}"
        ),
        "8 candidates, p50 / p95": times,
        "statuses": ", ".join(f"{count} {name}" for name, count in found["statuses"].items()),
    }
    content = "".join(
        f'<div class="tile"><b>{escape(value)}</b><span>{escape(name)}</span></div>'
        for name, value in tiles.items()
    )
    return f'<div class="tiles">{content}</div>'


def _groups(found: Measures) -> str:
    head = "".join(f'<th class="number">{escape(name)}</th>' for name in _COLUMNS.values())
    rows = [f"<tr><th></th>{head}</tr>", _row("all", found)]
    for name, part in found.items():
        if name.startswith("by_"):
            heading = escape(name.removeprefix("by_").replace("_", " "))
            rows.append(f'<tr class="head"><td colspan="{1 + len(_COLUMNS)}">{heading}</td></tr>')
            rows += [_row(value, own) for value, own in part.items()]
    return f"<table>{''.join(rows)}</table>"


def _row(name: str, part: Measures) -> str:
    cells = "".join(
        f'<td class="number">{percent(part[key]) if key in _SHARES else _plain(part[key])}</td>'
        for key in _COLUMNS
    )
    return f'<tr><td dir="auto">{escape(name)}</td>{cells}</tr>'


def _calibration(outcomes: Iterable[Outcome]) -> str:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for one in outcomes:
        if one.sure is not None:
            answered = one.question.answerable and (not one.question.gold or one.found)
            bins[min(int(one.sure * BINS), BINS - 1)].append((one.sure, answered))
    rows = [
        f"<tr><td>{place / BINS:.1f} to {(place + 1) / BINS:.1f}</td>"
        f'<td class="number">{len(own)}</td>'
        f'<td class="number">{percent(sum(sure for sure, _ in own) / len(own))}</td>'
        f'<td class="number">{percent(sum(answered for _, answered in own) / len(own))}</td></tr>'
        for place, own in enumerate(bins)
        if own
    ]
    return (
        "<p>Highest probability of an answer among the candidates, and how often there was one.</p>"
        '<table><tr><th>said</th><th class="number">questions</th><th class="number">said, mean'
        f'</th><th class="number">answered</th></tr>{"".join(rows)}</table>'
    )


def _worst(outcomes: Sequence[Outcome]) -> str:
    def by_sureness(chosen: Iterable[Outcome], *, highest: bool) -> list[Outcome]:
        return sorted(chosen, key=lambda one: one.sure or 0.0, reverse=highest)

    kinds = {
        "Worsened: search had an answer first": by_sureness(
            (one for one in outcomes if one.searched_first and not one.judged_first), highest=True
        ),
        "Answerable, called unanswerable": by_sureness(
            (one for one in outcomes if one.question.answerable and flagged(one, HALF)),
            highest=False,
        ),
        "Unanswerable, called answerable": by_sureness(
            (
                one
                for one in outcomes
                if not one.question.answerable and one.sure is not None and one.sure >= HALF
            ),
            highest=True,
        ),
    }
    rows = []
    for heading, chosen in kinds.items():
        rows.append(f'<tr class="head"><td colspan="4">{heading} ({len(chosen)})</td></tr>')
        rows += [_question(one) for one in chosen[:_LISTED]]
    head = "<tr><th>question</th><th>asked</th><th>first as judged</th><th>said</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _question(outcome: Outcome) -> str:
    first = outcome.ruling.entries[0].entry_id if outcome.ruling.entries else ""
    entry = next((one for one in outcome.case.candidates if one.entry_id == first), None)
    text = "" if entry is None else f"{entry.title}: {entry.content}"[:_SHOWN]
    return (
        f"<tr><td>{escape(outcome.question.id)}</td>"
        f'<td class="text" dir="auto">{escape(outcome.question.text)}</td>'
        f'<td class="text" dir="auto">{escape(first)} {escape(text)}</td>'
        f'<td class="number">{_plain(outcome.sure)}</td></tr>'
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>"


def _plain(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
