"""
The cross-script guard: a response prepared in one writing is never played to another.

A prediction in Devanagari comes with a response in Devanagari; a caller who speaks Hinglish would
hear, or read, something else than the agent prepared for. Writing is worked out once per text and
compared per pair. Digits and emoji have none and fit everything, as do Latin brand names within
Hindi or Arabic.
"""

import functools
from dataclasses import dataclass

from models.language import romanised_hindi
from models.language_table import STEP
from models.language_words import Reading, read

#: Latin text speaks English or Hindi for sure from this far away from zero, in sixteenths. One
#: plain function word is not enough for English: "ok no problem" is said in Hinglish too.
_SURE_ENGLISH = -4 * STEP
_SURE_HINDI = 2 * STEP
#: Letters outside Latin decide the script of a text from this share of its words: the rest is brand
#: names and borrowed words.
_DECISIVE_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Writing:
    """Script and, where it is sure, language of a text."""

    #: "latin", "devanagari", "arabic", "other", or "none" where no letter is.
    script: str
    #: "en", "hinglish", "hi", "ar", or None where it could be several.
    language: str | None = None


_LANGUAGE = {"devanagari": "hi", "arabic": "ar"}


@functools.cache
def _writing(script: str, language: str | None) -> Writing:
    return Writing(script, language)


def writing(text: str) -> Writing:
    """The writing of cleaned text; of two scripts, the one that carries it."""
    return writing_of(read(text))


def writing_of(reading: Reading) -> Writing:
    """As `writing`, of a text that was cut already."""
    if not reading.scripts:
        return _writing("none", None)
    if "other" in reading.scripts:
        return _writing("other", None)
    counts = [(len(words), script) for script, words in reading.words.items() if script != "latin"]
    most, script = max(counts, default=(0, ""))
    if most and most >= reading.size * _DECISIVE_SHARE:
        return _writing(script, _LANGUAGE[script])
    leaning = romanised_hindi(reading.words.get("latin", []))
    if leaning >= _SURE_HINDI:
        return _writing("latin", "hinglish")
    return _writing("latin", "en" if leaning <= _SURE_ENGLISH else None)


def compatible(utterance: Writing | str, prediction: Writing | str) -> bool:
    """
    Whether a response prepared for the prediction may be played to the utterance.

    Args:
        utterance: Writing of what was said, or the cleaned text itself.
        prediction: Writing of what was predicted, or the cleaned text itself.
    """
    said = writing(utterance) if isinstance(utterance, str) else utterance
    expected = writing(prediction) if isinstance(prediction, str) else prediction
    if "none" in (said.script, expected.script):
        return True
    if said.script != expected.script:
        return False
    return said.language == expected.language or None in (said.language, expected.language)
