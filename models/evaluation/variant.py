"""
The variants that both texts of a logged pair are written in, as rows of the data stage name them.

What a text shows for sure counts first; then what the recogniser took the call's language to be,
what the language guard read, what the other text shows, and what the agent had just said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from models.language import Reason, allowed
from models.language_hint import names_a_stranger
from models.pipeline.data.row import LANGUAGE_OF
from models.script import writing
from models.text import clean

if TYPE_CHECKING:
    from topics.utterance import Utterance

#: Arabic that no hint tells apart: the variants are reported as one language in any case.
_ARABIC = "ar-MSA"
#: Variants of Arabic by the subtags that mean them: a variety's own, or a country.
_ARABIC_BY_SUBTAG = {
    **dict.fromkeys(("arz", "eg"), "ar-EG"),
    **dict.fromkeys(("afb", "ars", "acw", "ae", "bh", "kw", "om", "qa", "sa"), "ar-Gulf"),
    **dict.fromkeys(("apc", "ajp", "jo", "lb", "ps", "sy"), "ar-LEV"),
}
_ARABIC_TAGS = {"ar", "arb", "arz", "afb", "ars", "acw", "apc", "ajp"}
#: What the language guard is sure of: not one of ours.
_SURELY_OTHER = {Reason.OTHER_SCRIPT, Reason.OTHER_LETTERS, Reason.OTHER_WORDS}


class OtherLanguage(Exception):
    """A text is surely in a language that rows do not have."""


def variants(utterance: Utterance, prediction: str) -> tuple[str, str] | None:
    """
    Name the variants of an utterance and of a prediction of its turn.

    Returns:
        Two keys of `LANGUAGE_OF`, or None where nothing tells.

    Raises:
        OtherLanguage: one of them is surely in another language; holds no text.
    """
    said = _variant(utterance.text, utterance.language)
    predicted = _variant(prediction, utterance.language)
    beside = said or predicted or _shown(utterance.agent_text or "", utterance.language)
    if beside is None:
        return None
    return said or beside, predicted or beside


def _variant(text: str, hint: str | None) -> str | None:
    cleaned = clean(text).text
    read = allowed(cleaned)
    hinted = _hinted(hint, writing(cleaned).script)
    if names_a_stranger(hint) or (read.reason in _SURELY_OTHER and hinted is None):
        raise OtherLanguage
    return _shown(cleaned, hint) or hinted or _row_language(read.language, hint)


def _shown(text: str, hint: str | None) -> str | None:
    """What the text itself shows for sure."""
    return _row_language(writing(text).language, hint)


def _hinted(hint: str | None, script: str) -> str | None:
    """What the hint says of a text in this script; Hinglish is Hindi by its tag."""
    language = _subtags(hint)[0]
    if language == "hi":
        return "hinglish" if script == "latin" else "hi"
    if language == "en":
        return "en" if script in {"latin", "none"} else None
    # Arabic in Latin letters is no variant of ours.
    is_arabic = language in _ARABIC_TAGS and script in {"arabic", "none"}
    return _arabic(hint) if is_arabic else None


def _row_language(language: str | None, hint: str | None) -> str | None:
    if language == "ar":
        return _arabic(hint)
    return language if language in LANGUAGE_OF else None


def _arabic(hint: str | None) -> str:
    found = [_ARABIC_BY_SUBTAG[one] for one in _subtags(hint) if one in _ARABIC_BY_SUBTAG]
    return found[0] if found else _ARABIC


def _subtags(hint: str | None) -> list[str]:
    return re.split("[-_]", (hint or "").lower())
