"""
Held-out knowledge bases as `turngate eval kb` reads them: entries and questions with their gold.

Each knowledge base is a tenant of its own. Questions of several parts have all their parts as gold;
those that an entry answers only partly are left out, as no answer to them is right or wrong.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from models.pipeline.data.kb import (
    PART,
    QUESTION_VARIANTS,
    KnowledgeBase,
    Question,
    Target,
    knowledge_bases,
)
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import Side


def held(side: Side, found: Iterable[KnowledgeBase] | None = None) -> list[KnowledgeBase]:
    """Return the knowledge bases whose key is held out."""
    every = knowledge_bases() if found is None else found
    return [base for base in every if side(base.key) == "validation"]


def entries(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    """Yield the entries of a knowledge base; ids are unique across knowledge bases."""
    for entry in base.entries:
        yield {
            "id": f"{base.key}/{entry.id}", "tenant": base.key, "title": entry.title,
            "content": entry.content, "lang": entry.language,
        }  # fmt: skip


def questions(base: KnowledgeBase) -> Iterator[dict[str, Any]]:
    """Yield the questions that are either answered or not."""
    for number, question in enumerate(base.questions, 1):
        if question.target != Target.PARTLY:
            yield {
                "id": f"{base.key}/{number}", "tenant": base.key, "question": question.text,
                "gold": [f"{base.key}/{name}" for name in _gold(base, question)],
                "variety": question.language, "kind": question.target.value,
                "language_pair": _pair(base, question),
            }  # fmt: skip


def write_lines(path: Path, found: Iterable[dict[str, Any]]) -> int:
    """Write one JSON object a line and return their number."""
    lines = [orjson.dumps(one) + b"\n" for one in found]
    path.write_bytes(b"".join(lines))
    return len(lines)


def _gold(base: KnowledgeBase, question: Question) -> list[str]:
    pairs = zip(base.entries, question.levels, strict=True)
    return [entry.id for entry, level in pairs if level >= PART]


def _pair(base: KnowledgeBase, question: Question) -> str:
    """Language of the question, then of its gold entries: "ar-en", "ar-ar+en", "none"."""
    gold = set(_gold(base, question))
    languages = {entry.language for entry in base.entries if entry.id in gold}
    if not languages:
        return "none"
    return f"{LANGUAGE_OF[QUESTION_VARIANTS[question.language]]}-{'+'.join(sorted(languages))}"
