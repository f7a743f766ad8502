"""Passports: one or two letters and six to nine digits, or nine digits, that a word announces."""

import re
from collections.abc import Iterator

from models.masking.code import code_at
from models.masking.line import Line
from models.masking.run import Run

RULES = {
    "passport": """
    passport; passport number; passport no; my passport; us passport; indian passport
    british passport; saudi passport; passport id
    पासपोर्ट; पासपोर्ट नंबर
    paasport; pasport
    جواز; جوازي; جواز سفر; رقم الجواز; رقم جوازي; رقم جواز السفر; جواز سفري; رقم جواز سفري
    باسبور; باسبوري; باسبورت; رقم الباسبور
    رقم الجواز حرف; الجواز حرف
    """
}
_SHAPE = re.compile(r"[a-z]{1,2}\d{6,9}|\d{8,9}")
_MIN_DIGITS = 6
_MAX_DIGITS = 9
_MAX_SAID = 14


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that the word names may be a passport."""
    count = len(run.digits)
    if ending and count in range(3, 6):
        return True
    return bool(rule) and _MIN_DIGITS <= count <= (_MAX_DIGITS if run.is_written else _MAX_SAID)


def codes(line: Line, index: int, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Find an announced number with its letters that begins at a token."""
    if "passport" not in rules or line.type(index) == "d":
        return
    code = code_at(line, index)
    if code is not None and code.text[:1].isalpha():
        end = code.match(_SHAPE)
        if end is not None:
            yield index, end
