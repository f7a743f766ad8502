"""Puts the page together. It shows texts of the rows, so it is as private as they are."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from models.evaluation import measure
from models.evaluation.curves import trade_off
from models.evaluation.report import cost, distributions, groups, tradeoff, worst
from models.evaluation.report.groups import percent
from models.evaluation.report.style import CSS
from models.pipeline.evaluate import recall_at

if TYPE_CHECKING:
    from models.evaluation.measure import Scored
    from models.evaluation.pairs import Decided

_ONE_LABEL = "<p>The pairs have one label only, so there is no trade-off to draw.</p>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the page shows."""

    #: Name and version of the judge.
    judge: str
    decided: Decided
    cosine: Scored
    #: As `turngate eval match` prints them.
    measures: dict[str, Any]


def render(report: Report) -> str:
    """Write the page."""
    scored = measure.as_served(report.decided)
    limits = distributions.span(report.decided.scores, report.decided.threshold)
    both = len(set(report.decided.labels.tolist())) > 1
    parts = [
        _head(report),
        _tiles(report.measures),
        _plots(report, scored, limits) if both else _section("Trade-off", _ONE_LABEL),
        _section("Groups", groups.table(report.measures)),
        _section(
            "Scores by class",
            _KEYS + distributions.draw(scored, report.decided.threshold, limits),
        ),
        _section("Worst pairs", worst.table(report.decided)),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.judge)}: match evaluation</title><style>{CSS}</style></head>"
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _head(report: Report) -> str:
    files = ", ".join(report.measures["by_file"])
    guard = "with" if report.measures["script_guard"] else "without"
    return (
        f"<h1>{escape(report.judge)} at logit {report.decided.threshold:+.3f}</h1>"
        f"<p>{report.measures['n']} pairs of {escape(files)}, decided as the hot path would, "
        f"{guard} the cross-script guard. Bundle {report.measures['bundles']['judge'][:12]}.</p>"
    )


def _tiles(found: dict[str, Any]) -> str:
    wrong, took = len(found["wrong_hits"]), found["batch20_ms"]
    tiles = [
        _tile(percent(found["recall"]), "recall at the shipped threshold"),
        _tile(
            percent(found["false_accept_rate"], 2),
            f"false accepts, at most {percent(found['false_accept_upper95'], 2)} (95 %)",
        ),
        _tile(str(wrong), "wrong hits", alarm=wrong > 0),
        _tile(percent(found["recall_at_far_1pct"]), "recall at 1 % false accepts"),
        _tile("–" if found["auc"] is None else f"{found['auc']:.3f}", "AUC"),
    ]
    tiles += [
        _tile(
            f"{times['p50']:.0f} / {times['p95']:.0f} ms",
            f"20 candidates on {threads} thread{'s' if threads != '1' else ''}, p50 / p95",
        )
        for threads, times in took.items()
    ]
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _tile(value: str, name: str, *, alarm: bool = False) -> str:
    style = "tile alarm" if alarm else "tile"
    return f'<div class="{style}"><b>{value}</b><span>{name}</span></div>'


def _plots(report: Report, scored: Scored, limits: tuple[float, float]) -> str:
    found, threshold = report.measures, report.decided.threshold
    shipped = tradeoff.Operating(
        threshold=threshold,
        recall=found["recall"],
        false_accepts=found["false_accept_rate"],
        upper=found["false_accept_upper95"],
    )
    judges = {
        "gate": scored,
        "bare": measure.judge_only(report.decided),
        "cosine": report.cosine,
    }
    curves = {style: trade_off(one) for style, one in judges.items()}
    left = _section(
        "Trade-off",
        _TRADE_OFF
        + tradeoff.draw(curves, shipped, measure.CEILING)
        + _recalls({_NAMES[style]: one for style, one in judges.items()}),
    )
    right = _section(
        "Cost", _COST + cost.draw(scored, threshold, limits) + _prices(scored, threshold)
    )
    return f'<div class="two">{left}{right}</div>'


def _recalls(judges: dict[str, Scored]) -> str:
    head = "".join(f'<th class="number">{ceiling * 100:g} %</th>' for ceiling in _CEILINGS)
    rows = [f"<tr><th>recall at false accepts up to</th>{head}</tr>"]
    for name, scored in judges.items():
        labels = scored.labels.tolist()
        found = (recall_at(scored.scores, labels, ceiling) for ceiling in _CEILINGS)
        cells = "".join(f'<td class="number">{percent(recall)}</td>' for recall in found)
        rows.append(f"<tr><td>{name}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _prices(scored: Scored, threshold: float) -> str:
    rows = [
        f'<tr><td>{ratio} misses</td><td class="number">{percent(here)}</td>'
        f'<td class="number">{percent(least)}</td><td class="number">{_logit(best)}</td></tr>'
        for ratio, here, least, best in cost.rows(scored, threshold)
    ]
    return (
        '<table><tr><th>a wrong serve costs</th><th class="number">cost as shipped</th>'
        '<th class="number">least cost</th><th class="number">at threshold</th></tr>'
        f"{''.join(rows)}</table>"
    )


def _logit(value: float) -> str:
    return "serve nothing" if value == float("inf") else f"{value:+.2f}"


def _section(title: str, content: str) -> str:
    return f"<section><h2>{title}</h2>{content}</section>"


def _key(style: str, name: str) -> str:
    return f'<span class="key"><i class="{style}"></i>{name}</span>'


#: False accept rates that the table below the curves has.
_CEILINGS = (0.0, 0.003, 0.01, 0.03, 0.1)
_NAMES = {"gate": "gate, as it serves", "bare": "bare model", "cosine": "cosine"}
_TRADE_OFF = (
    "<p>Upper left is better. The dot is the shipped threshold; its line reaches to the upper "
    "bound of its false accepts. Green is the region up to 1 %.</p>"
    + "".join(_key(style, name) for style, name in _NAMES.items())
)
_COST = (
    "<p>Cost of all errors by threshold; serving nothing costs 100 %. Dots are the cheapest "
    "thresholds. The pairs count as if they were the traffic.</p>A wrong serve costs"
    + "".join(_key(f"p{place}", str(ratio)) for place, ratio in enumerate(cost.RATIOS))
    + "misses"
)
_KEYS = (
    "<p>Each row is a class; pairs that should match stand above its line, others below. Heights "
    "are square roots. Pairs that a guard or a bypass took out are counted, not drawn.</p>"
    + _key("match served", "match, served")
    + _key("match kept", "match, missed")
    + _key("other kept", "other, kept apart")
    + _key("other served", "other, served: a wrong hit")
)
