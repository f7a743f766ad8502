"""
The adversarial gate of an answer judge: entries that share a question's words and do not answer it.

A row is `{"question", "title", "content", "answers"}`, with `id`, `language` of the question,
`entry_language` and `class` where known. An entry answers where serving would say so: at the
bundle's threshold. What a judge could not read to its end does not answer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from models.evaluation import measure
from models.evaluation.gate import Result, SuiteError, result_of
from models.evaluation.labelled import read_labelled
from models.evaluation.measure import Scored
from models.evaluation.pairs import NEVER
from models.evaluation.rows import Pair, name_of
from models.kb.shown import Shown
from models.kb.verdict import answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.kb.verdict import Probabilities

#: The suite that ships.
SUITE = Path(__file__).resolve().parent.parent / "suites" / "answer_gate.jsonl"


class AnswerRow(msgspec.Struct, frozen=True, rename={"kind": "class"}):
    """A question with one entry, and whether that answers it."""

    question: str
    title: str
    content: str
    #: At least in part.
    answers: bool
    id: str | None = None
    language: str | None = None
    entry_language: str | None = None
    #: What the row tests.
    kind: str | None = None

    def __post_init__(self) -> None:
        """Refuse a row in which nothing is asked."""
        if not self.question.strip():
            raise ValueError("the question is blank")


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An entry that was taken for an answer and is none; its texts are the suite's own."""

    name: str | int
    language: str | None
    kind: str | None
    question: str
    title: str
    content: str
    #: Of at least a part of the answer.
    probability: float


class AnswerJudge(Protocol):
    """What is held against the suite."""

    @property
    def threshold(self) -> float:
        """Probability from which an entry answers."""

    def judge(self, question: str, entries: Sequence[Shown]) -> tuple[Probabilities | None, ...]:
        """Judge entries, None where one was not read to its end."""


def run_answer_gate(judge: AnswerJudge, suites: Sequence[Path]) -> Result[WrongAnswer]:
    """
    Judge every row of the suites.

    Args:
        judge: loaded from the bundle, with the threads that it will serve with.
        suites: files of rows.

    Raises:
        RowError: a line is no row.
        SuiteError: every entry answers.
        InferenceError: the judge failed.
    """
    numbered = [
        (path, number, row) for path in suites for number, row in read_labelled(path, AnswerRow)
    ]
    rows = [row for _, _, row in numbered]
    if all(row.answers for row in rows):
        raise SuiteError("every entry of the suite answers, so no bundle could fail it")
    found = [_probability(judge, row) for row in rows]
    scored = Scored(
        pairs=[_pair(*one) for one in numbered],
        scores=np.array([NEVER if one is None else one for one in found], np.float32),
        # In the numbers that serving compares, which a float32 may round to the other side.
        served=np.array([one is not None and one >= judge.threshold for one in found]),
    )
    several = len(suites) > 1

    def hit(place: int) -> WrongAnswer:
        row = rows[place]
        return WrongAnswer(
            name=name_of(scored.pairs[place], several=several),
            language=row.language,
            kind=row.kind,
            question=row.question,
            title=row.title,
            content=row.content,
            probability=found[place] or 0.0,
        )

    return result_of(scored, suites, hit, by_language_pair=_by_language_pair(scored, rows))


def _probability(judge: AnswerJudge, row: AnswerRow) -> float | None:
    entry = Shown(title=row.title, content=row.content, category=None, lang=row.entry_language)
    (judged,) = judge.judge(row.question, [entry])
    return None if judged is None else answers(judged)


def _pair(path: Path, number: int, row: AnswerRow) -> Pair:
    """The row as it is measured: by what question and entry share, and by its label."""
    return Pair(
        file=path.name,
        row=number,
        id=row.id,
        language=row.language,
        utterance=row.question,
        prediction=f"{row.title} {row.content}",
        label=int(row.answers),
        kind=row.kind,
    )


def _by_language_pair(scored: Scored, rows: Sequence[AnswerRow]) -> dict[str, Any]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        if row.language and row.entry_language:
            places[f"{row.language}-{row.entry_language}"].append(place)
    return {name: measure.group(scored, own) for name, own in sorted(places.items())}
