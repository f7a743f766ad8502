"""Phones: anybody's own number, national or with a country code."""

import functools
import re

import phonenumbers
from phonenumbers import PhoneNumberType

from models.masking.line import Line
from models.masking.run import Run
from models.values.spelling import key

#: `own` names a phone, `number` any number.
RULES = {
    "own": """
    dial me at; dial me on; phone; phones; phone number; mobile; mobile number; cell
    cell number; cellphone
    landline; land line; telephone
    whatsapp; call me at; call me on; call me back at; call me back on; call me back from
    call back from; reach me at
    reach me on; ring me; ring me on; ring me at; text me at; text me on; contact number
    office line; home line
    phone no; mobile no; contact no; my no; fax
    फ़ोन; फोन; मोबाइल; मोबाईल; मोबाइल नंबर; फ़ोन नंबर; लैंडलाइन; व्हाट्सएप; व्हाट्सऐप
    fon; mobail; phone no; contact
    موبايل; موبايلي; موبايله; رقم موبايلي; جوال; جوالي; رقم جوالي; تليفون; تليفوني; تلفون
    تلفوني; هاتف; هاتفي; كلمني على
    كلموني على; اتصل على; اتصل علي; اتصل علي على; الاتصال بي; واتساب; واتس; محمول; نقال; فون
    """,
    "number": """
    number; numbers; my number; no; नंबर; नम्बर; नंबर है; num; رقم; رقمي; رقمه; رقمها
    رقم والدتي; نمرتي; رقم تاني
    """,
}
_REGIONS = ("IN", "EG", "SA", "AE", "GB", "US")
_PUBLIC = frozenset(
    [
        PhoneNumberType.TOLL_FREE,
        PhoneNumberType.UAN,
        PhoneNumberType.SHARED_COST,
        PhoneNumberType.PREMIUM_RATE,
    ]
)
#: Digits of a national number that a word names; a correction or repetition makes it longer.
_MIN_DIGITS = 7
_MAX_WRITTEN = 17
_MAX_SAID = 28
#: Without any word, this many said or written digits are a phone: no price or date has as many.
_MIN_SAID = 9
_MIN_SAID_SINGLY = 7
_MIN_SINGLY = 5
_MIN_WRITTEN = 10
_MAX_UNNAMED = 13
_TEN = 10
#: Ten digits beginning with these are somebody's mobile in India and a free line elsewhere.
_FREE = re.compile(r"1?800\d{7}|1?8[5-8]{2}\d{7}")
_ALWAYS_PUBLIC = re.compile(
    r"1800\d{6,7}|1860\d{7}|18(?:00|88|77|66|55|44|33)\d{7}|0800\d{6,7}|0808\d{7}|9200\d{5}|800\d{4}|600\d{6}"
)
_FREE_WORDS = frozenset(
    key(word)
    for word in """
    your toll free tollfree helpline hotline المجاني مجاني رقمكم خطكم الساخن हेल्पलाइन आपका
    aapka
    """.split()
)
#: Counted into the line: nobody's number.
COUNTING = "0123456789"
_LOCAL = re.compile(r"\d{3}[- ]\d{4}|\d{4}[- ]\d{4}|\d\d(?:[- .]\d\d){3}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_EXTENSION = frozenset({"ext", "extension", "extn", "x"})


def is_public(line: Line, run: Run) -> bool:
    """Tell whether a number is a line for everybody: toll-free, or one for a whole business."""
    digits = run.digits.removeprefix("00")
    if _ALWAYS_PUBLIC.fullmatch(digits):
        return True
    if _FREE.fullmatch(digits) is None:
        return False
    return any(token.text in _FREE_WORDS for token in line.tokens)


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that a word names may be a phone, or its last ones."""
    count = len(run.digits)
    if ending and rule == "own":
        return count in range(3, 6) or count >= _MIN_DIGITS
    return _MIN_DIGITS <= count <= (_MAX_WRITTEN if run.is_written else _MAX_SAID)


def is_valid(run: Run) -> bool:
    """Tell whether the digits are a number that can be dialled in one of our countries."""
    digits = run.digits
    if run.has_plus:
        return _dials(f"+{digits}", None)
    return any(_dials(digits, region) for region in _REGIONS)


def looks(run: Run) -> bool:
    """Tell whether digits without a name are a phone."""
    count = len(run.digits)
    if run.has_plus:
        return count >= _MIN_DIGITS
    if not run.is_written:
        if run.digits in COUNTING or run.digits in COUNTING[1:]:
            return False
        singly = count >= _MIN_SAID_SINGLY and len(run.parts) >= _MIN_SINGLY
        return count <= _MAX_SAID and (count >= _MIN_SAID or singly)
    if _MIN_DIGITS <= count < _MIN_SAID:
        text = run.text()
        return _LOCAL.fullmatch(text) is not None and _YEAR.match(text) is None
    if count > _MAX_UNNAMED:
        return run.digits.startswith("00") and is_valid(run)
    return count >= _MIN_WRITTEN or is_valid(run)


def with_extension(line: Line, end: int) -> int:
    """Give the token after an extension that follows a number."""
    if line.word(end) in _EXTENSION and line.type(end + 1) == "d" and line.near(end):
        return end + 2
    return end


@functools.lru_cache(maxsize=1024)
def _dials(digits: str, region: str | None) -> bool:
    try:
        number = phonenumbers.parse(digits, region)
    except phonenumbers.NumberParseException:
        return False
    return phonenumbers.is_valid_number(number)
