"""
Knowledge bases with questions: which entry contains the answer, which is only near, or none does.

Each file `kb/PART-NUMBER.txt` holds knowledge bases, written by hand as::

    # Corniche Fitness, Alexandria | gym
    @ gold.price [en] Gold plan price :: The Gold plan costs 1,450 pounds a month.
    @ gold.contents [en] What Gold includes :: Pool, classes and two guest passes a month.
    ? gold.price
    en: how much is the gold plan
    ar: بكام اشتراك الجولد في الشهر
    ? none gold
    en: can i pay for gold in instalments

A question has a level for every entry: 3 the answer, 2 a part of it, 1 the same topic but not the
asked fact, 0 another subject. Nothing is known across knowledge bases, so no row crosses them, and
a knowledge base is held out as a whole.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from models.pipeline.data.tables import HERE

#: Variant that each language of a question counts as; "ar" mixes dialects, Egyptian first.
QUESTION_VARIANTS = {
    "en": "en",
    "hi": "hi",
    "hinglish": "hinglish",
    "ar": "ar-EG",
    "msa": "ar-MSA",
}
#: Variant that each language of an entry counts as.
ENTRY_VARIANTS = {"en": "en", "hi": "hi", "ar": "ar-MSA"}

ANSWER, PART, NEAR, OTHER = 3, 2, 1, 0

_NAME = "[a-z0-9_]+"
_ENTRY = re.compile(rf"({_NAME}\.{_NAME}) \[({'|'.join(ENTRY_VARIANTS)})\] (\S.*?) :: (\S.*)")
_QUESTION = re.compile(rf"({'|'.join(QUESTION_VARIANTS)}): (\S.*)")
_NONE = "none"


class Target(StrEnum):
    """What answers a question."""

    #: Each of the entries at level 3, on its own.
    WHOLE = "whole"
    #: The entries at level 2 together.
    PARTS = "parts"
    #: The entry at level 2, but not all of it.
    PARTLY = "partly"
    #: No entry.
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a knowledge base."""

    #: `topic.fact`; entries of one topic are near misses of each other.
    id: str
    title: str
    content: str
    #: A key of `ENTRY_VARIANTS`.
    language: str

    @property
    def topic(self) -> str:
        """What it shares with its near misses."""
        return self.id.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Question:
    """A caller's question with its level for each entry."""

    text: str
    #: A key of `QUESTION_VARIANTS`.
    language: str
    target: Target
    #: Level of each entry of the knowledge base, in its order.
    levels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """A company's entries, and what callers ask it."""

    title: str
    domain: str
    #: Name of the file that it comes from.
    source: str
    entries: list[Entry] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)

    @property
    def key(self) -> str:
        """Split key."""
        return f"kb:{self.title}"


#: Target of questions, and the level that they have for each entry.
_Aim = tuple[Target, tuple[int, ...]]


class KnowledgeBaseError(ValueError):
    """A file of knowledge bases is not as described; says file and line, never the text."""


def knowledge_bases(folder: Path = HERE / "kb") -> list[KnowledgeBase]:
    """
    Return the knowledge bases of all files, in the order of the files' names.

    Raises:
        KnowledgeBaseError: a line is out of place, or two knowledge bases have one title.
    """
    found: dict[str, KnowledgeBase] = {}
    for path in sorted(folder.glob("*.txt")):
        for base in read_knowledge_bases(path):
            if found.setdefault(base.key, base) is not base:
                raise KnowledgeBaseError(
                    f"{path.name}: a title that {found[base.key].source} has too"
                )
    return list(found.values())


def read_knowledge_bases(path: Path) -> Iterator[KnowledgeBase]:
    """Yield the knowledge bases of one file; raises as `knowledge_bases` does."""
    base: KnowledgeBase | None = None
    aim: _Aim | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        text = line.strip()
        try:
            if text.startswith("#"):
                yield from _whole(base, path)
                base, aim = _header(text[1:], path.name), None
            elif text:
                aim = _take(text, base, aim)
        except _LineError as error:
            raise KnowledgeBaseError(f"{path.name}:{number}: {error}") from None
    yield from _whole(base, path)


class _LineError(ValueError):
    """A line is not as described."""


def _take(text: str, base: KnowledgeBase | None, aim: _Aim | None) -> _Aim | None:
    """Take an entry, a target or a question; returns what the questions behind it aim at."""
    if base is None:
        raise _LineError("outside a knowledge base")
    mark, rest = text[:1], text[1:].strip()
    if mark == "@":
        if aim is not None:
            raise _LineError("an entry behind questions")
        base.entries.append(_entry(rest, base))
        return None
    if mark == "?":
        return _aim(rest, base.entries)
    if aim is None:
        raise _LineError("a question without a target")
    base.questions.append(_question(text, *aim))
    return aim


def _whole(base: KnowledgeBase | None, path: Path) -> Iterator[KnowledgeBase]:
    if base is not None:
        if not base.entries or not base.questions:
            raise KnowledgeBaseError(f"{path.name}: a knowledge base without entries or questions")
        yield base


def _header(rest: str, source: str) -> KnowledgeBase:
    title, _, domain = (part.strip() for part in rest.rpartition("|"))
    if not title or not domain:
        raise _LineError("needs a company and a domain")
    return KnowledgeBase(title, domain, source)


def _entry(rest: str, base: KnowledgeBase) -> Entry:
    match = _ENTRY.fullmatch(rest)
    if match is None:
        raise _LineError("no entry: needs topic.fact [language] title :: content")
    name, language, title, content = match.groups()
    if name in {entry.id for entry in base.entries}:
        raise _LineError("an id that the knowledge base has already")
    return Entry(name, title, content, language)


def _question(text: str, target: Target, levels: tuple[int, ...]) -> Question:
    match = _QUESTION.fullmatch(text)
    if match is None:
        raise _LineError("no question: needs language: text")
    return Question(match[2], match[1], target, levels)


def _aim(rest: str, entries: list[Entry]) -> _Aim:
    """Read `id`, `id = id`, `id + id`, `id ~` or `none topic`, each with `/ id` behind it."""
    head, *tails = rest.split("/")
    near = {name for tail in tails for name in tail.split()}
    if _NONE in head.split():
        target, named, topics = Target.NOTHING, set[str](), set(head.split()) - {_NONE}
    else:
        target, names = _named(head)
        named, topics = set(names), {name.partition(".")[0] for name in names}
        if len(named) < len(names):
            raise _LineError("an id twice in a target")
    _known(named | near, {entry.id for entry in entries})
    _known(topics, {entry.topic for entry in entries})
    best = ANSWER if target == Target.WHOLE else PART
    return target, tuple(
        best if entry.id in named else NEAR if entry.id in near or entry.topic in topics else OTHER
        for entry in entries
    )


def _named(head: str) -> tuple[Target, list[str]]:
    text = head.strip()
    if "+" in text:
        target, names = Target.PARTS, text.split("+")
    elif text.endswith("~"):
        target, names = Target.PARTLY, [text.removesuffix("~")]
    else:
        target, names = Target.WHOLE, text.split("=")
    return target, [name.strip() for name in names]


def _known(named: Collection[str], known: Collection[str]) -> None:
    if not set(named) <= set(known):
        raise _LineError("an entry or topic that the knowledge base does not have")
