"""What the demo shows of the gaps."""

import io

from rich.console import Console

from tests.unit.workers.demo.knowledge.factories import (
    make_gap,
    make_heard,
    make_reviewed,
    make_unanswerable,
    make_verdict,
)
from workers.demo.gaps.score import summarise_gaps
from workers.demo.gaps.show import show_gaps


def shown(*, reviewed=True, gaps=()):
    """Show what became of one question that was handed on."""
    question = make_unanswerable()
    heard = make_heard(
        make_verdict(question, answerable=False),
        reviewed=[make_reviewed(question)] if reviewed else [],
        gaps=gaps,
    )
    console = Console(file=io.StringIO(), width=200, markup=False, highlight=False)
    show_gaps(console, summarise_gaps([question], heard))
    return console.file.getvalue()


def test_gaps():
    """
    Each gap is shown with its count, languages, reason and questions.
    """
    [row] = [
        line
        for line in shown(gaps=[make_gap(count=7, languages=("ar", "en"))]).splitlines()
        if "is there parking" in line
    ]

    assert all(part in row for part in ("7", "ar, en", "missing_knowledge"))


def test_many_gaps():
    """
    Of many gaps some are shown, and how many more there are.
    """
    text = shown(gaps=[make_gap(f"g{number}") for number in range(20)])

    assert text.count("is there parking") == 12
    assert "and 8 more" in text


def test_what_is_missing():
    """
    A question without a result is named, and nothing says that all is well.
    """
    text = shown(reviewed=False)

    assert "without a result: q-1" in text
    assert "Every question that was handed on" not in text
