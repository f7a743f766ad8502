"""Dates: a day of a month, in digits and words."""

import random
from collections.abc import Iterator

from models.pipeline.data.grids import slots
from models.pipeline.data.grids.numbers import in_words, other_digits
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side

_MONTHS = {
    1: ("January", "जनवरी", "يناير"),
    3: ("March", "मार्च", "مارس"),
    4: ("April", "अप्रैल", "أبريل"),
    6: ("June", "जून", "يونيو"),
    7: ("July", "जुलाई", "يوليو"),
    9: ("September", "सितंबर", "سبتمبر"),
    11: ("November", "नवंबर", "نوفمبر"),
    12: ("December", "दिसंबर", "ديسمبر"),
}
_DAYS = (1, 2, 5, 7, 10, 12, 15, 20, 21, 25)
_ORDINALS = {
    1: "first", 2: "second", 5: "fifth", 7: "seventh", 10: "tenth", 12: "twelfth",
    15: "fifteenth", 20: "twentieth", 21: "twenty-first", 25: "twenty-fifth",
}  # fmt: skip
_SUFFIX = {1: "st", 2: "nd", 21: "st"}


def rows(rng: random.Random, side: Side) -> Iterator[Row]:
    """Yield the rows of the grid."""
    yield from slots.rows("date", slots.frames("date"), dates(), rng, side)


def dates() -> list[slots.Value]:
    """Return the dates with their aliases."""
    months = list(_MONTHS)
    found = []
    for month in months:
        for day in _DAYS:
            after = months[(months.index(month) + 1) % len(months)]
            later = _DAYS[(_DAYS.index(day) + 1) % len(_DAYS)]
            near = [f"{day}/{after}", f"{later}/{month}", f"{_DAYS[0]}/{month}"]
            found.append(slots.Value(f"{day}/{month}", _aliases(day, month), near))
    return found


def _aliases(day: int, month: int) -> dict[str, list[str]]:
    english, hindi, arabic = _MONTHS[month]
    number = f"{day}{_SUFFIX.get(day, 'th')}"
    found = {
        "en": [f"{english} {number}", f"the {number} of {english}", f"{english} {_ORDINALS[day]}"],
        "hi": [f"{day} {hindi}", f"{in_words(day, 'hi')} {hindi}"],
        "hinglish": [
            f"{day} {english}",
            f"{english} {day}",
            f"{in_words(day, 'hinglish')} {english}",
        ],
    }
    for variant in ("ar-EG", "ar-MSA", "ar-Gulf"):
        found[variant] = [
            f"{day} {arabic}", f"{other_digits(day, 'ar')} {arabic}",
            f"{in_words(day, variant)} {arabic}",
        ]  # fmt: skip
    return found
