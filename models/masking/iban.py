"""IBANs: by their sum, or with a broken one where the word is there."""

import re
from collections.abc import Iterator

from stdnum.iso7064 import mod_97_10

from models.masking.code import code_at
from models.masking.kind import Kind
from models.masking.line import Line

RULES = {
    "iban": """
    iban; my iban; iban number; आईबीएएन; आइबीएएन; ايبان; الايبان; رقم الايبان
    رقم الحساب الدولي; الحساب الدولي; ايباني
    """
}
_SHAPE = re.compile(r"[a-z]{2}\d{2}[a-z0-9]{11,30}")
#: Lengths of the countries that our callers have; others are known by their sum.
_LENGTHS = {
    "sa": 24, "ae": 23, "eg": 29, "gb": 22, "de": 22, "fr": 27, "kw": 30, "bh": 22, "qa": 29,
    "om": 23, "jo": 30, "lb": 28, "pk": 24, "tr": 26, "es": 24, "it": 27, "nl": 18, "ie": 22,
    "ch": 21, "at": 20, "be": 16, "tn": 24, "iq": 23, "sd": 18, "ly": 25, "pl": 28, "pt": 25,
    "se": 24, "no": 15, "dk": 18, "fi": 18, "gr": 27,
}  # fmt: skip
_SHORTEST = 15
_LONGEST = 34


def find(line: Line) -> Iterator[tuple[int, int]]:
    """Find IBANs as tokens [start, end)."""
    named = Kind.IBAN in line.rules
    for index in range(len(line.tokens)):
        if line.taken[index] or line.type(index) != "w":
            continue
        if any(hit.end > index for hit in line.starting.get(index, ())):
            continue
        end = _end(line, index, named=named)
        if end is not None:
            yield index, end


def _end(line: Line, index: int, *, named: bool) -> int | None:
    code = code_at(line, index)
    if code is None or _SHAPE.match(code.text) is None:
        return None
    text = code.text
    length = _LENGTHS.get(text[:2])
    if length is None and not named:
        return None
    lengths = range(_LONGEST, _SHORTEST - 1, -1) if length is None else (length,)
    for count in lengths:
        valid = len(text) >= count and _is_valid(text[:count])
        if valid or (named and length is not None and len(text) >= count):
            end = code.match(re.compile(f".{{{count}}}"))
            if end is not None:
                return end
    if not named:
        return None
    return code.match(_SHAPE) if length is not None else None


def _is_valid(text: str) -> bool:
    return text.isascii() and mod_97_10.is_valid(text[4:] + text[:4])
