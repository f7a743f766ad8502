"""One-time codes, and the other short secrets: card PIN, CVV."""

import re
from collections.abc import Iterator

from models.masking.line import Line
from models.masking.run import Run

RULES = {
    "code": """
    otp; code; one time password; one time code; one time pin; verification code; login code
    access code; auth code; security code
    passcode; رمز التأكيد; كود التأكيد; رمز الدخول; كود الدخول; pass code
    temporary password; otp number
    ओटीपी नंबर; 2fa; sms code; confirmation code; activation code
    ओटीपी; कोड; सत्यापन कोड; वेरिफिकेशन कोड
    otp code
    كود; كود التفعيل; رمز; رمز التحقق; رمز التفعيل; كود التحقق; كلمه المرور; كلمه السر
    वन टाइम पासवर्ड; पासवर्ड; लॉगिन कोड; एक्टिवेशन कोड; कन्फर्मेशन कोड; पासकोड
    كلمه المرور لمره واحده; كلمه السر لمره واحده; رمز لمره واحده; كود لمره واحده; رقم سري
    الرقم السري; رقمي السري
    رمز سري; باسورد
    """,
    "secret": """
    pin; pin number; password; account password; atm pin; card pin; cvv; cvc; cvv2; mpin
    upi pin; पिन; एटीएम पिन
    security code; सिक्योरिटी कोड; رمز الامان; كود الامان; رقم الامان
    on the back; on the back of it; on the back of the card; on the back of my card
    back of the card; back of my card; on the reverse
    card ke peeche; card ke piche; card ke peeche ke teen digit; card ke peeche ke teen number
    card ke peeche ke 3 digit; card ke piche ke teen number; peeche ke teen number
    peeche ke teen digit; peeche ke 3 digit
    कार्ड के पीछे; कार्ड के पीछे के तीन अंक; कार्ड के पीछे के 3 अंक; कार्ड के पीछे के तीन नंबर
    पीछे के तीन अंक; पीछे के तीन नंबर
    ورا الكارت; ورا الفيزا; ورا البطاقه; خلف الكارت; خلف البطاقه; وراء البطاقه; ظهر الكارت
    ظهر البطاقه; ضهر الكارت; ضهر الفيزا
    सीवीवी; بن كود; سي في في
    """,
    # Nothing secret.
}
#: Look like codes, and are none.
OTHERS = """
error code; promo code; discount code; coupon code; area code; country code; dress code
zip code; product code; bar code
qr code; ifsc code; ifsc; swift code; branch code; dialling code; code of; company name is
city name is; product name is; plan name is; branch name is; user name is; كود الخطأ
كود الخصم; كود المنتج; رمز الخطأ; كود الدولة
كود الفرع; رمز المنتج; promo; एरर कोड; प्रोमो कोड; आईएफएससी कोड; error
"""
_MIN_DIGITS = 4
_MIN_SECRET = 3
_MAX_DIGITS = 8
_MAX_SAID = 14
_PREFIXED = re.compile(r"[a-z]{1,2}-?\d{4,8}")


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that a word names may be a secret code."""
    count = len(run.digits)
    least = _MIN_SECRET if rule == "secret" else _MIN_DIGITS
    return not ending and least <= count <= (_MAX_DIGITS if run.is_written else _MAX_SAID)


def codes(line: Line, index: int, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Find a code with letters before its digits, announced, that begins at a token."""
    if "code" in rules and line.type(index) == "w" and line.type(index + 1) == "d":
        end = index + 2
        text = line.text[line.tokens[index].start : line.tokens[index + 1].end]
        if _PREFIXED.fullmatch(text):
            yield index, end
