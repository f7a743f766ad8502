"""Pairs of texts that contradict each other in a value, and pairs that do not."""

import pytest

from models.values import ValueKind, conflict, read

CONFLICTS: list[tuple[str, str, ValueKind]] = [
    # clock times
    ("call me at 5", "call me at 6", ValueKind.TIME),
    ("call me at 5 pm", "call me at 5 am", ValueKind.TIME),
    ("8 in the evening", "8 am", ValueKind.TIME),
    ("half past five", "quarter to six", ValueKind.TIME),
    ("at 5", "at 5:30", ValueKind.TIME),
    ("saadhe paanch baje", "paune chhe baje", ValueKind.TIME),
    ("ढाई बजे", "डेढ़ बजे", ValueKind.TIME),
    ("सुबह नौ बजे", "रात नौ बजे", ValueKind.TIME),
    ("الساعة تمانية ونص بالليل", "الساعة تمانية ونص الصبح", ValueKind.TIME),
    ("الساعة ستة إلا ربع", "الساعة ستة وربع", ValueKind.TIME),
    ("الساعة تمانية ونص بالليل", "8:30 am", ValueKind.TIME),
    ("saadhe teen baje", "3:45", ValueKind.TIME),
    ("noon", "midnight", ValueKind.TIME),
    ("5 se 7 baje", "7 se 5 baje", ValueKind.TIME),
    ("from 3 to 5 pm", "from 3 to 6 pm", ValueKind.TIME),
    # a time against a part of day, parts of day
    ("call me at 8 pm", "call me in the morning", ValueKind.TIME),
    ("in the morning", "kal shaam 7 baje", ValueKind.PART_OF_DAY),
    ("in the morning", "in the evening", ValueKind.PART_OF_DAY),
    ("kal subah", "kal raat", ValueKind.PART_OF_DAY),
    ("शाम को", "रात को", ValueKind.PART_OF_DAY),
    ("بكرة الصبح", "بكرة بالليل", ValueKind.PART_OF_DAY),
    # days and weeks
    ("tomorrow", "today", ValueKind.RELATIVE_DAY),
    ("tomorrow", "the day after tomorrow", ValueKind.RELATIVE_DAY),
    ("kal", "parso", ValueKind.RELATIVE_DAY),
    ("aaj", "kal", ValueKind.RELATIVE_DAY),
    ("बाद में कल", "आज", ValueKind.RELATIVE_DAY),
    ("بكرة", "النهاردة", ValueKind.RELATIVE_DAY),
    ("بكرة", "بعد بكرة", ValueKind.RELATIVE_DAY),
    ("امبارح", "tomorrow", ValueKind.RELATIVE_DAY),
    ("on Monday", "on Tuesday", ValueKind.WEEKDAY),
    ("next Friday", "last Friday", ValueKind.WEEKDAY),
    ("monday to friday", "friday to monday", ValueKind.WEEKDAY),
    ("सोमवार", "शुक्रवार", ValueKind.WEEKDAY),
    ("يوم الاتنين", "يوم الخميس", ValueKind.WEEKDAY),
    ("यह सोमवार", "Tuesday", ValueKind.WEEKDAY),
    ("next week", "this week", ValueKind.PERIOD),
    ("agle mahine", "pichle mahine", ValueKind.PERIOD),
    ("الأسبوع الجاي", "الأسبوع اللي فات", ValueKind.PERIOD),
    # dates
    ("on the 5th", "on the 6th", ValueKind.DATE),
    ("5th March", "5th April", ValueKind.DATE),
    ("in May", "5 June", ValueKind.MONTH),
    ("March 2025", "March 2026", ValueKind.MONTH),
    ("15 tarikh", "16 tarikh", ValueKind.DATE),
    ("الخامس من مارس", "السادس من مارس", ValueKind.DATE),
    # lengths of time
    ("in 20 minutes", "in 30 minutes", ValueKind.DURATION),
    ("half an hour", "an hour and a half", ValueKind.DURATION),
    ("do din pehle", "do din baad", ValueKind.DURATION),
    ("2 days ago", "in 2 days", ValueKind.DURATION),
    ("ساعة ونص", "ساعتين", ValueKind.DURATION),
    ("डेढ़ घंटा", "ढाई घंटे", ValueKind.DURATION),
    # numbers, money, percentages
    ("two tickets", "three tickets", ValueKind.NUMBER),
    ("2 adults and 3 kids", "3 adults and 2 kids", ValueKind.NUMBER),
    ("from 5 to 7", "from 7 to 5", ValueKind.NUMBER),
    ("2 lakh", "20 hazaar", ValueKind.NUMBER),
    ("مية وخمسين", "مية وخمستاشر", ValueKind.NUMBER),
    ("I have two kids", "मेरे तीन बच्चे हैं", ValueKind.NUMBER),
    ("500 rupees", "600 rupees", ValueKind.MONEY),
    ("500 rupees", "500 dollars", ValueKind.MONEY),
    ("500 rupees", "600", ValueKind.MONEY),
    ("عشرين ريال", "عشرين درهم", ValueKind.MONEY),
    ("paanch sau rupaye", "chhe sau rupaye", ValueKind.MONEY),
    ("10 percent", "15 percent", ValueKind.PERCENT),
    ("5 kg", "10 kg", ValueKind.MEASURE),
    # positions and identifiers
    ("the first one", "the second one", ValueKind.ORDINAL),
    ("10th standard", "class 9", ValueKind.ORDINAL),
    ("الدور الخامس", "الدور السادس", ValueKind.ORDINAL),
    ("order 45123", "order 45132", ValueKind.IDENTIFIER),
    ("order 45123", "order four five one three two", ValueKind.IDENTIFIER),
    ("0501234567", "0501234576", ValueKind.IDENTIFIER),
    ("double five nine", "560", ValueKind.IDENTIFIER),
    ("AB1234", "AB1243", ValueKind.IDENTIFIER),
    ("2bhk", "3bhk", ValueKind.NUMBER),
]  # fmt: skip

