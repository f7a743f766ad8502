"""IBANs: by their sum, or with a broken one where the word is there."""

import re
from collections.abc import Iterator

from stdnum import iban

from models.masking.code import Code, code_at
from models.masking.kind import Kind
from models.masking.line import Line

RULES = {
    "iban": """
    iban; my iban; iban number; आईबीएएन; आइबीएएन; ايبان; الايبان; رقم الايبان
    رقم الحساب الدولي; الحساب الدولي; ايباني
    """
}
_SHAPE = re.compile(r"[a-z]{2}\d{2}[a-z0-9]{11,30}")
#: Lengths in the countries that our callers have, for those whose sum is wrong.
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
        if any(hit.kind is Kind.IBAN for hit in line.starting.get(index, ())):
            continue
        code = code_at(line, index)
        if code is None or _SHAPE.match(code.text) is None:
            continue
        end = _valid_end(code)
        if end is None and named:
            end = _broken_end(code)
        if end is not None:
            yield index, end


def _valid_end(code: Code) -> int | None:
    """Give the token after the longest IBAN of any country whose sum is right."""
    for length in range(min(_LONGEST, len(code.text)), _SHORTEST - 1, -1):
        text = code.text[:length]
        if text.isascii() and iban.is_valid(text, check_country=False):
            end = code.at(length)
            if end is not None:
                return end
    return None


def _broken_end(code: Code) -> int | None:
    """Give the token after an IBAN whose sum is wrong, by the length that its country has."""
    length = _LENGTHS.get(code.text[:2])
    if length is None:
        return None
    return code.at(length) if len(code.text) >= length else code.match(_SHAPE)
