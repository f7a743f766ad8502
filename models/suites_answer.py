"""
The answer gate's suite: questions beside entries that nearly answer them, held to strict rules.

`suites/README.md` says how it was written and what a label answers. Nothing is trained or tuned on
it: the data stage holds its rows against `pairs()`.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from models.pipeline.data.split import text_key
from models.suites import FOLDER, LANGUAGES, Language, UnsoundSuiteError, check_ids, read_rows
from models.text import clean, letter_scripts

NAME = "answer_gate.jsonl"

Kind = Literal[
    "attribute", "entity", "condition", "promise", "echo", "negation", "kind_of_value",
    "injection", "off_topic", "answers",
]  # fmt: skip
KINDS: tuple[str, ...] = get_args(Kind)
#: The only class whose entries answer.
ANSWERS = "answers"

#: Least rows of each language of a question.
LEAST = 110
#: Share of rows whose entry answers, least and most in each language.
ANSWERING = (0.1, 0.15)
#: Share of rows whose entry is in another language than the question, least and most over all.
ACROSS = (0.35, 0.5)

_SCRIPT = {"en": "latin", "hinglish": "latin", "hi": "devanagari", "ar": "arabic"}


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """A question with one entry."""

    id: str
    #: Of the question.
    language: Language
    entry_language: Language
    #: In what the entry misses the question.
    kind: Kind
    question: str
    title: str
    content: str
    #: Whether the entry holds at least a part of the answer.
    answers: bool


def load(folder: Path = FOLDER) -> tuple[Row, ...]:
    """
    Read and check the suite of a folder.

    Raises:
        RowError: a line is no row; the error names file and line.
        UnsoundSuiteError: rows do not fit together.
        OSError: the file cannot be read.
    """
    rows = read_rows(folder / NAME, Row)
    check(rows)
    return rows


def pair_of(question: str, content: str) -> tuple[str, str]:
    """Return a question and an entry's content as they are compared: their words."""
    return text_key(clean(question).text), text_key(content)


def pairs(rows: Iterable[Row]) -> frozenset[tuple[str, str]]:
    """Return the pairs that training must not hold, as `pair_of` writes them."""
    return frozenset(pair_of(row.question, row.content) for row in rows)


def check(rows: Sequence[Row]) -> None:
    """
    Hold the suite to its rules: texts that can be asked and read, each in its script, no id and no
    pair twice, labels that follow from the classes, sizes and shares as the constants say.

    Raises:
        UnsoundSuiteError: the first rule broken; it names rows, never their texts.
    """
    check_ids(row.id for row in rows)
    for row in rows:
        _check_texts(row)
        if row.answers is not (row.kind == ANSWERS):
            raise UnsoundSuiteError(f"{row.id}: class and label disagree")
    _check_repeats(rows)
    for language in LANGUAGES:
        _check_language(language, [row for row in rows if row.language == language])
    across = sum(row.language != row.entry_language for row in rows) / len(rows)
    if not ACROSS[0] <= across <= ACROSS[1]:
        raise UnsoundSuiteError(f"{across:.2f} of the entries are in another language")


def _check_texts(row: Row) -> None:
    asked = clean(row.question)
    if not asked.text or asked.too_long or asked.text != unicodedata.normalize("NFC", row.question):
        raise UnsoundSuiteError(f"{row.id}: the question is not in its clean form")
    if not letter_scripts(row.question) <= {_SCRIPT[row.language]}:
        raise UnsoundSuiteError(f"{row.id}: the question is in another script")
    if not row.title.strip() or _SCRIPT[row.entry_language] not in letter_scripts(row.content):
        raise UnsoundSuiteError(f"{row.id}: the entry is in another script, or says nothing")


def _check_repeats(rows: Iterable[Row]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for row in rows:
        if (first := seen.setdefault(pair_of(row.question, row.content), row.id)) != row.id:
            raise UnsoundSuiteError(f"{row.id}: the same pair as {first}")


def _check_language(language: str, rows: Sequence[Row]) -> None:
    if len(rows) < LEAST:
        raise UnsoundSuiteError(f"{language}: only {len(rows)} of {LEAST} rows")
    counts = Counter(row.kind for row in rows)
    if absent := sorted(set(KINDS) - set(counts)):
        raise UnsoundSuiteError(f"{language}: no row of class {absent[0]}")
    share = counts[ANSWERS] / len(rows)  # type: ignore[index]
    if not ANSWERING[0] <= share <= ANSWERING[1]:
        raise UnsoundSuiteError(f"{language}: {share:.2f} of the entries answer")
