"""
Rows for the answer judge: a question, an entry of its knowledge base, and the entry's level.

All entries with a level above 0 make a row with each question; of the others a few do, half of
them those that share most words with the question. Whether an entry still answers once a sentence
is gone is not written down, so no sentence is removed. Of two entries in one the level is known: an
answer keeps it beside a near miss, two parts are the whole answer, two near misses are none. Some
entries are made to look like an answer (`models.pipeline.data.kb_tricks`).
"""

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from models import suites_answer
from models.pipeline.data import kb_tricks
from models.pipeline.data.kb import (
    ANSWER,
    ENTRY_VARIANTS,
    NEAR,
    OTHER,
    PART,
    QUESTION_VARIANTS,
    Entry,
    KnowledgeBase,
    Question,
    Target,
    knowledge_bases,
)
from models.pipeline.data.overlap import jaccard
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import LeakError

#: Entries at level 0 of each question: those that share most words with it, and any.
_NEAREST, _ANY = 1, 1
_Choices = tuple[list[Entry], list[Entry]]
#: Share of questions that each trick is played on.
_TRICKED = 0.12
#: Words of two entries that are joined, at most: more is not read whole.
_JOINED_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class KbRow:
    """One question with one entry."""

    #: What the caller asked.
    question: str
    #: The entry, as a judge sees it.
    title: str
    content: str
    #: 3 the answer, 2 a part of it, 1 the same topic but not the asked fact, 0 another subject.
    level: int
    #: How the entry came about: "written", "joined" of two, a "passage", or the name of a trick.
    kind: str
    #: Variant of each side, a key of `LANGUAGE_OF`.
    question_language: str
    entry_language: str
    #: Keys whose splits must agree.
    group: tuple[str, ...]
    #: File that the texts come from.
    source: str


def language_pair(row: KbRow) -> str:
    """Return "hinglish-en" for a Hinglish question with an English entry."""
    return f"{LANGUAGE_OF[row.question_language]}-{LANGUAGE_OF[row.entry_language]}"


def kb_rows(rng: random.Random, found: Iterable[KnowledgeBase] | None = None) -> Iterator[KbRow]:
    """
    Yield the rows of each question, some of them with two entries in one.

    Args:
        rng: source of every choice.
        found: the knowledge bases; those of the folder by default.
    """
    for base in knowledge_bases() if found is None else found:
        for question in base.questions:
            yield from _rows(base, question, rng)


def _rows(base: KnowledgeBase, question: Question, rng: random.Random) -> Iterator[KbRow]:
    at = {level: _at(base, question, level) for level in range(OTHER, ANSWER + 1)}
    for level in (3, 2, 1):
        for entry in at[level]:
            yield _row(base, question, entry, level)
    for entry in _others(question.text, at[OTHER], rng):
        yield _row(base, question, entry, OTHER)
    for parts, level in _joinable(question, at):
        pair = _pair(parts, rng)
        if pair and len((joined := _join(*pair)).content.split()) <= _JOINED_WORDS:
            yield _row(base, question, joined, level, "joined")
    for name, entry, level in _tricks(question, at, rng):
        yield _row(base, question, entry, level, name)


def _tricks(
    question: Question, at: dict[int, list[Entry]], rng: random.Random
) -> Iterator[tuple[str, Entry, int]]:
    """Yield entries that mislead a judge that counts words: name of the trick, entry, level."""
    if at[NEAR] and rng.random() < _TRICKED:
        yield "echo", kb_tricks.echo(question.text, rng.choice(at[NEAR])), NEAR
    about = at[ANSWER] or at[PART] or at[NEAR]
    if about and rng.random() < _TRICKED:
        yield "promise", kb_tricks.promise(rng.choice(about), rng), NEAR
    if rng.random() < _TRICKED:
        level = rng.choice([level for level, entries in at.items() if entries])
        yield "order", kb_tricks.order(rng.choice(at[level]), rng), level


def _joinable(question: Question, at: dict[int, list[Entry]]) -> Iterator[tuple[_Choices, int]]:
    """Yield what one entry may be made of, and the level that it has then."""
    if question.target == Target.WHOLE:
        yield (at[ANSWER], at[NEAR]), ANSWER
    elif question.target == Target.PARTS and len(at[PART]) == 2:  # noqa: PLR2004
        yield (at[PART], at[PART]), ANSWER
        yield (at[PART], at[NEAR]), PART
    yield (at[NEAR], at[NEAR]), NEAR


def _pair(parts: _Choices, rng: random.Random) -> tuple[Entry, Entry] | None:
    """One of each in one language, in either order."""
    pairs = [
        (first, second)
        for first, second in itertools.product(*parts)
        if first != second and first.language == second.language
    ]
    if not pairs:
        return None
    first, second = rng.sample(rng.choice(pairs), 2)
    return first, second


def _join(first: Entry, second: Entry) -> Entry:
    """One entry of two; each part keeps its title, which often names its subject."""
    content = f"{first.content} {second.title}: {second.content}"
    return Entry(first.id, first.title, content, first.language)


def _at(base: KnowledgeBase, question: Question, level: int) -> list[Entry]:
    pairs = zip(base.entries, question.levels, strict=True)
    return [entry for entry, own in pairs if own == level]


def _others(text: str, others: list[Entry], rng: random.Random) -> list[Entry]:
    rng.shuffle(others)
    nearest = sorted(others, key=lambda one: -jaccard(text, f"{one.title} {one.content}"))
    return list(dict.fromkeys((*nearest[:_NEAREST], *others[: _NEAREST + _ANY])))[: _NEAREST + _ANY]


def _row(
    base: KnowledgeBase, question: Question, entry: Entry, level: int, kind: str = "written"
) -> KbRow:
    return KbRow(
        question=question.text,
        title=entry.title,
        content=entry.content,
        level=level,
        kind=kind,
        question_language=QUESTION_VARIANTS[question.language],
        entry_language=ENTRY_VARIANTS[entry.language],
        group=(base.key,),
        source=f"kb/{base.source}",
    )


def write_kb_rows(path: Path, rows: Iterable[KbRow]) -> int:
    """
    Write one JSON object a line and return the number of rows.

    Raises:
        LeakError: a question stands with an entry that the answer gate's suite has with it; nothing
            is written then.
    """
    found = list(rows)
    _check_apart(found)
    path.write_bytes(b"".join(orjson.dumps(asdict(row)) + b"\n" for row in found))
    return len(found)


def _check_apart(rows: Iterable[KbRow]) -> None:
    """Whatever source they come from, rows are written here, so that none of the suite passes."""
    apart = suites_answer.pairs(suites_answer.load())
    found = sum(suites_answer.pair_of(row.question, row.content) in apart for row in rows)
    if found:
        raise LeakError(f"{found} rows are of the answer gate's suite")


def read_kb_rows(path: Path) -> Iterator[KbRow]:
    """
    Yield the rows of a file that `write_kb_rows` wrote.

    Raises:
        TypeError: a field is missing or unknown.
    """
    with path.open("rb") as file:
        for line in file:
            fields = orjson.loads(line)
            yield KbRow(**fields | {"group": tuple(fields["group"])})
