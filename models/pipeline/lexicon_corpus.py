"""What stands for one language when the guard's table is trained, and how it is put together."""

import gzip
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from models.language_words import words
from models.pipeline import lexicon_sources as source
from models.pipeline.lexicon_romanise import variants

#: Phrases that we wrote ourselves, one file a language.
SEEDS = Path(__file__).parent / "lexicon_seeds"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Phrases and word frequencies of one language in one script."""

    language: str
    #: Trained language, or a stranger.
    own: bool
    #: How many phrases to draw for training.
    quota: int
    phrases: list[str] = field(default_factory=list)
    frequencies: dict[str, float] = field(default_factory=dict)
    #: Share of drawn phrases that are real ones; the rest is made of words by frequency.
    real: float = 0.5
    #: Share of drawn phrases in which some words are exchanged for English content words.
    mixed: float = 0.0


def trained(
    language: str,
    quota: int,
    phrases: list[str],
    frequencies: dict[str, float],
    real: float,
    *,
    mixed: float = 0.0,
) -> Corpus:
    """A corpus of a trained language, or of names, which belong to every language."""
    return Corpus(
        language,
        own=True,
        quota=quota,
        phrases=phrases,
        frequencies=frequencies,
        real=real,
        mixed=mixed,
    )


def stranger(
    language: str,
    quota: int,
    phrases: list[str],
    frequencies: dict[str, float],
    real: float,
    *,
    mixed: float = 0.0,
) -> Corpus:
    """A corpus of a language that shares a script with a trained one."""
    return Corpus(
        language,
        own=False,
        quota=quota,
        phrases=phrases,
        frequencies=frequencies,
        real=real,
        mixed=mixed,
    )


def training_half(text: str) -> bool:
    """Whether a row of a public set is for training; the others are for measuring."""
    return not hashlib.sha256(text.strip().encode()).digest()[0] & 1


def seeds(language: str, times: int = 1) -> list[str]:
    """Our own phrases of a language, repeated to give them weight."""
    lines = (SEEDS / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line] * times


def counted(lines: Iterable[str], script: str) -> dict[str, float]:
    """Word frequencies of some text."""
    return dict(Counter(word.casefold() for line in lines for word in words(line, script)))


def blend(*parts: tuple[dict[str, float], float]) -> dict[str, float]:
    """Word frequencies mixed in the given shares."""
    mixed: dict[str, float] = {}
    for part, share in parts:
        total = sum(part.values()) or 1.0
        for word, value in part.items():
            mixed[word] = mixed.get(word, 0.0) + share * value / total
    return mixed


def romanised(
    frequencies: dict[str, float],
    rng: random.Random,
    *,
    drop_schwa: bool = True,
    schwa: str = "a",
) -> dict[str, float]:
    """The same words in casual Latin spellings, each with its share of the frequency."""
    result: dict[str, float] = {}
    for word, frequency in frequencies.items():
        for at, spelling in enumerate(variants(word, rng, 4, drop_schwa=drop_schwa, schwa=schwa)):
            result[spelling] = result.get(spelling, 0.0) + frequency / (at + 1)
    return result


def top(frequencies: dict[str, float], count: int) -> dict[str, float]:
    """The commonest words."""
    return dict(sorted(frequencies.items(), key=lambda item: -item[1])[:count])


def halves(lines: Iterable[str]) -> list[str]:
    return [line for line in lines if training_half(line)]


def jsonl(path: Path, key: str) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        return [json.loads(line)[key] for line in handle]


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the packages and the public sets lie."""

    wheels: Path
    npm: Path
    debs: Path
    data: Path


#: Words no longer than this are left out of the borrowed ones.
SHORTEST = 3


def content_words() -> list[str]:
    """English words that other languages borrow in speech: common, but no function words."""
    common = list(top(source.frequencies("en"), 4_000))
    return [word for word in common[250:] if word.isalpha() and len(word) > SHORTEST]
