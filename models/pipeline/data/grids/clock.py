"""Clock times: hour, quarter and part of day, in digits and words."""

import random
from collections.abc import Iterator

from models.pipeline.data.grids import slots
from models.pipeline.data.grids.numbers import in_words, other_digits
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side


def _words(text: str) -> list[str]:
    return text.split()


#: Hours of the day, morning and evening of the same digits both, and minutes of each.
HOURS = (5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22)
MINUTES = (0, 15, 30, 45)
_NOON, _EVENING, _NIGHT = 12, 17, 20
_HALF_PAST_ONE = {"hi": "डेढ़", "hinglish": "dedh"}
_HALF_PAST_TWO = {"hi": "ढाई", "hinglish": "dhai"}
_PAST = {
    "hi": {15: "सवा {h}", 30: "साढ़े {h}", 45: "पौने {n}"},
    "hinglish": {15: "sava {h}", 30: "saadhe {h}", 45: "paune {n}"},
}
_ARABIC_PAST = {
    "ar-EG": {0: "", 15: " وربع", 30: " ونص", 45: " إلا ربع"},
    "ar-MSA": {0: "", 15: " والربع", 30: " والنصف", 45: " إلا ربعا"},
    "ar-Gulf": {0: "", 15: " وربع", 30: " ونص", 45: " إلا ربع"},
}
_PARTS = {
    "hi": ("सुबह", "दोपहर", "शाम", "रात"),
    "hinglish": ("subah", "dopahar", "shaam", "raat"),
    "ar-EG": ("الصبح", "الضهر", "المغرب", "بالليل"),
    "ar-MSA": ("صباحا", "ظهرا", "مساء", "ليلا"),
    "ar-Gulf": ("الصبح", "الظهر", "العصر", "بالليل"),
}
_STANDARD_HOURS = _words(
    "الواحدة الثانية الثالثة الرابعة الخامسة السادسة السابعة الثامنة التاسعة العاشرة "
    "الحادية_عشرة الثانية_عشرة"
)  # fmt: skip


def rows(rng: random.Random, side: Side) -> Iterator[Row]:
    """Yield the rows of the grid."""
    yield from slots.rows("time", slots.frames("time"), times(), rng, side)


def times() -> list[slots.Value]:
    """Return every time of the grid with its aliases."""
    found = []
    for hour in HOURS:
        for minute in MINUTES:
            near = [_name((hour + 12) % 24, minute), _name(hour, (minute + 30) % 60)]
            near += [_name((hour + 1) % 24, minute), _name((hour - 1) % 24, minute)]
            found.append(slots.Value(_name(hour, minute), aliases(hour, minute), near))
    return found


def _name(hour: int, minute: int) -> str:
    return f"{hour:02d}:{minute:02d}"


def aliases(hour: int, minute: int) -> dict[str, list[str]]:
    """Return how a time is said in each variant; every alias names the half of the day."""
    shown = (hour - 1) % 12 + 1
    return {
        "en": _english(hour, shown, minute),
        "hi": _hindi("hi", hour, shown, minute),
        "hinglish": _hindi("hinglish", hour, shown, minute),
        "ar-EG": _arabic("ar-EG", hour, shown, minute),
        "ar-MSA": _arabic("ar-MSA", hour, shown, minute),
        "ar-Gulf": _arabic("ar-Gulf", hour, shown, minute),
    }


def _part(hour: int) -> int:
    """Return 0 morning, 1 afternoon, 2 evening, 3 night."""
    if hour < _NOON:
        return 0
    return 1 if hour < _EVENING else 2 if hour < _NIGHT else 3


def _english(hour: int, shown: int, minute: int) -> list[str]:
    half = "am" if hour < _NOON else "pm"
    part = ("in the morning", "in the afternoon", "in the evening", "at night")[_part(hour)]
    said, following = in_words(shown, "en"), in_words(shown % 12 + 1, "en")
    words = {
        0: f"{said} o'clock", 15: f"quarter past {said}", 30: f"half past {said}",
        45: f"quarter to {following}",
    }[minute]  # fmt: skip
    digits = f"{shown} {half}" if not minute else f"{shown}:{minute:02d} {half}"
    spoken = f"{said} {half}" if not minute else f"{said} {in_words(minute, 'en')} {half}"
    return [digits, f"{words} {part}", spoken]


def _hindi(variant: str, hour: int, shown: int, minute: int) -> list[str]:
    said, following = in_words(shown, variant), in_words(shown % 12 + 1, variant)
    part = _PARTS[variant][_part(hour)]
    at = "बजे" if variant == "hi" else "baje"
    if minute == 30 and shown == 1:  # noqa: PLR2004 - has a word of its own
        words = _HALF_PAST_ONE[variant]
    elif minute == 30 and shown == 2:  # noqa: PLR2004
        words = _HALF_PAST_TWO[variant]
    else:
        words = _PAST[variant].get(minute, "{h}").format(h=said, n=following)
    figure = f"{shown}" if not minute else f"{shown}:{minute:02d}"
    found = [f"{part} {words} {at}", f"{part} {figure} {at}"]
    if variant == "hi":
        if not minute:
            found.append(f"{part} {other_digits(shown, 'hi')} {at}")
    else:
        found.append(f"{figure} {'am' if hour < _NOON else 'pm'}")
    return found


def _arabic(variant: str, hour: int, shown: int, minute: int) -> list[str]:
    part = _PARTS[variant][_part(hour)]
    spoken = shown % 12 + 1 if minute == 45 else shown  # noqa: PLR2004 - "ten less a quarter"
    if variant == "ar-MSA":
        word = _STANDARD_HOURS[spoken - 1].replace("_", " ")
    else:
        word = {1: "واحدة", 3: "تلاتة"}.get(spoken) or str(in_words(spoken, "ar-EG"))
    figure = f"{shown}" if not minute else f"{shown}:{minute:02d}"
    found = [f"الساعة {word}{_ARABIC_PAST[variant][minute]} {part}", f"الساعة {figure} {part}"]
    if not minute:
        found.append(f"الساعة {other_digits(shown, 'ar')} {part}")
    return found
