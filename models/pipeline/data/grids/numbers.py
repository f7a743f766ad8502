"""
Numbers in words: English, Hindi, Hinglish, Egyptian and standard Arabic.

Only what callers say and what has one reading; other numbers stay in digits.
"""


def _words(text: str) -> list[str]:
    return text.split()


#: Hindi numbers 1 to 60, then the tens.
_HINDI = _words(
    "एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस "
    "बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस "
    "चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस तैंतालीस चवालीस पैंतालीस "
    "छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन "
    "उनसठ साठ"
)  # fmt: skip
_HINGLISH = _words(
    "ek do teen char paanch chhe saat aath nau das gyarah barah terah chaudah pandrah solah "
    "satrah atharah unnis bees ikkis bais teis chaubis pachees chhabbis sattais atthais untis "
    "tees"
)  # fmt: skip
_ENGLISH = _words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)  # fmt: skip
_ENGLISH_TENS = _words(
    "twenty thirty forty fifty sixty seventy eighty ninety"
)  # fmt: skip
_EGYPTIAN = _words(
    "واحد اتنين تلاتة أربعة خمسة ستة سبعة تمانية تسعة عشرة حداشر اتناشر تلتاشر أربعتاشر "
    "خمستاشر ستاشر سبعتاشر تمنتاشر تسعتاشر"
)  # fmt: skip
_EGYPTIAN_TENS = _words(
    "عشرين تلاتين أربعين خمسين ستين سبعين تمانين تسعين"
)  # fmt: skip
_STANDARD = _words(
    "واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة أحد_عشر اثنا_عشر ثلاثة_عشر "
    "أربعة_عشر خمسة_عشر ستة_عشر سبعة_عشر ثمانية_عشر تسعة_عشر"
)  # fmt: skip
_STANDARD_TENS = _words(
    "عشرين ثلاثين أربعين خمسين ستين سبعين ثمانين تسعين"
)  # fmt: skip
_BIG = {
    "en": {100: "hundred", 1000: "thousand", 100_000: "lakh"},
    "hi": {100: "सौ", 1000: "हज़ार", 100_000: "लाख"},
    "hinglish": {100: "sau", 1000: "hazaar", 100_000: "lakh"},
}
_TENS_HINDI = {70: "सत्तर", 75: "पचहत्तर", 80: "अस्सी", 90: "नब्बे"}
_TENS_HINGLISH = {
    35: "paintees", 40: "chalis", 45: "paintalis", 50: "pachas", 60: "saath",
    70: "sattar", 75: "pachhattar", 80: "assi", 90: "nabbe",
}  # fmt: skip
_ARABIC_HUNDREDS = {
    "ar-EG": ["مية", "ميتين", "تلتمية", "ربعمية", "خمسمية", "ستمية", "سبعمية", "تمنمية", "تسعمية"],
    "ar-MSA": [
        "مئة",
        "مئتين",
        "ثلاثمئة",
        "أربعمئة",
        "خمسمئة",
        "ستمئة",
        "سبعمئة",
        "ثمانمئة",
        "تسعمئة",
    ],
}
_EGYPTIAN_THOUSANDS = ["تلات", "أربع", "خمس", "ست", "سبع", "تمن", "تسع", "عشر"]
_STANDARD_THOUSANDS = ["ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"]

_DIGITS = {"hi": 0x966, "ar": 0x660}


def other_digits(number: int, language: str) -> str:
    """Return a number in Devanagari ("hi") or Arabic-Indic ("ar") digits."""
    zero = _DIGITS[language]
    return "".join(chr(zero + int(digit)) for digit in str(number))


def in_words(number: int, variant: str) -> str | None:
    """Return a number as it is said in a variant, or None where the tables have no word."""
    base = "ar-EG" if variant == "ar-Gulf" else variant
    if base.startswith("ar"):
        return _arabic(number, base)
    for size in (100_000, 1000, 100):
        if number >= size and base in _BIG:
            head, rest = divmod(number, size)
            said = in_words(head, base)
            tail = in_words(rest, base) if rest else ""
            if said is None or tail is None:
                return None
            return " ".join(part for part in (said, _BIG[base][size], tail) if part)
    if base == "en":
        return _english(number)
    table, tens = (_HINDI, _TENS_HINDI) if base == "hi" else (_HINGLISH, _TENS_HINGLISH)
    return table[number - 1] if 0 < number <= len(table) else tens.get(number)


def _english(number: int) -> str | None:
    if 0 < number < 20:  # noqa: PLR2004 - the numbers with names of their own
        return _ENGLISH[number - 1]
    tens, ones = divmod(number, 10)
    if not 2 <= tens <= 9:  # noqa: PLR2004
        return None
    return _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH[ones - 1]}" if ones else "")


def _arabic(number: int, base: str) -> str | None:
    egyptian = base == "ar-EG"
    ones, tens = (_EGYPTIAN, _EGYPTIAN_TENS) if egyptian else (_STANDARD, _STANDARD_TENS)
    if 0 < number < 20:  # noqa: PLR2004
        return ones[number - 1].replace("_", " ")
    if number < 100:  # noqa: PLR2004
        ten, one = divmod(number, 10)
        head = f"{ones[one - 1]} و" if one else ""
        return f"{head}{tens[ten - 2]}"
    if number < 1000:  # noqa: PLR2004
        hundred, rest = divmod(number, 100)
        tail = (_arabic(rest, base) or "") if rest else ""
        return _ARABIC_HUNDREDS[base][hundred - 1] + (f" و{tail}" if tail else "")
    if number >= 100_000:  # noqa: PLR2004 - said differently from speaker to speaker
        thousands = in_words(number // 1000, base)
        return f"{thousands} ألف" if thousands and number % 1000 == 0 else None
    thousand, rest = divmod(number, 1000)
    tail = (_arabic(rest, base) or "") if rest else ""
    table = _EGYPTIAN_THOUSANDS if egyptian else _STANDARD_THOUSANDS
    if thousand == 1:
        said = "ألف"
    elif thousand == 2:  # noqa: PLR2004
        said = "ألفين"
    elif thousand <= 10:  # noqa: PLR2004
        said = f"{table[thousand - 3]} {'تلاف' if egyptian else 'آلاف'}"
    else:
        said = f"{_arabic(thousand, base)} ألف"
    return said + (f" و{tail}" if tail else "")
