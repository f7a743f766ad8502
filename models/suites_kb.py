"""
The knowledge-base suite: entries of three tenants and what callers ask them, held to strict rules.

`suites/kb/README.md` says how it was written and what gold is. Nothing is trained or tuned on it.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Literal, get_args

import msgspec

from models.suites import UnsoundSuiteError, check_ids, read_rows
from models.text import clean, letter_scripts, match_key

FOLDER = Path(__file__).parent / "suites" / "kb"

EntryLanguage = Literal["ar", "en", "hi"]
Variety = Literal["english", "hindi", "hinglish", "egyptian", "gulf", "msa", "mixed", "asr"]
Kind = Literal["direct", "indirect", "near_miss", "two_part", "unanswerable"]
VARIETIES: tuple[str, ...] = get_args(Variety)

#: Least entries, questions, questions without an answer, and questions of each variety.
LEAST_ENTRIES, LEAST_QUESTIONS, LEAST_UNANSWERABLE, LEAST_OF_VARIETY = 100, 300, 80, 50

_SCRIPT = {"ar": "arabic", "en": "latin", "hi": "devanagari"}
#: Sides that a question of each variety may have, before the dash of its language pair.
_SIDES = {
    "english": {"en"}, "hindi": {"hi"}, "hinglish": {"hinglish"}, "egyptian": {"ar"},
    "gulf": {"ar"}, "msa": {"ar"}, "mixed": {"mixed"}, "asr": {"ar", "en", "hi", "hinglish"},
}  # fmt: skip
_NO_PAIR = "none"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a tenant's knowledge base."""

    id: str
    tenant: str
    title: str
    content: str
    lang: EntryLanguage
    #: When it last changed.
    updated: date


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a caller asks a tenant."""

    id: str
    tenant: str
    question: str
    #: Entries that each answer it, or of `two_part` that answer it together; empty where none does.
    gold: tuple[str, ...]
    variety: Variety
    #: Languages of question and gold: "en-ar", "ar-ar+en", "none".
    language_pair: str
    kind: Kind


class Suite(msgspec.Struct, frozen=True):
    """Both, checked."""

    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]


def load(folder: Path = FOLDER) -> Suite:
    """
    Read and check the suite of a folder.

    Raises:
        RowError: a line is no row; the error names file and line.
        UnsoundSuiteError: rows do not fit together.
        OSError: a file cannot be read.
    """
    suite = Suite(
        entries=read_rows(folder / "entries.jsonl", Entry),
        questions=read_rows(folder / "questions.jsonl", Question),
    )
    check(suite)
    return suite


def check(suite: Suite) -> None:
    """
    Hold the suite to its rules: ids unique, gold of the question's own tenant, kinds and language
    pairs as the gold says, no question twice, sizes as the constants say.

    Raises:
        UnsoundSuiteError: the first rule broken; it names rows, never their texts.
    """
    check_ids([*(one.id for one in suite.entries), *(one.id for one in suite.questions)])
    for entry in suite.entries:
        _check_entry(entry)
    entries = {entry.id: entry for entry in suite.entries}
    for question in suite.questions:
        _check_question(question, entries)
    _check_repeats(suite.questions)
    _check_sizes(suite)


def _check_entry(entry: Entry) -> None:
    if not entry.title.strip() or not entry.content.strip():
        raise UnsoundSuiteError(f"{entry.id}: says nothing")
    if _SCRIPT[entry.lang] not in letter_scripts(entry.content):
        raise UnsoundSuiteError(f"{entry.id}: is in another script than its language")


def _check_question(question: Question, entries: dict[str, Entry]) -> None:
    if not clean(question.question).text or clean(question.question).too_long:
        raise UnsoundSuiteError(f"{question.id}: cannot be asked")
    gold = [entries.get(name) for name in question.gold]
    found = [entry for entry in gold if entry is not None and entry.tenant == question.tenant]
    if len(set(question.gold)) < len(question.gold) or len(found) < len(question.gold):
        raise UnsoundSuiteError(f"{question.id}: gold is twice, nowhere, or another tenant's")
    if (question.kind == "unanswerable") is bool(question.gold):
        raise UnsoundSuiteError(f"{question.id}: kind and gold disagree")
    if question.kind == "two_part" and len(found) < 2:  # noqa: PLR2004
        raise UnsoundSuiteError(f"{question.id}: one entry holds both parts")
    side, _, pair = question.language_pair.partition("-")
    languages = "+".join(sorted({entry.lang for entry in found}))
    if not found and question.language_pair != _NO_PAIR:
        raise UnsoundSuiteError(f"{question.id}: a pair without gold")
    if found and (pair != languages or side not in _SIDES[question.variety]):
        raise UnsoundSuiteError(f"{question.id}: pair, variety and gold disagree")


def _check_repeats(questions: Iterable[Question]) -> None:
    seen: dict[tuple[str, str], str] = {}
    for one in questions:
        key = (one.tenant, match_key(clean(one.question).text))
        if (first := seen.setdefault(key, one.id)) != one.id:
            raise UnsoundSuiteError(f"{one.id}: the same question as {first}")


def _check_sizes(suite: Suite) -> None:
    counts = Counter[str](one.variety for one in suite.questions)
    unanswerable = sum(not one.gold for one in suite.questions)
    if (
        len(suite.entries) < LEAST_ENTRIES
        or len(suite.questions) < LEAST_QUESTIONS
        or unanswerable < LEAST_UNANSWERABLE
    ):
        raise UnsoundSuiteError("too few entries, questions, or questions without an answer")
    for variety in VARIETIES:
        if counts[variety] < LEAST_OF_VARIETY:
            raise UnsoundSuiteError(f"{variety}: only {counts[variety]} questions")
