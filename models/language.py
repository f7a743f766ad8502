"""
The language allowlist: may this utterance reach a model that was trained on our languages?

Trained are English, Hindi, Hinglish (romanised Hindi, freely mixed with English) and Arabic with
its dialects. Script alone does not tell them from their neighbours, so an utterance is judged in
three steps: letters that only strangers write, then words that speak for one side or the other,
then, for words that no list holds, their character runs. Words and runs add up to one score.

What is unsure is not allowed: it costs one prepared reply. Whole everyday replies of the trained
languages ("haan ji", "la", "تمام") are allowed whatever their score. Digits alone are an answer in
any language and allowed; emoji alone say nothing.
"""

import functools
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from models.language_forms import floor, gain_as_hindi
from models.language_letters import ENGLISH_ACCENTS, PERSIAN_SHAPE, hint, is_foreign
from models.language_table import CACHED_WORDS, STEP, table
from models.language_words import Reading, flatten, fold, read


class Reason(StrEnum):
    """Why an utterance is allowed or not: a fixed set, safe as a metric label."""

    #: An everyday reply of a trained language.
    REPLY = "reply"
    #: Its words speak for the trained languages.
    OWN_WORDS = "own_words"
    #: Digits and no letters.
    DIGITS = "digits"
    #: No letters and no digits.
    NOTHING_SAID = "nothing_said"
    #: Letters or digits of a script that no trained language uses.
    OTHER_SCRIPT = "other_script"
    #: Letters that only strangers in this script use.
    OTHER_LETTERS = "other_letters"
    #: Its words speak for a stranger.
    OTHER_WORDS = "other_words"
    #: Too little to tell.
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class LanguageVerdict:
    """What the allowlist says of one utterance."""

    allowed: bool
    #: "en", "hi", "hinglish", "ar", "mixed" (two scripts), or "none" (no letters, or not allowed).
    language: str
    #: A member of `Reason`.
    reason: str


class Evidence(NamedTuple):
    """What the words of one script add up to; a tuple, since several are made per utterance."""

    script: str
    #: Words counted.
    size: int
    #: Words that say something, either way.
    telling: int
    #: Above zero for the trained languages, in sixteenths.
    score: int
    #: A letter that only strangers use was seen.
    foreign_letter: bool = False


