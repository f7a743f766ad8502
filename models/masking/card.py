"""Payment cards: by the Luhn sum, by a word such as "card", or the last digits of one."""

from stdnum import luhn

from models.masking.kind import Kind
from models.masking.run import Run

RULES = {
    "card": """
    card; card number; card no; credit card; debit card; visa; mastercard; master card; amex
    american express; diners card
    rupay; maestro; discover; visa card; bank card; atm card
    कार्ड; कार्ड नंबर; क्रेडिट कार्ड; डेबिट कार्ड; वीज़ा; एटीएम कार्ड; रुपे; रूपे
    kard; card no
    كارت; كارتي; رقم الكارت; فيزا; فيزتي; فيزه; رقم الفيزا; بطاقه ائتمان; بطاقه مدى; مدى
    ماستركارد; ماستر كارد; رقم الفيزا
    """,
    "half": "first half; second half; first half is; second half is",
    # Also the word for an identity card: only whole card numbers.
    "maybe": "بطاقة; بطاقتي; رقم البطاقة; رقم بطاقتي",
}
_MIN_DIGITS = 12
_MAX_DIGITS = 20
_MAX_SAID = 34
_FULL = 16
_LENGTHS = {14: ("30", "36", "38", "39"), 15: ("34", "37")}
_LONGEST = 19


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that a word names may be a card, or its last ones."""
    count = len(run.digits)
    if ending and count in range(3, 7):
        return True
    if rule == "half":
        return count >= 4 and "card" in run.line.rules.get(Kind.CARD, ())  # noqa: PLR2004
    if rule == "maybe":
        return count >= _FULL or looks(run)
    return _MIN_DIGITS <= count <= (_MAX_DIGITS if run.is_written else _MAX_SAID)


def looks(run: Run) -> bool:
    """Tell whether digits without a name are a card."""
    digits = run.digits
    count = len(digits)
    if count in _LENGTHS:
        return digits.startswith(_LENGTHS[count]) and luhn.is_valid(digits)
    return _FULL <= count <= _LONGEST and digits[0] in "23456" and luhn.is_valid(digits)
