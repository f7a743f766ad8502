"""Names of months: one word, two words (كانون الثاني), شهر with a name or number."""

from typing import NamedTuple

from models.values.line import Line
from models.values.word import Function, Word

_MONTHS = 12


class Month(NamedTuple):
    """A month."""

    month: int
    #: Index of the word after it.
    end: int
    #: The word has another sense.
    weak: bool


def month_named(line: Line, index: int) -> Month | None:
    """Read the month that stands at a word; None where none does."""
    word = line.words[index]
    if word is None:
        return None
    if word.month is not None:
        return Month(word.month, index + 1, word.month_weak)
    after = line.after[index]
    if after is None:
        return None
    if word.month_pair is not None and after.ordinal in (1, 2):
        return Month(word.month_pair[after.ordinal - 1], index + 2, weak=False)
    return _numbered(after, index) if word.functions & Function.MONTH_AHEAD else None


def _numbered(word: Word, index: int) -> Month | None:
    """Read what follows شهر."""
    if word.month is not None:  # شهر مارس
        return Month(word.month, index + 2, weak=False)
    if word.number is None or word.number[0] % 1 or not 1 <= word.number[0] <= _MONTHS:
        return None
    if word.number[0] == 1 and word.digits is None:  # شهر واحد is one month
        return None
    return Month(int(word.number[0]), index + 2, weak=False)
