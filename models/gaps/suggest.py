"""
A suggested entry for a gap: what callers asked, what near entries say, and blanks for the rest.

Everything is taken from the evidence word for word, so that nothing is made up; what nobody knows
yet is a blank for the writer. The validator has the last word all the same: what it does not let
pass is left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from models.gaps.clause import clauses, known
from models.gaps.fact import Fact, asked_fact
from models.gaps.validate import validate
from models.kb.shown import Shown
from models.kb.words import words

#: To be filled in by a writer.
BLANK = "____"
#: Sentences of near entries in a suggestion, entries that are looked at, and examples a language.
MAX_QUOTES, MAX_NEAR, MAX_EXAMPLES = 3, 5, 3
#: Words of a clear question, fewest and most; what is shorter names no subject, what is longer
#: rambles.
_CLEAR = range(3, 16)
#: Longest title and quote, characters.
MAX_TITLE, _MAX_QUOTE = 120, 300
#: What is read of a gap: questions, characters of each, characters of each entry. Together they are
#: less than the validator's limit.
_MAX_ASKED, _MAX_QUESTION, _MAX_ENTRY = 12, 200, 1_800
#: Questions of a gap that are compared with each other: the most frequent ones.
_MAX_LOOKED = 100
#: Titles and quotes that are held against the evidence before the rest is given up.
_MAX_TRIED = 8
#: Words that a quote must share with what was asked.
_SHARED = 1
_TAG = re.compile(r"\[[A-Z_]+\]")


_LABELS: dict[str, dict[Fact, str]] = {
    "en": {
        Fact.PRICE: "Price",
        Fact.TIME: "Time",
        Fact.PLACE: "Place",
        Fact.DOCUMENTS: "Documents",
        Fact.CONTACT: "Contact",
        Fact.ANSWER: "Answer",
    },
    "hi": {
        Fact.PRICE: "कीमत",
        Fact.TIME: "समय",
        Fact.PLACE: "स्थान",
        Fact.DOCUMENTS: "दस्तावेज़",
        Fact.CONTACT: "संपर्क",
        Fact.ANSWER: "उत्तर",
    },
    "ar": {
        Fact.PRICE: "السعر",
        Fact.TIME: "الموعد",
        Fact.PLACE: "المكان",
        Fact.DOCUMENTS: "المستندات",
        Fact.CONTACT: "التواصل",
        Fact.ANSWER: "الإجابة",
    },
}
_DEFAULT = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A masked question of the gap, and its language."""

    #: Masked. User text all the same: never logged.
    text: str
    #: "en", "hi", "hinglish" or "ar".
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What a writer starts from."""

    #: The clearest question, word for word.
    title: str
    #: The clearest masked questions of each language, best first.
    questions: dict[str, tuple[str, ...]]
    #: Sentences of near entries that speak of the same, word for word.
    quotes: tuple[str, ...]
    #: What is to be filled in, in the language of the knowledge base.
    blanks: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole draft, as the validator reads it."""
        return "\n".join((self.title, *self.quotes, *self.blanks))


def suggest(asked: Sequence[Asked], near: Sequence[Shown] = ()) -> Suggestion | None:
    """
    Make a suggestion that its own validator accepts.

    Args:
        asked: the masked questions of one gap, at least one.
        near: the nearest entries, nearest first.

    Returns:
        The suggestion; None where no question says anything.

    """
    ranked = _ranked(asked)
    clear = [one for one in ranked if _title(one.text)]
    if not clear:
        return None
    entries = near[:MAX_NEAR]
    language = _language(clear, entries)
    evidence = evidence_of(clear, entries)
    questions = {
        name: tuple(dict.fromkeys(one.text for one in ranked if one.language == name))[
            :MAX_EXAMPLES
        ]
        for name in dict.fromkeys(one.language for one in ranked)
    }
    return Suggestion(
        title=_titled(clear, evidence),
        questions=questions,
        quotes=tuple(_quotes(clear[0], entries, evidence)),
        blanks=(f"{_LABELS[language][asked_fact([one.text for one in clear])]}: {BLANK}",),
    )


def _ranked(asked: Sequence[Asked]) -> list[Asked]:
    """The questions, of the language that most are asked in first, clearest first."""
    spoken = Counter(one.language for one in asked)
    often = Counter((one.text, one.language) for one in asked)
    # The most frequent ones, in an order that does not depend on when they came.
    looked = [
        Asked(text=text, language=language)
        for (text, language), _ in sorted(often.items(), key=lambda item: (-item[1], item[0]))
    ][:_MAX_LOOKED]
    said = [set(words(one.text)) for one in looked]
    clearness = {
        one: _clearness(
            one,
            said[at],
            [
                other
                for place, other in enumerate(said)
                if place != at and looked[place].language == one.language
            ],
        )
        for at, one in enumerate(looked)
    }
    return sorted(looked, key=lambda one: (-spoken[one.language], -clearness[one], one.text))


def evidence_of(asked: Sequence[Asked], near: Sequence[Shown]) -> list[str]:
    """What a suggestion may draw on: no more of it than the validator reads."""
    questions = [one.text[:_MAX_QUESTION] for one in asked[:_MAX_ASKED]]
    return [*questions, *(f"{one.title}\n{one.content}"[:_MAX_ENTRY] for one in near[:MAX_NEAR])]


def _titled(clear: Sequence[Asked], evidence: Sequence[str]) -> str:
    """Give the clearest question that the validator lets pass; a blank where it passes none."""
    titles = (_title(one.text) for one in clear[:_MAX_TRIED])
    return next((title for title in titles if validate(title, evidence).ok), BLANK)


def _title(text: str) -> str:
    """A question without what was masked, no longer than a title."""
    bare = " ".join(_TAG.sub(" ", text).split())
    if len(bare) > MAX_TITLE:
        bare = bare[:MAX_TITLE].rsplit(" ", 1)[0]
    return bare if words(bare) else ""


def _clearness(one: Asked, mine: set[str], others: Sequence[set[str]]) -> float:
    """How much a question has in common with others of its language, tidy ones first."""
    if not mine:
        return -1.0
    shared = sum(len(mine & other) / len(mine | other) for other in others)
    tidy = len(words(one.text)) in _CLEAR and _TAG.search(one.text) is None
    return shared / max(1, len(others)) + tidy


def _quotes(one: Asked, near: Sequence[Shown], evidence: Sequence[str]) -> Iterator[str]:
    topic = [word for clause in clauses(one.text) for word in clause.content]
    found: list[tuple[int, int, str]] = []
    for entry in near:
        for clause in clauses(entry.content[: _MAX_ENTRY - len(entry.title)]):
            shared = sum(known(word.text, clause.words) for word in topic)
            if shared >= _SHARED and len(clause.text) <= _MAX_QUOTE:
                found.append((-shared, len(found), clause.text))
    texts = dict.fromkeys(text for _, _, text in sorted(found)[:_MAX_TRIED])
    passed = (text for text in texts if validate(text, evidence).ok)
    yield from islice(passed, MAX_QUOTES)


def _language(asked: Sequence[Asked], near: Sequence[Shown]) -> str:
    """The language of the nearest entry, or else that of most questions."""
    tags = [(entry.lang or "").split("-")[0] for entry in near]
    spoken = [one.language for one in asked]
    most = max(dict.fromkeys(spoken), key=spoken.count)
    return next((tag for tag in tags if tag in _LABELS), most if most in _LABELS else _DEFAULT)
