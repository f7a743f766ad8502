"""Hindi words of time in Devanagari."""

from models.values.word import Function, Unit
from models.values.words import time_parts as parts
from models.values.words.time_parts import Part

UNITS: dict[Unit, str] = {
    parts.SECOND: "सेकंड सेकेंड सेकण्ड सैकंड सेकंडों",
    parts.MINUTE: "मिनट मिनट्स मिनटों मिनिट मिन्ट",
    parts.HOUR: "घंटा आवर आवर्स घंटे घंटों घण्टा घण्टे घण्टों घन्टा घन्टे",
    parts.DAY: "दिन डेज़ डेज दिनों दिवस",
    parts.WEEK: "हफ्ता वीक हफ्ते हफ्तों हफ़्ता हफ़्ते हफ़्तों सप्ताह सप्ताहों",
    parts.FORTNIGHT: "पखवाड़ा पखवाड़े",
    parts.MONTH: "महीना मंथ मंथ्स महीने महीनों महिना महिने माह मास",
    parts.YEAR: "साल ईयर सालों वर्ष वर्षों बरस",
}

#: What next, this and last are said of.
PERIODS: dict[str, str] = {
    "week": "हफ्ता हफ्ते हफ़्ता हफ़्ते सप्ताह",
    "month": "महीना महीने माह महिने",
    "year": "साल वर्ष",
    "quarter": "तिमाही",
    "weekend": "वीकेंड वीकेण्ड",
}

#: ISO number to words.
WEEKDAYS: dict[int, str] = {
    1: "सोमवार सोम मंडे मन्डे",
    2: "मंगलवार ट्यूसडे ट्यूजडे मंगलवर",
    3: "बुधवार वेडनेसडे वेन्सडे",
    4: "गुरुवार गुरूवार बृहस्पतिवार वीरवार थर्सडे",
    5: "शुक्रवार फ्राइडे फ्राईडे",
    6: "शनिवार शनिचर सैटरडे सटरडे शनीवार",
    7: "रविवार इतवार संडे सन्डे रवीवार",
}

MONTHS: dict[int, str] = {
    1: "जनवरी",
    2: "फरवरी फ़रवरी",
    3: "मार्च",
    4: "अप्रैल अप्रेल",
    5: "मई",
    6: "जून",
    7: "जुलाई",
    8: "अगस्त",
    9: "सितंबर सितम्बर",
    10: "अक्टूबर अक्तूबर अक्टुबर",
    11: "नवंबर नवम्बर",
    12: "दिसंबर दिसम्बर",
}

#: Abbreviations: they need a number beside them.
MONTHS_WEAK: dict[int, str] = {
    1: "जन",
    2: "फर फ़र",
    8: "अग",
    9: "सित",
    10: "अक्टू",
    11: "नव",
    12: "दिस",
}

PARTS: dict[Part, str] = {
    parts.MORNING: "मॉर्निंग सुबह सवेरे सुबेरे प्रातः प्रात",
    parts.DAWN: "तड़के भोर",
    parts.MIDDAY: "आफ्टरनून दोपहर दुपहर",
    parts.LATE_AFTERNOON: "अपराह्न अपराहन",
    parts.DUSK: "इवनिंग शाम सायं संध्या सांय",
    parts.NIGHT: "नाइट रात रात्रि",
}

#: Clock times by themselves, minutes since midnight.
CLOCK_WORDS: dict[tuple[int, ...], str] = {
    (0,): "मध्यरात्रि",
    (720,): "मध्याह्न",
}

#: Days from today; yesterday and tomorrow are one word in Hindi.
DAYS: dict[tuple[int, ...], str] = {
    (0,): "आज टुडे",
    (-1, 1): "कल",
    (1,): "टुमॉरो",
    (-2, 2): "परसों परसो",
    (-3, 3): "नरसों तरसों",
}

MERIDIEMS: dict[str, str] = {
    "am": "एएम",
    "pm": "पीएम",
}

FUNCTIONS: dict[int, str] = {
    Function.BAJE: "बजे बजकर बजके बज",
    Function.DATE_BEHIND: "तारीख तारीख़",
    Function.NEXT: "अगला अगले अगली आगामी",
    Function.THIS: "इस",
    Function.LAST: "पिछला पिछले पिछली बीते गत",
    Function.YEAR_AHEAD: "साल सन वर्ष",
    Function.AGO: "पहले",
    Function.LATER: "बाद",
    Function.GREETING: "शुभ गुड",
    Function.OPENS_CLAUSE: "को तक के पर से",
}
