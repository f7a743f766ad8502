"""The demo's knowledge base and the questions to it, read from `deploy/demo`."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from models.kb.limits import Limits
from topics.entry import KbEntry
from workers.demo.data import FOLDER, DataError, table
from workers.kb.rows import read_rows

_COLUMNS = [
    *("question", "tenant", "language", "kind", "answer", "candidates", "gap", "hidden", "text"),
]
#: Stands for nothing in a cell.
_NONE = "-"
#: The demo's entries are far below what a worker takes.
_LIMITS = Limits(tenant=1_000, all=1_000)


class QuestionKind(StrEnum):
    """What is true of a question."""

    #: An entry answers it.
    ANSWER = "answer"
    #: The knowledge base should answer it and does not.
    MISSING = "missing"
    #: Only live data answers it.
    LIVE = "live"
    #: Nothing that this knowledge base is for.
    OFF_TOPIC = "off_topic"
    #: Nobody can tell what is asked.
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoQuestion:
    """What one caller asks, and what is true of it."""

    #: Names it in all of the demo.
    question_id: str
    #: Whose knowledge base is asked.
    tenant: str
    #: en, hi, hinglish or ar.
    language: str
    kind: QuestionKind
    #: The one entry that answers it; None where none does.
    answer: str | None
    #: The entries that the agent itself brings, in its order; empty where we are to search.
    candidates: tuple[str, ...]
    #: Questions of one gap have one name; None for a question that is no gap.
    gap: str | None
    #: Made-up personal data in the text, which no gap may show; None where there is none.
    hidden: str | None
    #: What is asked.
    text: str

    @property
    def expected(self) -> str | None:
        """The entry that a verdict should put first; None where it should say that none answers."""
        if self.candidates and self.answer not in self.candidates:
            return None
        return self.answer

    @property
    def key(self) -> tuple[str, str, int]:
        """What a verdict on it carries: tenant, call and turn."""
        return (self.tenant, self.question_id, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnowledgeData:
    """The knowledge base, and what is asked."""

    entries: tuple[KbEntry, ...]
    questions: tuple[DemoQuestion, ...]

    @property
    def tenants(self) -> tuple[str, ...]:
        """Whose knowledge bases these are."""
        return tuple(sorted({entry.tenant_id for entry in self.entries}))


def load_knowledge(count: int, folder: Path = FOLDER) -> KnowledgeData:
    """
    Read the knowledge base and the first questions; they are mixed, so a few are of many kinds.

    Args:
        count: how many questions; all if there are fewer.
        folder: of the demo's files.

    Raises:
        DataError: a file is missing or not as it should be.

    """
    try:
        rows = read_rows(folder / "entries.jsonl", _LIMITS)
        questions = tuple(_questions(folder / "questions.tsv"))
    except (OSError, ValueError) as error:
        raise DataError(f"the knowledge base in {folder} cannot be read: {error}") from error
    if rows.problems:
        first = rows.problems[0]
        raise DataError(f"entries.jsonl:{first.line}: {first.reason}")
    known = {(entry.tenant_id, entry.entry_id) for entry in rows.entries}
    for question in questions:
        named = {*question.candidates} | ({question.answer} - {None})
        if not {(question.tenant, name) for name in named} <= known:
            raise DataError(f"questions.tsv: {question.question_id} names an unknown entry")
    return KnowledgeData(entries=rows.entries, questions=questions[:count])


def _questions(path: Path) -> Iterator[DemoQuestion]:
    for row in table(path, _COLUMNS):
        candidates = _cell(row["candidates"])
        yield DemoQuestion(
            question_id=row["question"],
            tenant=row["tenant"],
            language=row["language"],
            kind=QuestionKind(row["kind"]),
            answer=_cell(row["answer"]),
            candidates=tuple(candidates.split(",")) if candidates else (),
            gap=_cell(row["gap"]),
            hidden=_cell(row["hidden"]),
            text=row["text"],
        )


def _cell(text: str) -> str | None:
    return None if text == _NONE else text
