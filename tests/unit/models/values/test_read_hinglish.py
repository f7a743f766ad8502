"""What romanised Hindi states in its many spellings, and what it only seems to state."""

import pytest

from tests.unit.models.values.stated import (
    EVENING,
    MORNING,
    NIGHT,
    NOON,
    RUPEES,
    TONIGHT,
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
)

CASES: list[tuple[str, list[Stated]]] = [
    # numbers
    ("paanch chahiye", [number(5)]),
    ("gyarah", [number(11)]),
    ("pachees", [number(25)]),
    ("pachis", [number(25)]),
    ("chhattis", [number(36)]),
    ("untalis", [number(39)]),
    ("chauvan", [number(54)]),
    ("unsath", [number(59)]),
    ("pachhattar", [number(75)]),
    ("ninyanve", [number(99)]),
    ("ek sau pachas", [number(150)]),
    ("teen sau paisath", [number(365)]),
    ("do hazaar", [number(2000)]),
    ("do lakh", [number(200_000)]),
    ("dhai lakh", [number(250_000)]),
    ("dedh sau", [number(150)]),
    ("sava do sau", [number(225)]),
    ("paune teen sau", [number(275)]),
    ("saadhe chaar hazaar", [number(4500)]),
    ("5 hazaar 500", [number(5500)]),
    ("1 lakh 20 hazaar", [number(120_000)]),
    ("do tickets chahiye", [number(2)]),
    ("teen log hain", [number(3)]),
    ("do teen log aayenge", [number(2), number(3)]),
    ("pachas pachpan", [number(50), number(55)]),
    # positions
    ("dasvi kaksha", [ordinal(10)]),
    ("paanchva", [ordinal(5)]),
    ("pehla wala", [ordinal(1)]),
    ("dusri manzil", [ordinal(2)]),
    ("10th class me hai", [ordinal(10)]),
    # clock times
    ("saadhe teen baje", [half("3:30")]),
    ("sadhe 3 bje", [half("3:30")]),
    ("dhai baje", [half("2:30")]),
    ("dedh baje", [half("1:30")]),
    ("sava saat baje", [half("7:15")]),
    ("paune aath baje", [half("7:45")]),
    ("teen baje", [half("3:00")]),
    ("saath baje", [half("7:00")]),
    ("subah 9 baje", [at("9:00")]),
    ("shaam ko saat baje", [at("19:00")]),
    ("raat 12 baje", [at("0:00")]),
    ("dopahar 12 baje", [at("12:00")]),
    ("kal subah saadhe aath baje", [day(-1, 1), at("8:30")]),
    ("aath bajkar bees minute", [half("8:20")]),
    ("5 se 7 baje tak", [half("5:00"), half("7:00")]),
    ("subah 8", [at("8:00")]),
    ("6 ke baad call karna", [half("6:00")]),
    ("5 se pehle aana", [half("5:00")]),
    ("raat das pachpan ko", [at("22:55")]),
    ("5 6 baje", [half("5:00"), half("6:00")]),
    ("sat subah 8 baje", [weekday(6), at("8:00")]),
    ("ek dopahar 3 baje ka", [at("15:00")]),
    ("aadhi raat ko", [at("0:00")]),
    # days, weeks, parts of day
    ("kal aaunga", [day(-1, 1)]),
    ("parso", [day(-2, 2)]),
    ("parson shaam", [day(-2, 2), EVENING]),
    ("aaj raat", [day(0), TONIGHT]),
    ("raat ko", [NIGHT]),
    ("subah subah", [MORNING, MORNING]),
    ("dopahar mein", [NOON]),
    ("somvar ko", [weekday(1)]),
    ("agle shukrawar", [weekday(5, "next")]),
    ("agle hafte", [period("week", 1)]),
    ("is mahine", [period("month", 0)]),
    ("pichle saal", [period("year", -1)]),
    # dates
    ("15 tarikh ko", [date(15)]),
    ("pandrah tareekh", [date(15)]),
    ("5 march ko", [date(5, 3)]),
    ("janvari mein", [month(1)]),
    # lengths of time
    ("do ghante", [length(hours=2)]),
    ("dedh ghanta", [length(minutes=90)]),
    ("aadha ghanta", [length(minutes=30)]),
    ("dhai saal", [length(months=30)]),
    ("do teen din", [length(days=2), length(days=3)]),
    ("paanch minute ruko", [length(minutes=5)]),
    ("ek hafte baad", [length(days=7)]),
    ("mujhe do din do", [length(days=2)]),
    # money, percentages, measures, identifiers
    ("paanch sau rupaye", [money(500, RUPEES)]),
    ("paanch so rupaye", [money(500, RUPEES)]),
    ("do so rupaye hain", [money(200, RUPEES)]),
    ("dedh lakh rupay", [money(150_000, RUPEES)]),
    ("sau rupaye", [money(100, RUPEES)]),
    ("pachas percent", [percent(50)]),
    ("dus pratishat", [percent(10)]),
    ("paanch kilo", [measure("mass", 5000)]),
    ("nau aath saat chhe hai", [code("9876")]),
    ("double paanch nau hai", [code("559")]),
]  # fmt: skip

NOTHING = [
    "mujhe do",
    "bata do please",
    "kar do yaar",
    "bhej do na",
    "de do",
    "do it now",
    "do minutes matter",
    "ek baat bolo",
    "ek minute ruko",
    "ek second",
    "ek baar phir se",
    "ek din main aaunga",
    "aaj kal bahut garmi hai",
    "dusra koi nahi",
    "dusri tareekh do",
    "pehle batao",
    "mere saath chalo",
    "sath me aao",
    "teen age bacha",
    "so jao",
    "to kya hua",
    "das sahab se baat karo",
    "bara ghar hai",
    "sab log",
    "che baat",
    "sau baar kaha",
    "paise do",
    "rupaye do",
    "sawal poochna hai",
    "kitne baje",
    "tera number",
    "sun lo",
    "is ghar mein",
    "sirf ek",
    "chai chahiye",
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
