"""
The weights behind the language guard, and what they say of one word.

A table adds up: above zero speaks for the languages that we train, below for the strangers that
share their script. `models/pipeline/lexicon.py` makes the files; `language_data/SOURCE.md` names
their sources and licences.
"""

import functools
import gzip
import math
from dataclasses import dataclass
from pathlib import Path

from models.language_words import fold, pieces

_FOLDER = Path(__file__).parent / "language_data"
#: Weights are stored in sixteenths; everything here counts in sixteenths, as integers.
STEP = 16
#: Longest part of a word that is looked at, in characters.
MAX_WORD = 32
#: Words kept with their weight, per table; a process sees most words again and again.
CACHED_WORDS = 32_768


@dataclass(frozen=True, slots=True)
class Table:
    """Weights in sixteenths."""

    script: str
    words: dict[str, int]
    runs: dict[str, int]
    bias: int

    def known(self, word: str) -> int | None:
        """The weight of a word that the table lists."""
        folded = fold(word, self.script)[:MAX_WORD]
        weight = self.words.get(folded)
        if weight is None and folded[-1:] == folded[-2:-1]:
            weight = self.words.get(folded[:-1])
        return weight

    def guessed(self, word: str) -> int:
        """The weight of any word by its character runs."""
        parts = pieces(fold(word, self.script)[:MAX_WORD])
        runs = self.runs
        return round(sum(runs.get(part, 0) for part in parts) / math.sqrt(len(parts)))


@functools.cache
def table(name: str) -> Table:
    """
    Load a table once.

    Args:
        name: "latin", "devanagari", "arabic", or "hinglish", which tells romanised Hindi (above
            zero) from English (below).
    """
    words: dict[str, int] = {}
    runs: dict[str, int] = {}
    bias = 0
    body = gzip.decompress((_FOLDER / f"{name}.tsv.gz").read_bytes()).decode()
    for line in body.splitlines():
        kind, key, weight = line.split("\t")
        if kind == "word":
            words[key] = int(weight)
        elif kind == "run":
            runs[key] = int(weight)
        else:
            bias = int(weight)
    return Table("latin" if name == "hinglish" else name, words, runs, bias)
