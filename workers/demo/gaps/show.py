"""Shows the gaps that the slow worker found."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from workers.demo.gaps.summary import FoundGap, GapSummary

#: Gaps that are shown; the JSON has all of them.
_SHOWN = 12
#: Questions of one gap that are shown.
_EXAMPLES = 3
_ALL_WELL = (
    "Every question that was handed on has a result; {} of them held made-up telephone numbers, "
    "and no result or gap shows one."
)


def show_gaps(console: Console, summary: GapSummary) -> None:
    """Print the gaps, for people."""
    console.rule("gaps")
    results = ", ".join(f"{name} {count}" for name, count in summary.results.items())
    console.print(
        f"{summary.handed_on} questions were handed to the slow worker: {results or 'nothing'}."
    )
    if summary.gaps:
        console.print(_gaps_table(summary.gaps))
    for one in summary.set_aside:
        console.print(Text(f"{one.result} {one.count}, for example: {one.example}"))
    grouping = summary.grouping
    console.print(
        f"grouping: {grouping.together} of {grouping.same} pairs that ask the same are in one gap, "
        f"{grouping.wrongly_together} pairs that do not are"
    )
    for text, problem in _verdicts(summary):
        console.print(Text(text, style="bold red" if problem else "green"))


def _gaps_table(gaps: list[FoundGap]) -> Table:
    left = len(gaps) - _SHOWN
    table = Table(
        title="What callers ask and no entry answers, masked",
        caption=f"and {left} more" if left > 0 else None,
        caption_justify="left",
    )
    table.add_column("asked", justify="right")
    table.add_column("languages")
    table.add_column("why")
    table.add_column("questions")
    for gap in gaps[:_SHOWN]:
        questions = Text("\n".join(gap.examples[:_EXAMPLES]))
        table.add_row(str(gap.count), ", ".join(gap.languages), gap.reason, questions)
    return table


def _verdicts(summary: GapSummary) -> Iterator[tuple[str, bool]]:
    if summary.without_result:
        yield f"without a result: {', '.join(summary.without_result)}", True
    if summary.not_masked:
        yield f"with personal data that was not masked: {', '.join(summary.not_masked)}", True
    if summary.ok:
        yield _ALL_WELL.format(summary.personal), False
