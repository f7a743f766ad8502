"""What Hindi texts in Devanagari state, and what they only seem to state."""

import pytest

from tests.unit.models.values.stated import (
    DOLLARS,
    EVENING,
    MORNING,
    NIGHT,
    NOON,
    RUPEES,
    Stated,
    at,
    code,
    date,
    day,
    half,
    length,
    measure,
    money,
    month,
    number,
    ordinal,
    percent,
    period,
    stated,
    weekday,
    year,
)

CASES: list[tuple[str, list[Stated]]] = [
    # numbers
    ("पाँच", [number(5)]),
    ("हमारी क्लास में पचास लड़के हैं", [number(50)]),
    ("इक्यासी", [number(81)]),
    ("निन्यानवे", [number(99)]),
    ("एक सौ पचास", [number(150)]),
    ("तीन सौ पैंसठ", [number(365)]),
    ("दो हज़ार छब्बीस", [number(2026)]),
    ("एक हज़ार पाँच सौ बीस", [number(1520)]),
    ("दो लाख", [number(200_000)]),
    ("ढाई लाख", [number(250_000)]),
    ("डेढ़ सौ", [number(150)]),
    ("सवा दो सौ", [number(225)]),
    ("पौने तीन सौ", [number(275)]),
    ("साढ़े चार हज़ार", [number(4500)]),
    ("सवा लाख", [number(125_000)]),
    ("तीन करोड़", [number(30_000_000)]),
    ("१२३", [number(123)]),
    ("5 लाख", [number(500_000)]),
    ("दो दर्जन", [number(24)]),
    ("तीन बच्चे", [number(3)]),
    ("मुझे दो टिकट चाहिए", [number(2)]),
    ("दो लोग आएंगे", [number(2)]),
    # positions
    ("दसवीं कक्षा", [ordinal(10)]),
    ("पहली मंज़िल", [ordinal(1)]),
    ("पाँचवीं बार", [ordinal(5)]),
    ("5वीं", [ordinal(5)]),
    ("पच्चीसवाँ", [ordinal(25)]),
    ("दूसरा वाला", [ordinal(2)]),
    # clock times
    ("ढाई बजे", [half("2:30")]),
    ("डेढ़ बजे", [half("1:30")]),
    ("साढ़े तीन बजे", [half("3:30")]),
    ("सवा पाँच बजे", [half("5:15")]),
    ("पौने आठ बजे", [half("7:45")]),
    ("पौने एक बजे", [half("12:45")]),
    ("दो बजे", [half("2:00")]),
    ("सुबह नौ बजे", [at("9:00")]),
    ("शाम को 7 बजे", [at("19:00")]),
    ("रात बारह बजे", [at("0:00")]),
    ("दोपहर 12 बजे", [at("12:00")]),
    ("दोपहर साढ़े बारह बजे", [at("12:30")]),
    ("कल सुबह साढ़े आठ बजे", [day(-1, 1), at("8:30")]),
    ("शाम सात बजकर पैंतीस मिनट पर", [at("19:35")]),
    ("तीन बीस बजे", [half("3:20")]),
    ("7:30 बजे", [half("7:30")]),
    ("आधी रात को", [at("0:00")]),
    ("पाँच से सात बजे", [half("5:00"), half("7:00")]),
    ("चार पाँच बजे", [half("4:00"), half("5:00")]),
    # days, weeks, parts of day
    ("कल आना", [day(-1, 1)]),
    ("आज", [day(0)]),
    ("परसों", [day(-2, 2)]),
    ("आज शाम", [day(0), EVENING]),
    ("सुबह", [MORNING]),
    ("दोपहर में", [NOON]),
    ("कल रात", [day(-1, 1), NIGHT]),
    ("सोमवार को", [weekday(1)]),
    ("बृहस्पतिवार", [weekday(4)]),
    ("अगले शुक्रवार", [weekday(5, "next")]),
    ("पिछले मंगलवार", [weekday(2, "last")]),
    ("अगले हफ़्ते", [period("week", 1)]),
    ("इस महीने", [period("month", 0)]),
    ("पिछले साल", [period("year", -1)]),
    # dates
    ("5 मार्च", [date(5, 3)]),
    ("इक्कीस अगस्त को", [date(21, 8)]),
    ("15 तारीख को", [date(15)]),
    ("पंद्रह तारीख", [date(15)]),
    ("15 अगस्त 1947", [date(15, 8, 1947)]),
    ("मार्च में", [month(3)]),
    ("मई 2026", [month(5, 2026)]),
    ("साल 2024", [year(2024)]),
    # lengths of time
    ("एक घंटे में", [length(hours=1)]),
    ("डेढ़ घंटा", [length(minutes=90)]),
    ("ढाई साल", [length(months=30)]),
    ("पौने दो घंटे", [length(minutes=105)]),
    ("आधा घंटा", [length(minutes=30)]),
    ("2 साल 3 महीने", [length(months=27)]),
    ("दो तीन दिन", [length(days=2), length(days=3)]),
    ("पाँच मिनट रुकिए", [length(minutes=5)]),
    # money, percentages, measures, identifiers
    ("पाँच सौ रुपये", [money(500, RUPEES)]),
    ("डेढ़ लाख रुपए", [money(150_000, RUPEES)]),
    ("₹२५०", [money(250, RUPEES)]),
    ("बीस रुपये पचास पैसे", [money(20.5, RUPEES)]),
    ("दस डॉलर", [money(10, DOLLARS)]),
    ("पच्चीस प्रतिशत", [percent(25)]),
    ("दस फीसदी", [percent(10)]),
    ("पाँच किलो", [measure("mass", 5000)]),
    ("नौ आठ सात छह", [code("9876")]),
    ("डबल पाँच नौ", [code("559")]),
    ("ऑर्डर नंबर 482", [code("482")]),
]  # fmt: skip

NOTHING = [
    "मुझे दो",
    "बता दो",
    "कर दो",
    "भेज दो ना",
    "एक बात बताओ",
    "एक मिनट रुकिए",
    "एक दिन मैं आऊँगा",
    "एक बार फिर",
    "आजकल बहुत गर्मी है",
    "आज कल सब महँगा है",
    "दूसरा कोई नहीं",
    "पहले बताओ",
    "सबसे पहले",
    "कोई दो राय नहीं",
    "सौ बार कहा",
    "हज़ारों लोग",
    "लाखों रुपये",
    "करोड़पति",
    "आधा ही सही",
    "सवाल",
    "साढ़े",
    "बजे",
    "कितने बजे",
    "नौकरी",
    "तीनों",
    "दोनों",
    "चारों तरफ",
    "मंगल ग्रह",
    "जन गण मन",
    "दस्तक",
    "एक और बात",
    "किसी एक को",
    "एक साथ",
]


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_reads(text, expected):
    """
    Each value is read in its canonical form, and nothing beside it.
    """
    assert stated(text) == expected


@pytest.mark.parametrize("text", NOTHING)
def test_reads_nothing(text):
    """
    Words that may mean something else are no value.
    """
    assert stated(text) == []
