"""What the demo shows of the knowledge base."""

import io

import pytest
from rich.console import Console

from tests.unit.workers.demo.knowledge.factories import (
    make_asked,
    make_heard,
    make_knowledge,
    make_question,
    make_verdict,
)
from topics.verdict import VerdictStatus
from workers.demo.knowledge.score import summarise_knowledge
from workers.demo.knowledge.show import show_knowledge


def shown(*verdicts, question=None):
    """Show what became of one question."""
    question = question or make_question()
    console = Console(file=io.StringIO(), width=200, markup=False, highlight=False)
    show_knowledge(
        console,
        summarise_knowledge(make_knowledge(question), make_asked(question), make_heard(*verdicts)),
    )
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("verdict", "said", "unsaid"),
    [
        pytest.param({}, "Every question has one verdict", "No answer judge", id="well"),
        pytest.param(
            {"status": VerdictStatus.ERROR, "answerable": None, "judge": None},
            "No answer judge",
            "against the labels",
            id="no judge",
        ),
    ],
)
def test_judge_or_none(verdict, said, unsaid):
    """
    With a judge its work is shown; without one that is said instead.
    """
    text = shown(make_verdict(make_question(), **verdict))

    assert said in text
    assert unsaid not in text
    assert "receipt to verdict 5 / 5, sent to verdict in hand 1000 / 1000" in text


def test_what_is_missing():
    """
    A question without a verdict is named, and nothing says that all is well.
    """
    text = shown()

    assert "without a verdict: q-1" in text
    assert "Every question has one verdict" not in text
