"""Shows what became of the turns of agents with intents."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from workers.demo.routes.summary import RouteMark, RouteSummary

_NOT_READY = "not all routers were compiled in time: turns went to the LLM with route_not_ready"
_ALL_WELL = "Every one of these turns has one decision."


def show_routes(console: Console, summary: RouteSummary) -> None:
    """Print what became of the routed turns, for people."""
    console.rule("common intents")
    console.print(
        f"{summary.turns} turns to {summary.agents} agents with {summary.intents} intents, after "
        f"their match gate; {summary.redelivered} delivered twice."
    )
    console.print(_marks_table(summary))
    reasons = ", ".join(f"{name} {count}" for name, count in summary.not_routed.items())
    console.print(f"not routed: {reasons or 'none'}")
    for wrong in summary.wrong_routes:
        meant = wrong.meant or "none of the intents"
        text = f"wrong route: {wrong.turn} {wrong.caller!r} to {wrong.intent}, meant {meant}"
        console.print(Text(text, style="red"))
    route, whole = summary.route_ms, summary.end_to_end_ms
    console.print(
        f"ms, p50 / p95: router {route.p50:.2f} / {route.p95:.2f}, "
        f"sent to decision in hand {whole.p50:.0f} / {whole.p95:.0f}"
    )
    for text, problem in _verdicts(summary):
        console.print(Text(text, style="bold red" if problem else "green"))


def _marks_table(summary: RouteSummary) -> Table:
    table = Table(title="Routes against the labels")
    table.add_column("turns of", no_wrap=True)
    for mark in RouteMark:
        table.add_column(str(mark).replace("_", "\n"), justify="right")
    for group, counts in summary.marks.items():
        table.add_row(group, *(str(counts[mark]) for mark in RouteMark))
    return table


def _verdicts(summary: RouteSummary) -> Iterator[tuple[str, bool]]:
    if not summary.routers_ready:
        yield _NOT_READY, True
    if summary.without_decision:
        yield f"without a decision: {', '.join(summary.without_decision)}", True
    for each in summary.different_decisions:
        yield f"with different decisions: {each.turn}: {' / '.join(each.decisions)}", True
    if summary.ok:
        yield _ALL_WELL, False
