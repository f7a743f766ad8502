"""Shows what became of the questions to the knowledge base."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from workers.demo.knowledge.summary import AnswerMark, KnowledgeSummary
from workers.demo.summary import Spread

_NO_JUDGE = (
    "No answer judge: there is neither its bundle nor a System One endpoint. So every verdict is "
    "search order with status error, nothing is known to be answered, and every question goes to "
    "the slow worker, which cannot judge it either."
)
_ALL_WELL = "Every question has one verdict, and those delivered twice the same bytes twice."
_JUDGING = "kb_judge"
#: Stages in the order in which they happen, and what to call them.
_STAGES = {"kb_search": "search", _JUDGING: "judge", "total": "receipt to verdict"}


def show_knowledge(console: Console, summary: KnowledgeSummary) -> None:
    """Print what became of the questions, for people."""
    console.rule("knowledge base")
    console.print(
        f"{summary.questions} questions to {summary.entries} entries, {summary.own_candidates} of "
        f"them with candidates of their agent; {summary.redelivered} delivered twice. "
        f"Judge: {summary.judge or 'none'}."
    )
    console.print(f"status: {_counts(summary.statuses)}")
    if summary.judge is not None:
        order = summary.order
        console.print(f"level of entries: {_counts(summary.levels)}")
        console.print(
            f"order: changed in {order.changed} verdicts; the entry that answers is first in "
            f"{order.first_after} of {order.of} verdicts, and was in {order.first_before} before"
        )
        console.print(_marks_table(summary))
    console.print(_times(summary))
    for text, problem in _verdicts(summary):
        console.print(Text(text, style="bold red" if problem else "green"))


def _counts(counted: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.items())


def _marks_table(summary: KnowledgeSummary) -> Table:
    table = Table(title="Questions against the labels")
    table.add_column("questions", no_wrap=True)
    for mark in AnswerMark:
        table.add_column(str(mark).replace("_", "\n"), justify="right")
    for group, counts in summary.marks.items():
        table.add_row(group, *(str(counts[mark]) for mark in AnswerMark))
    return table


def _times(summary: KnowledgeSummary) -> str:
    stages = [
        _time(name, summary.stages_ms[stage])
        for stage, name in _STAGES.items()
        if stage in summary.stages_ms and (summary.judge is not None or stage != _JUDGING)
    ]
    sent = _time("sent to verdict in hand", summary.end_to_end_ms)
    return f"ms, p50 / p95: {', '.join([*stages, sent])}"


def _time(name: str, spread: Spread) -> str:
    return f"{name} {spread.p50:.0f} / {spread.p95:.0f}"


def _verdicts(summary: KnowledgeSummary) -> Iterator[tuple[str, bool]]:
    if summary.judge is None:
        yield _NO_JUDGE, True
    if summary.without_verdict:
        yield f"without a verdict: {', '.join(summary.without_verdict)}", True
    if summary.different_verdicts:
        yield f"with different verdicts: {', '.join(summary.different_verdicts)}", True
    if summary.ok:
        yield _ALL_WELL, False
