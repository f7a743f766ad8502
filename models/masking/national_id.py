"""National identity numbers: India, Egypt, Saudi Arabia, the Emirates, the US and the UK."""

import re
from collections.abc import Iterator

from stdnum import verhoeff

from models.masking.code import code_at
from models.masking.line import Line
from models.masking.run import Run

RULES = {
    "digits": """
    uid; uid number; aadhaar; aadhar; adhar; adhaar; aadhaar number; aadhaar card; aadhar card
    aadhaar card number; uidai; emirates id; eid number
    iqama; iqama number; national id; national id number; id number; social security
    social security number; social; ssn
    nhs; nhs number; egyptian id; saudi id; saudi national id; identity card
    identity number; id card; civil id; my id
    आधार; आधार नंबर; आधार कार्ड; आधार कार्ड नंबर; पहचान पत्र
    aadhaar no; adhar card; aadhaar card no
    رقم قومي; رقمي القومي; رقم القومي; القومي; رقم بطاقتي القومي; هويه; هويتي; رقم الهويه;
    رقم هويتي; الهويه الوطنيه; اقامه; اقامتي; رقم الاقامه; هويه اماراتيه; هويتي الاماراتيه
    رقم الهويه الاماراتيه; بطاقه شخصيه
    بطاقه هويه; ادهار; الرقم المدني
    """,
    # Also the word for a payment card.
    "card": "بطاقة; بطاقتي; رقم بطاقتي; رقم البطاقة",
    "pan": """
    pan; pan card; pan number; pan card number; pan no; पैन; पैन कार्ड; पैन नंबर
    पैन कार्ड नंबर; pan card no
    """,
    "nino": "national insurance; national insurance number; ni number; nino; ni no",
}
_MIN_DIGITS = 8
_MAX_WRITTEN = 16
_MAX_SAID = 32
_EGYPTIAN = re.compile(r"[23]\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{7}")
_EMIRATES = re.compile(r"784(?:19|20)\d{10}")
_SSN = re.compile(r"\d{3}[- ]\d{2}[- ]\d{4}")
_AADHAAR = 12
_PAN = re.compile(r"[a-z]{3}[abcfghljpte][a-z]\d{4}[a-z]")
_ANY_PAN = re.compile(r"[a-z]{5}\d{4}[a-z]")
_NINO = re.compile(r"[a-z]{2}\d{6}[a-d]")
#: Tokens after the phrase in which a code may begin.


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that a word names may be an id, or its last ones."""
    count = len(run.digits)
    if ending and count in range(3, 6):
        return True
    if rule == "card":
        return _MIN_DIGITS <= count < _MAX_WRITTEN
    return rule == "digits" and (
        _MIN_DIGITS <= count <= (_MAX_WRITTEN if run.is_written else _MAX_SAID)
    )


def looks(run: Run) -> bool:
    """Tell whether digits without a name are an id."""
    digits = run.digits
    if _EGYPTIAN.fullmatch(digits) or _EMIRATES.fullmatch(digits):
        return True
    if len(digits) == _AADHAAR and digits[0] not in "01":
        return not run.has_plus and verhoeff.is_valid(digits)
    return run.is_written and _SSN.fullmatch(run.text()) is not None


def codes(line: Line, index: int, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """
    Find a PAN or an insurance number that begins at a token.

    Args:
        rules: Which phrases announce what begins there.
    """
    named = "pan" in rules
    if named or (line.type(index) == "w" and line.is_upper(index)):
        code = code_at(line, index)
        end = None if code is None else code.match(_ANY_PAN if named else _PAN)
        if end is not None:
            yield index, end
    if "nino" in rules:
        code = code_at(line, index)
        end = None if code is None else code.match(_NINO)
        if end is not None:
            yield index, end
