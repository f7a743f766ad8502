"""Amounts of money and counts, in digits and words."""

import random
from collections.abc import Iterator

from models.pipeline.data.grids import slots
from models.pipeline.data.grids.numbers import in_words, other_digits
from models.pipeline.data.row import Row
from models.pipeline.data.split import Side

AMOUNTS = (
    50, 100, 150, 200, 250, 300, 400, 500, 750, 900, 1000, 1500, 2000, 2500, 3000, 5000, 7000,
    8000, 10_000, 12_000, 15_000, 20_000, 25_000, 30_000, 50_000, 100_000, 200_000, 300_000,
    500_000, 1_000_000,
)  # fmt: skip
COUNTS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 20, 25, 30)
#: Currency after the number; one a language, so that an alias never changes it.
_CURRENCY = {
    "en": "rupees", "hi": "रुपये", "hinglish": "rupaye", "ar-EG": "جنيه", "ar-MSA": "ريال",
    "ar-Gulf": "ريال",
}  # fmt: skip
_THOUSAND, _LAKH = 1000, 100_000


def rows(rng: random.Random, side: Side) -> Iterator[Row]:
    """Yield the rows of both grids."""
    yield from slots.rows("amount", slots.frames("amount"), amounts(), rng, side)
    yield from slots.rows("count", slots.frames("count"), counts(), rng, side, per_cell=2)


def amounts() -> list[slots.Value]:
    """Return the amounts with their aliases."""
    return [_value(number, AMOUNTS, _CURRENCY) for number in AMOUNTS]


def counts() -> list[slots.Value]:
    """Return the counts with their aliases."""
    return [_value(number, COUNTS, dict.fromkeys(_CURRENCY, "")) for number in COUNTS]


def _value(number: int, all_numbers: tuple[int, ...], units: dict[str, str]) -> slots.Value:
    place = all_numbers.index(number)
    near = [str(one) for one in all_numbers[max(0, place - 2) : place + 3] if one != number]
    near += [str(number * 10), str(number // 10), str(number * 100), str(number // 100)]
    aliases = {variant: _aliases(number, variant, unit) for variant, unit in units.items()}
    return slots.Value(str(number), aliases, near)


def _aliases(number: int, variant: str, unit: str) -> list[str]:
    found = [str(number)]
    if number >= _THOUSAND and variant in ("en", "hinglish"):
        found.append(f"{number:,}")
    said = in_words(number, variant)
    if said:
        found.append(said)
    if variant == "hi":
        found.append(other_digits(number, "hi"))
    if variant.startswith("ar"):
        found.append(other_digits(number, "ar"))
    if number >= _LAKH and number % _LAKH == 0 and variant in ("en", "hi", "hinglish"):
        found.append(f"{number // _LAKH} {'लाख' if variant == 'hi' else 'lakh'}")
    elif _LAKH > number >= _THOUSAND and number % _THOUSAND == 0:
        thousand = {"en": "thousand", "hi": "हज़ार", "hinglish": "hazaar"}.get(variant, "ألف")
        found.append(f"{number // _THOUSAND} {thousand}")
    return [f"{one} {unit}".strip() for one in found]