NO_CONFLICT: list[tuple[str, str]] = [
    # one value in other forms
    ("half past five", "5:30"),
    ("saadhe paanch baje", "5:30 pm"),
    ("ढाई बजे", "2:30"),
    ("quarter to eight", "paune aath baje"),
    ("الساعة تمانية ونص بالليل", "8:30 pm"),
    ("الساعة ستة إلا ربع", "5:45"),
    ("tomorrow at 5", "kal 5 baje"),
    ("12 baje raat", "midnight"),
    ("dopahar 12 baje", "noon"),
    ("8 in the evening", "8 pm"),
    ("8 at night", "raat 8 baje"),
    ("2 lakh", "200000"),
    ("2 lakh", "do lakh"),
    ("dhai hazaar", "2500"),
    ("dedh sau", "one fifty"),
    ("مية وخمسين", "150"),
    ("١٥٠ جنيه", "مية وخمسين جنيه"),
    ("१५० रुपये", "डेढ़ सौ रुपए"),
    ("twelve hundred", "1200"),
    ("10%", "दस फीसदी"),
    ("خمسين في المية", "50 percent"),
    ("10th standard", "class 10"),
    ("tenth grade", "दसवीं कक्षा"),
    ("1 hour", "60 minutes"),
    ("1 year", "12 months"),
    ("30 days", "1 month"),
    ("ek ghanta", "ساعة واحدة"),
    ("half a kilo", "500 grams"),
    ("order four five one two three", "order 45123"),
    ("0501234567", "+966 50 123 4567"),
    ("double five nine", "559"),
    ("5th March", "March 5"),
    ("الخامس من مارس", "5 March"),
    ("5 March", "5 March 2026"),
    ("in March", "5 March"),
    ("5 to 7 days", "between 5 and 7 days"),
    ("do teen din", "2-3 days"),
    ("بكرة", "غدا"),
    ("next week", "agle hafte"),
    ("الأسبوع الجاي", "next week"),
    ("Monday", "सोमवार"),
    ("يوم الاتنين", "somvar"),
    # what the words leave open
    ("kal", "tomorrow"),
    ("kal", "yesterday"),
    ("parso", "day after tomorrow"),
    ("at 5", "at 5 pm"),
    ("at 5", "at 5 am"),
    ("at 8", "in the evening"),
    ("this evening", "tonight"),
    ("this evening", "aaj raat"),
    ("Friday night", "Friday evening"),
    ("last night", "yesterday evening"),
    ("Monday", "next Monday"),
    ("4/5/2026", "5 April 2026"),
    ("two lakh fifty", "2.5 lakh"),
    ("500 rupees", "500"),
    ("42 bucks", "42 rupees"),
    # a value on one side only, or of another kind
    ("yes", "yes at 5"),
    ("yes at 5", "yes"),
    ("two tickets", "tickets please"),
    ("call me tomorrow", "call me on Monday"),
    ("call me at 5", "call me in 5 minutes"),
    ("two tickets for three nights", "two tickets"),
    ("2 tickets", "for 2 people"),
    ("I live at AB12", "order 45"),
    ("in May", "at 5"),
    ("", ""),
    ("no value", "none here"),
    # order without from and to
    ("2 kilos for 100 rupees", "100 rupees for two kilos"),
    ("5 or 6", "6 or 5"),
    ("Monday or Tuesday", "Tuesday or Monday"),
]


@pytest.mark.parametrize(
    ("one", "other", "kind"), CONFLICTS, ids=[f"{one} | {other}" for one, other, _ in CONFLICTS]
)
def test_contradict(one, other, kind):
    """
    Two different values of one kind contradict, whichever side is given first.
    """
    a, b = read(one), read(other)

    assert conflict(a, b) is not None
    assert conflict(a, b) is kind
    assert conflict(b, a) is not None


@pytest.mark.parametrize(
    ("one", "other"), NO_CONFLICT, ids=[f"{one} | {other}" for one, other in NO_CONFLICT]
)
def test_do_not_contradict(one, other):
    """
    Equal values in other forms, and values that only one side states, do not contradict.
    """
    a, b = read(one), read(other)

    assert conflict(a, b) is None
    assert conflict(b, a) is None
