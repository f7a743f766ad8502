"""
What is known of two questions before somebody says whether they are one.

Vectors of two languages lie apart by more than their meanings, so each is taken from the mean of
its own language first. Words are compared by their forms and, across scripts, by their sounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from models.gaps import cues
from models.gaps.clause import Clause, Word, clauses, is_heard, known
from models.gaps.fact import Fact, facts
from models.kb.words import script, words
from models.text import clean, match_key
from models.values import Value, conflict, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from models.encoder import Vectors

#: Languages that have a mean vector; another takes the vector as it is.
LANGUAGES = ("ar", "en", "hi", "hinglish")
#: Columns of `columns`, in order; the bundle names them too.
NAMES = (
    "cosine", "centred", "judge", "across", "centred_across", "judge_across", "overlap",
    "overlap_across", "alone", "swapped", "added", "facts_shared", "facts_differ", "facts_added",
    "denied_otherwise", "limited_otherwise", "values_shared", "values_alone", "length",
)  # fmt: skip
_EDGES = " ?!.,;:…؟،؛।॥-"
#: Logits are divided by this, so that columns are of one size.
_LOGIT = 10.0

Row = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """A question as it is compared."""

    #: Cleaned. User text: never logged.
    text: str
    #: What the exact tier compares, without the marks around it: both are questions.
    key: str
    #: (D,) float32.
    vector: Vectors
    #: (D,) float32, of length 1: from the mean of its language.
    centred: Vectors
    #: One of `LANGUAGES`, or "other".
    language: str
    content: tuple[Word, ...]
    #: Names: places, and words with a capital where letters have them.
    names: tuple[Word, ...]
    values: tuple[Value, ...]
    facts: frozenset[Fact]
    negative: bool
    conditions: frozenset[str]


def read_question(text: str, vector: Vectors, centres: Mapping[str, Vectors]) -> Read:
    """
    Read a masked question.

    Args:
        text: raw or cleaned.
        vector: (D,) of length 1, of the cleaned text.
        centres: mean vector of each language.

    """
    cleaned = clean(text).text
    said = words(cleaned)
    parts = clauses(cleaned)
    content = tuple(word for part in parts for word in part.content)
    language = language_of(cleaned, parts)
    moved = vector - centres.get(language, np.zeros_like(vector))
    return Read(
        text=cleaned,
        key=match_key(cleaned).strip(_EDGES),
        vector=vector,
        centred=moved / max(float(np.linalg.norm(moved)), 1e-6),
        language=language,
        content=content,
        names=tuple(word for word in content if word.named),
        values=read(cleaned),
        facts=facts(said),
        negative=cues.negative(said),
        conditions=cues.conditions(said),
    )


def language_of(text: str, parts: list[Clause]) -> str:
    """Give the language of a question, one of `LANGUAGES` or "other"."""
    found = parts[0].language if parts else "other"
    return "hinglish" if found == "hi" and text.isascii() else found


def columns(a: Read, b: Read, logit: float) -> Row:
    """
    Give the columns of a pair, the same in either order.

    Args:
        a: one question.
        b: the other.
        logit: what the match judge says of them, the lower of both orders.

    """
    across = float(_family(a) != _family(b))
    centred = float(a.centred @ b.centred)
    shares = _shares(a, b)
    overlap, alone = sum(shares) / 2, 1 - min(shares)
    # Each side has a word that the other lacks, among words that both have: "gold" for "silver".
    swapped = overlap * float(max(shares) < 1)
    added = overlap * float(min(shares) < 1 == max(shares))
    judge = logit / _LOGIT
    shared = bool(a.facts & b.facts)
    lengths = sorted((len(a.content) + 1, len(b.content) + 1))
    paired = bool(a.values and b.values) and conflict(a.values, b.values) is None
    return np.array(
        [
            float(a.vector @ b.vector),
            centred,
            judge,
            across,
            centred * across,
            judge * across,
            overlap * (1 - across),
            overlap * across,
            alone * (1 - across),
            swapped * (1 - across),
            added * (1 - across),
            float(shared),
            float(bool(a.facts and b.facts) and not shared),
            float(a.facts != b.facts),
            float(a.negative is not b.negative),
            float(a.conditions != b.conditions),
            float(paired),
            float(bool(a.values) is not bool(b.values)),
            lengths[0] / lengths[1],
        ]
    )


def other_entity(a: Read, b: Read) -> bool:
    """Tell whether both questions name something, and nothing in common."""
    if not a.names or not b.names:
        return False
    return not any(known(name.text, b.content) for name in a.names) and not any(
        known(name.text, a.content) for name in b.names
    )


def _family(one: Read) -> str:
    return "hi" if one.language == "hinglish" else one.language


def _shares(a: Read, b: Read) -> tuple[float, float]:
    """Share of each side's words that the other has; of those that could be found there."""
    mine, theirs = _findable(a, b), _findable(b, a)
    if not mine or not theirs:
        return 0.0, 0.0
    return (
        sum(known(word.text, theirs) for word in mine) / len(mine),
        sum(known(word.text, mine) for word in theirs) / len(theirs),
    )


def _findable(one: Read, other: Read) -> list[Word]:
    """Words that could be found on the other side: of its script, or with enough sounds."""
    scripts = {script(word.text) for word in other.content}
    return [word for word in one.content if script(word.text) in scripts or is_heard(word.text)]