#: One word weighs no more than this, in sixteenths; a guess from character runs weighs less than a
#: listed word, since names and recognition errors are guesses too.
_MOST, _LEAST = 2 * STEP, -5 * STEP
_MOST_GUESSED, _LEAST_GUESSED = round(1.5 * STEP), round(-2.5 * STEP)
#: The score from which an utterance is allowed. For few words in Latin it is lower: names, places
#: and other bare values are common there, and strangers are well listed.
_FEW_WORDS = 3
_ENOUGH = 0
_ENOUGH_FOR_FEW = {"latin": -round(0.75 * STEP), "devanagari": -STEP // 4, "arabic": -STEP // 2}
#: How far below zero the Latin words of a sentence in another script may be: brands and titles.
_BORROWED, _BORROWED_MOSTLY = -8 * STEP, -2 * STEP

#: Below this the words speak for a stranger rather than for nobody.
_SURE_OTHER = -3 * STEP

_OUR_DIGIT = re.compile("[0-9٠-٩۰-۹०-९]")
_OTHER_DIGIT = re.compile(r"[^\D0-9٠-٩۰-۹०-९]")
#: Parts of mail and web addresses, which speak for nobody.
_ADDRESS = frozenset(
    (
        *("gmail", "yahoo", "hotmail", "outlook", "icloud", "rediffmail", "mail"),
        *("com", "org", "net", "dot", "www", "http", "https", "underscore", "hyphen", "slash"),
    )
)
#: Single letters, ordinals and units ("2nd", "5pm"), ids: they speak for nobody, save for "I".
_SPELT = re.compile(r"^(?:[a-hj-z]|[a-z]\d+|\d+[a-z]{0,2}|[a-z]+\d+|(?:[a-z]*\d){3,}[a-z]*)$")


@functools.cache
def _replies() -> frozenset[str]:
    path = Path(__file__).parent / "language_data" / "replies.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(_spoken(flatten(line)) for line in lines if line and not line.startswith("#"))


#: Words of the longest text that may be a reply, with repetitions.
_LONGEST_REPLY = 6
#: "noooo" is "no", and so is "no no no".
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
_AGAIN = re.compile(r"(?<!\S)(\S+)(?: \1)+(?!\S)")
_NOT_SPOKEN = re.compile(r"[\s.,!?;:،؟؛।…\"“”()\[\]–—-]+")


def _spoken(flat: str) -> str:
    spoken = _DRAWN_OUT.sub(r"\1", _NOT_SPOKEN.sub(" ", flat).strip())
    return _AGAIN.sub(r"\1", spoken)


def _is_reply(reading: Reading) -> bool:
    return (
        reading.size <= _LONGEST_REPLY
        and _spoken(reading.flat) in _replies()
        and PERSIAN_SHAPE.search(reading.text) is None
    )


def _within(weight: int | None, guess: int) -> int:
    if weight is not None:
        return max(_LEAST, min(_MOST, weight))
    return max(_LEAST_GUESSED, min(_MOST_GUESSED, guess))


def _weigh(word: str, script: str) -> int:
    listed = table(script)
    weight = listed.known(word)
    letters = hint(word, script)
    score = _within(weight, listed.guessed(word)) + letters
    least = floor(fold(word, script), script, listed=weight is not None) if letters >= 0 else None
    return score if least is None else max(score, least)


@functools.lru_cache(maxsize=CACHED_WORDS)
def _latin(word: str) -> tuple[int, bool]:
    lowered = word.lower()
    if lowered in _ADDRESS or _SPELT.match(lowered):
        return 0, False
    if lowered in ENGLISH_ACCENTS:
        return STEP, False
    return _weigh(word, "latin"), is_foreign(word, "latin")


@functools.lru_cache(maxsize=CACHED_WORDS)
def _devanagari(word: str) -> tuple[int, bool]:
    return _weigh(word, "devanagari"), is_foreign(word, "devanagari")


@functools.lru_cache(maxsize=CACHED_WORDS)
def _arabic(word: str) -> tuple[int, bool]:
    return _weigh(word, "arabic"), is_foreign(word, "arabic")


_WEIGH = {"latin": _latin, "devanagari": _devanagari, "arabic": _arabic}


def evidence(script: str, words: list[str]) -> Evidence:
    """Add up the words of one script."""
    weigh = _WEIGH[script]
    weighed = [weigh(word) for word in words]
    total = sum(score for score, _ in weighed) + table(script).bias
    if total < 0 and script == "latin":
        total += gain_as_hindi(words, [score for score, _ in weighed])
    return Evidence(
        script,
        len(weighed),
        sum(1 for score, _ in weighed if score),
        total,
        any(foreign for _, foreign in weighed),
    )


@functools.lru_cache(maxsize=CACHED_WORDS)
def _hindi(word: str) -> int:
    if _SPELT.match(word.lower()):
        return 0
    listed = table("hinglish")
    known = listed.known(word)
    if known is None:
        return max(-STEP, min(STEP, listed.guessed(word)))
    return max(-3 * STEP, min(3 * STEP, known))


def romanised_hindi(words: list[str]) -> int:
    """Above zero where Latin words speak Hindi, below where they speak English, in sixteenths."""
    return sum(map(_hindi, words)) + table("hinglish").bias


def _language(parts: list[Evidence], reading: Reading) -> str:
    if len(parts) > 1:
        parts.sort(key=lambda part: -part.size)
        if parts[1].size * 3 >= sum(part.size for part in parts):
            return "mixed"
    script = parts[0].script
    if script == "latin":
        return "hinglish" if romanised_hindi(reading.words["latin"]) >= STEP else "en"
    return "hi" if script == "devanagari" else "ar"


def _enough(part: Evidence, parts: list[Evidence]) -> bool:
    if part.script == "latin" and len(parts) > 1:
        native = sum(other.size for other in parts) - part.size
        return part.score >= (_BORROWED if part.size <= native else _BORROWED_MOSTLY)
    return part.score >= (_ENOUGH_FOR_FEW[part.script] if part.telling <= _FEW_WORDS else _ENOUGH)


@functools.cache
def _allow(language: str, reason: Reason) -> LanguageVerdict:
    return LanguageVerdict(allowed=True, language=language, reason=reason)


@functools.cache
def _refuse(reason: Reason) -> LanguageVerdict:
    return LanguageVerdict(allowed=False, language="none", reason=reason)


def allowed(text: str) -> LanguageVerdict:
    """
    Whether cleaned text may be matched, and in which language it is.

    Takes microseconds: table look-ups per word, each word's weight kept from its last use.
    """
    return judge(read(text))


def judge(reading: Reading) -> LanguageVerdict:
    """As `allowed`, of a text that was cut already."""
    text = reading.text
    if "other" in reading.scripts or (not text.isascii() and _OTHER_DIGIT.search(text)):
        return _refuse(Reason.OTHER_SCRIPT)
    return _judge_words(reading) if reading.words else _judge_digits(text)


def _judge_digits(text: str) -> LanguageVerdict:
    if _OUR_DIGIT.search(text):
        return _allow("none", Reason.DIGITS)
    return _refuse(Reason.NOTHING_SAID)


def _judge_words(reading: Reading) -> LanguageVerdict:
    parts = [evidence(script, words) for script, words in reading.words.items()]
    if any(part.foreign_letter for part in parts):
        return _refuse(Reason.OTHER_LETTERS)
    if _is_reply(reading):
        return _allow(_language(parts, reading), Reason.REPLY)
    if not all(_enough(part, parts) for part in parts):
        sure = any(part.score < _SURE_OTHER for part in parts)
        return _refuse(Reason.OTHER_WORDS if sure else Reason.UNSURE)
    return _allow(_language(parts, reading), Reason.OWN_WORDS)
