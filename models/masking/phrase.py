"""Phrases that name a kind of data ("order number", "رقم الهوية"), found in a row of words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from models.masking.kind import Kind
from models.values.spelling import key

#: First word to what may follow it: all words, the kind, which of the kind's rules.
Phrases = dict[str, list[tuple[tuple[str, ...], Kind | None, str]]]

_ARTICLES = ("وال", "بال", "فال", "كال", "لل", "ال")
_JOINED = "وبلف"
_MIN_STEM = 3


class Hit(NamedTuple):
    """A phrase at tokens [start, end)."""

    start: int
    end: int
    #: None for phrases that only look like one ("error code").
    kind: Kind | None
    rule: str


def stem(word: str) -> str:
    """Take the Arabic article off a folded word."""
    if not "ء" <= word[:1] <= "ي":
        return word
    for article in _ARTICLES:
        if word.startswith(article) and len(word) >= len(article) + _MIN_STEM - 1:
            return word[len(article) :]
    return word


def listed(text: str) -> list[tuple[str, ...]]:
    """Give the words, folded, of phrases that semicolons or lines part."""
    phrases = (phrase.split() for phrase in text.replace("\n", ";").split(";"))
    return [tuple(key(word) for word in words) for words in phrases if words]


def phrases_of(tables: Mapping[Kind | None, Mapping[str, str]]) -> Phrases:
    """Index the phrases of each rule of each kind by their first words, longest first."""
    found: Phrases = {}
    for kind, rules in tables.items():
        for rule, text in rules.items():
            for phrase in listed(text):
                words = tuple(stem(word) for word in phrase)
                found.setdefault(words[0], []).append((words, kind, rule))
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


def hits(words: Sequence[str], near: Callable[[int], bool], phrases: Phrases) -> Iterator[Hit]:
    """Find phrases from left to right, the longest at each word; several kinds may share one."""
    stems = [stem(word) for word in words]
    index = 0
    while index < len(stems):
        longest = 0
        for spelt, kind, rule in _entries(stems, index, phrases):
            if len(spelt) < longest:
                break
            end = index + len(spelt)
            if tuple(stems[index + 1 : end]) == spelt[1:] and all(
                near(place) for place in range(index, end - 1)
            ):
                longest = len(spelt)
                yield Hit(index, end, kind, rule)
        index += longest or 1


def _entries(
    stems: list[str], index: int, phrases: Phrases
) -> list[tuple[tuple[str, ...], Kind | None, str]]:
    word = stems[index]
    entries = phrases.get(word)
    if entries is None and word[:1] in _JOINED and len(word) > _MIN_STEM:
        entries = phrases.get(stem(word[1:]))
    return entries or []
