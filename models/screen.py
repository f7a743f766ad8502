"""
The text guards in their order, before any cache or model: clean, language, fragment, voicemail.
"""

from dataclasses import dataclass
from enum import StrEnum

from models.errors import BundleError
from models.fragment import breaks_off
from models.language import Reason, judge
from models.language_words import read
from models.script import Writing, writing_of
from models.text import clean, match_key
from models.voicemail import greets


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
    reading = read(text)
    verdict = judge(reading)
    reason: BypassReason | None = None
    if not verdict.allowed:
        empty = verdict.reason == Reason.NOTHING_SAID
        reason = BypassReason.EMPTY if empty else BypassReason.LANGUAGE
    elif greets(reading):
        reason = BypassReason.VOICEMAIL
    elif reading.words and breaks_off(reading):  # digits alone are an answer
        reason = BypassReason.FRAGMENT
    return Screened(text, match_key(text), verdict.language, writing_of(reading), reason)


#: What each guard must say, whatever else it says: a guard that is not there lets everything pass.
_TRAPS = (
    ("yes please", None),
    ("haan ji theek hai", None),
    ("हाँ जी ठीक है", None),
    ("ايوه تمام", None),
    (" \u200b", BypassReason.EMPTY),
    ("word " * 100_000, BypassReason.TOO_LONG),
    ("آپ کیسے ہیں", BypassReason.LANGUAGE),
    ("मला माहित नाही", BypassReason.LANGUAGE),
    ("no me interesa, gracias", BypassReason.LANGUAGE),
    ("I mean the", BypassReason.FRAGMENT),
    ("please leave a message after the tone", BypassReason.VOICEMAIL),
)


def prove() -> None:
    """
    Run every guard on known texts, which also loads its tables.

    Raises:
        BundleError: a guard does not say what it must; names the trap by number.
    """
    for index, (text, expected) in enumerate(_TRAPS):
        if screen(text).reason is not expected:
            raise BundleError(f"text guards: trap {index}", f"is not {expected or 'allowed'}")
