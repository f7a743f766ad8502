"""A caller's question as everything behind the first step sees it: masked, then cleaned."""

import re

from models.kb.reading import question_text
from models.language import allowed
from models.masking import mask
from models.text import MAX_RAW_CHARS

#: Characters that are masked beyond those that are kept: whatever begins in what is kept, such as a
#: number that is spoken digit by digit, ends before.
_BEYOND = 400
_TAG = re.compile(r"\[[A-Z_]+\]")
#: What the allowlist calls a text of which it cannot tell the language.
_UNKNOWN = {"none": "und", "mixed": "und"}


def masked_question(question: str) -> str:
    """
    Mask a question and clean it; never raises, whatever the text.

    Returns:
        At most `models.text.MAX_CHARS` characters; empty where nothing is left.

    """
    raw = question[: MAX_RAW_CHARS + _BEYOND]
    # What stands at the cut may be half of something: it is masked with, and then left out.
    masked = _before(raw, MAX_RAW_CHARS) if len(question) > len(raw) else mask(raw).text
    # Cleaning brings together what invisible characters held apart; then it is looked at again.
    return question_text(mask(question_text(masked)).text)


def language_of(masked: str) -> str:
    """Name the language of a masked question: "en", "hi", "hinglish", "ar", or "und"."""
    language = allowed(_TAG.sub(" ", masked)).language
    return _UNKNOWN.get(language, language)


def _before(raw: str, end: int) -> str:
    """Mask a text, and keep of it what stands before a place and is no part of a masked span."""
    found = mask(raw)
    for span in found.spans:
        if span.start < end < span.end:
            end = span.start
    behind = sum(len(span.kind) + 2 for span in found.spans if span.end > end)
    tail = len(raw) - end - sum(span.end - span.start for span in found.spans if span.end > end)
    return found.text[: len(found.text) - behind - tail]
