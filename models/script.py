"""
The cross-script guard: a response prepared in one writing is never played to another.

A prediction in Devanagari comes with a response in Devanagari; a caller who speaks Hinglish would
hear, or read, something else than the agent prepared for. Writing is worked out once per text and
compared per pair. Digits and emoji have none and fit everything, as do Latin brand names within
Hindi or Arabic.
"""

from dataclasses import dataclass

from models.language import romanised_hindi
from models.language_table import STEP
from models.language_words import words
from models.text import letter_scripts

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


def writing(text: str) -> Writing:
    """The writing of cleaned text; of two scripts, the one that carries it."""
    scripts = letter_scripts(text)
    if not scripts:
        return Writing("none")
    if "other" in scripts:
        return Writing("other")
    counts = {script: len(words(text, script)) for script in scripts}
    total = sum(counts.values()) or 1
    native = max((counts.get(script, 0), script) for script in ("devanagari", "arabic"))
    if native[0] and native[0] >= total * _DECISIVE_SHARE:
        return Writing(native[1], _LANGUAGE[native[1]])
    leaning = romanised_hindi(text)
    if leaning >= _SURE_HINDI:
        return Writing("latin", "hinglish")
    return Writing("latin", "en" if leaning <= _SURE_ENGLISH else None)


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
