"""
The text guards in their order, before any cache or model: clean, language, fragment, voicemail.
"""

from dataclasses import dataclass
from enum import StrEnum

from models.fragment import is_fragment
from models.language import Reason, allowed
from models.script import Writing, writing
from models.text import clean, match_key
from models.voicemail import is_voicemail


class BypassReason(StrEnum):
    """Why an utterance is not eligible: a fixed set, in decisions and metric labels."""

    #: Nothing said: no letter and no digit was left after cleaning.
    EMPTY = "empty"
    #: Longer than a spoken turn; nothing was looked at.
    TOO_LONG = "too_long"
    #: Not, or not surely, in a trained language.
    LANGUAGE = "language"
    #: Broken off before it says anything.
    FRAGMENT = "fragment"
    #: An answering machine.
    VOICEMAIL = "voicemail"


@dataclass(frozen=True, slots=True)
class Screened:
    """An utterance after the text guards."""

    #: Cleaned. User text: never logged.
    text: str
    #: Exact-tier key of the text.
    key: str
    #: "en", "hi", "hinglish", "ar", "mixed" or "none".
    language: str
    #: For the cross-script guard.
    writing: Writing
    #: Why it is not eligible; None where it is.
    reason: BypassReason | None


_NO_WRITING = Writing("none")


def screen(raw: str) -> Screened:
    """
    Run the text guards on what the recogniser sent.

    A voicemail is told before a fragment: a greeting that was cut off is still a greeting.
    """
    cleaned = clean(raw)
    if cleaned.too_long:
        return Screened("", "", "none", _NO_WRITING, BypassReason.TOO_LONG)
    text = cleaned.text
    verdict = allowed(text)
    reason: BypassReason | None = None
    if not verdict.allowed:
        empty = verdict.reason == Reason.NOTHING_SAID
        reason = BypassReason.EMPTY if empty else BypassReason.LANGUAGE
    elif is_voicemail(text):
        reason = BypassReason.VOICEMAIL
    elif is_fragment(text):
        # Digits alone are an answer, and nothing else here is without letters.
        reason = BypassReason.FRAGMENT
    return Screened(text, match_key(text), verdict.language, writing(text), reason)
