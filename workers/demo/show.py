"""Shows the demo on a terminal while it runs, and its summary at the end."""

import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from topics.decision import Kind, Status
from workers.demo.score import Marked
from workers.demo.summary import Mark, Spread, Summary

#: Turns that the live table shows.
_SHOWN = 14
#: Characters of a text that the live table shows.
_WIDTH = 36
#: Without a terminal, a line this often, seconds.
_LINE_EVERY_S = 5.0
#: Share of late turns from which on the summary says why.
_BUSY_SHARE = 0.1
_COLOURS = {
    Mark.RIGHT_SERVE: "green",
    Mark.WRONG_SERVE: "bold red",
    Mark.MISSED: "yellow",
    Mark.WRONG_BYPASS: "yellow",
    Mark.NOT_BYPASSED: "yellow",
}


class Progress:
    """What the demo has done so far, for the eye; used through `showing`."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._started_s = time.monotonic()
        self._line_s = self._started_s
        self._latest: deque[Marked] = deque(maxlen=_SHOWN)
        self._kinds: Counter[str] = Counter({str(kind): 0 for kind in _KINDS})
        self._marks: Counter[Mark] = Counter()

    def add(self, marked: Marked) -> None:
        """Take one more decided turn; without a terminal, now and then say where we are."""
        self._latest.append(marked)
        self._kinds[str(marked.decision.kind)] += 1
        self._marks[marked.mark] += 1
        if self._console.is_terminal:
            return
        now_s = time.monotonic()
        if now_s - self._line_s >= _LINE_EVERY_S:
            self._line_s = now_s
            self._console.print(self._headline())

    def __rich__(self) -> Group:
        """Draw the headline and the latest turns."""
        table = Table(expand=True, pad_edge=False, show_edge=False)
        for column in ("turn", "caller", "decision", "why", "prediction", "ms"):
            table.add_column(column, no_wrap=True, overflow="ellipsis")
        for each in self._latest:
            table.add_row(*_row(each), style=_COLOURS.get(each.mark, ""))
        return Group(Text(self._headline()), table)

    def _headline(self) -> str:
        done = sum(self._kinds.values())
        counts = "  ".join(f"{kind} {count}" for kind, count in self._kinds.items())
        wrong = self._marks[Mark.WRONG_SERVE]
        passed_s = time.monotonic() - self._started_s
        return f"{passed_s:5.1f} s  {done}/{self._total} turns  {counts}  wrong serves {wrong}"


_ALL_WELL = (
    "Every turn has one decision, those delivered twice the same bytes twice, and every bad record "
    "has its dead letter."
)
_CAPTION = (
    "missed: a reply would have fitted, and the LLM is asked. wrong bypass: the same, without a "
    "look. not bypassed: judged though it should not have been, and nothing served. shadow: what "
    "live mode would have done."
)
_KINDS = (Kind.SERVE, Kind.MISS, Kind.BYPASS)


def _row(each: Marked) -> tuple[str, ...]:
    predictions = {one.prediction_id: one.text for one in each.planned.turn.predictions}
    return (
        each.planned.turn.turn_id,
        _short(each.planned.turn.text),
        str(each.decision.kind),
        ", ".join(each.decision.reasons),
        _short(predictions.get(each.prediction_id or "", "")),
        f"{each.took_ms:.0f}",
    )


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


@contextmanager
def showing(console: Console, total: int) -> Iterator[Progress]:
    """Show the progress for the time of the block: a live table, or plain lines."""
    progress = Progress(console, total)
    if not console.is_terminal:
        yield progress
        return
    with Live(progress, console=console, refresh_per_second=4, transient=True):
        yield progress


def show_summary(console: Console, summary: Summary, took_s: float) -> None:
    """Print the summary for people."""
    events = summary.events
    console.rule("summary")
    console.print(
        f"{events['turns']} turns and {events['predictions']} predictions in {took_s:.0f} s; "
        f"{events['redelivered']} turns delivered twice, {events['bad_records']} bad records.",
    )
    console.print(_reasons_table(summary))
    console.print(_marks_table(summary))
    if summary.wrong_serves:
        console.print(_wrong_table(summary))
    console.print(_times_table(summary))
    for text, problem in _verdicts(summary):
        console.print(Text(text, style="bold red" if problem else "green"))


def _reasons_table(summary: Summary) -> Table:
    table = Table("decision", "turns", "reasons", title="What was decided")
    for kind in _KINDS:
        reasons = summary.reasons.get(kind, {})
        listed = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
        table.add_row(str(kind), str(summary.kinds.get(kind, 0)), listed)
    return table


def _marks_table(summary: Summary) -> Table:
    table = Table(title="Against the labels", caption=_CAPTION, caption_justify="left")
    table.add_column("turns of", no_wrap=True)
    for mark in Mark:
        table.add_column(str(mark).replace("_", "\n"), justify="right")
    for group, counts in summary.marks.items():
        table.add_row(group, *(str(counts[mark]) for mark in Mark))
    return table


def _wrong_table(summary: Summary) -> Table:
    table = Table("turn", "caller", "was served", "which is", title="Wrong serves", style="red")
    for wrong in summary.wrong_serves:
        kind = wrong.kind if wrong.played else f"{wrong.kind} (shadow: not played)"
        table.add_row(wrong.turn, wrong.caller, wrong.prediction, kind)
    return table


def _times_table(summary: Summary) -> Table:
    table = Table("stage", "turns", "p50 ms", "p95 ms", title="How long it took")
    stages = sorted(summary.stages_ms.items(), key=lambda stage: stage[1].p50)
    for name, spread in stages:
        table.add_row(name, *_cells(spread))
    table.add_row("sent to decision in hand", *_cells(summary.end_to_end_ms))
    return table


def _cells(spread: Spread) -> tuple[str, str, str]:
    return str(spread.n), f"{spread.p50:.2f}", f"{spread.p95:.2f}"


def _verdicts(summary: Summary) -> Iterator[tuple[str, bool]]:
    if degraded := summary.statuses.get(str(Status.DEGRADED)):
        yield f"degraded: {degraded} turns were decided without a judge; the log says why", True
    late, turns = summary.statuses.get(str(Status.TIMEOUT), 0), sum(summary.kinds.values())
    if late > _BUSY_SHARE * turns:
        yield (
            f"late: {late} turns were not decided in time; this machine is too busy for them",
            True,
        )
    if summary.without_decision:
        yield f"without a decision: {', '.join(summary.without_decision)}", True
    for each in summary.different_decisions:
        yield f"with different decisions: {each.turn}: {' / '.join(each.decisions)}", True
    if summary.without_dead_letter:
        yield f"without a dead letter: {', '.join(summary.without_dead_letter)}", True
    if summary.wrong_dead_letters:
        yield f"dead letters of good records: {summary.wrong_dead_letters}", True
    if summary.ok:
        yield _ALL_WELL, False
