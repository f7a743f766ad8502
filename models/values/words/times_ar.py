"""Arabic words of time: Modern Standard, Egyptian, Gulf and Levantine."""

from models.values.word import Function, Unit
from models.values.words import time_parts as parts
from models.values.words.time_parts import Part

UNITS: dict[Unit, str] = {
    parts.SECOND: "ثانية ثانيه ثواني ثوان",
    parts.MINUTE: "دقيقة دقائق دقايق دقيقه",
    parts.HOUR: "ساعة ساعات ساعه",
    parts.DAY: "يوم أيام يوما ايام تيام",
    parts.WEEK: "أسبوع أسابيع اسبوع أسبوعا",
    parts.MONTH: "شهر أشهر شهور شهرا تشهر",
    parts.YEAR: "سنة سنين سنوات سنه عام أعوام عاما",
}

#: Units in the singular: a fraction before them is a part of one.
SINGULAR = "ثانية دقيقة ساعة ساعه يوم أسبوع شهر سنة عام كيلو مليون درجة"

#: The dual says two by itself.
DUALS: dict[Unit, str] = {
    parts.SECOND: "ثانيتين ثانيتان",
    parts.MINUTE: "دقيقتين دقيقتان",
    parts.HOUR: "ساعتين ساعتان",
    parts.DAY: "يومين يومان",
    parts.WEEK: "أسبوعين أسبوعان",
    parts.MONTH: "شهرين شهران",
    parts.YEAR: "سنتين سنتان عامين عامان",
}

#: What next, this and last are said of.
PERIODS: dict[str, str] = {
    "week": "الأسبوع أسبوع",
    "month": "الشهر شهر",
    "year": "السنة السنه العام عام",
}

#: ISO number to words.
WEEKDAYS: dict[int, str] = {
    1: "الاثنين الإثنين الأثنين الاتنين الإتنين الثنين لاثنين",
    2: "الثلاثاء الثلاثا التلات التلاتاء الثلوث",
    3: "الأربعاء الأربعا الأربع الاربعاء",
    4: "الخميس",
    5: "الجمعة الجمعه",
    6: "السبت",
    7: "الأحد الحد",
}

#: "Both", "the three", "the limit": weekdays only after يوم.
WEEKDAYS_WEAK = "الأربع الإتنين الاتنين التلات الحد"

#: Without ال, only after يوم or كل.
WEEKDAYS_BARE: dict[int, str] = {
    1: "اثنين إثنين اتنين",
    2: "ثلاثاء تلات",
    3: "أربعاء",
    4: "خميس",
    5: "جمعة",
    6: "سبت",
    7: "أحد حد",
}

#: First words of months of two: the month with الأول, the one with الثاني.
MONTH_PAIRS: dict[tuple[int, int], str] = {
    (12, 1): "كانون",
    (10, 11): "تشرين",
}

MONTHS: dict[int, str] = {
    1: "يناير",
    2: "فبراير شباط",
    3: "مارس آذار",
    4: "أبريل ابريل إبريل نيسان",
    5: "مايو أيار",
    6: "يونيو يونيه حزيران",
    7: "يوليو يوليه تموز",
    8: "أغسطس اغسطس",
    9: "سبتمبر أيلول",
    10: "أكتوبر اكتوبر",
    11: "نوفمبر",
    12: "ديسمبر",
}

#: "Father": a month only beside a number.
MONTHS_WEAK: dict[int, str] = {
    8: "آب",
}

PARTS: dict[Part, str] = {
    parts.MORNING: "الصبح الصباح صباحا بالصبح الصبحية صباح",
    parts.DAWN: "الفجر فجرا",
    parts.MIDDAY: "الضهر الظهر ظهرا الضهرية ظهر",
    parts.LATE_AFTERNOON: "العصر عصرا عصر",
    parts.DUSK: "المغرب",
    parts.PM: "مساء المساء المسا بالمسا مسا بالمساء",
    parts.TONIGHT: "العشا العشاء الليلة الليله",
    parts.AFTER_DARK: "بالليل ليلا الليل بليل",
}

#: The back, the age, Morocco, dinner: parts of day only beside a day or a time.
PARTS_WEAK = "الضهر الظهر العشا العشاء العصر الفجر المغرب صباح ظهر عصر مسا مساء"

#: Days from today.
DAYS: dict[tuple[int, ...], str] = {
    (0,): "اليوم النهاردة النهارده إنهاردة انهارده نهارده الليلة الليله اليومه",
    (1,): "بكرة بكرا بكره غدا غد الغد باكر باچر بكرى",
    (-1,): "أمس امس امبارح إمبارح مبارح البارحة البارح",
}

MERIDIEMS: dict[str, str] = {
    "am": "ص",
    "pm": "م",
}

FUNCTIONS: dict[int, str] = {
    Function.HOUR_AHEAD: "الساعة الساعه عالساعة عالساعه للساعة بالساعة والساعة لساعة",
    Function.DAY_AHEAD: "يوم",
    Function.MONTH_AHEAD: "شهر",
    Function.YEAR_AHEAD: "سنة عام سنه",
    Function.NEXT: "القادم القادمة الجاي الجاية الجايه جاي جاية المقبل المقبلة التالي",
    Function.LAST: "الماضي الماضية السابق السابقة المنصرم الفائت فات فاتت",
    Function.WHICH: "اللي الذي",
    Function.THIS: "هذا هذه هاي",
    Function.CURRENT: "الحالي الحالية ده دي",
    Function.AFTER: "بعد عقب",
    Function.BEFORE: "قبل أول",
    Function.WHOLE: "طوال طول كل جميع",
    Function.MIDDLE: "منتصف",
    Function.AT: "عند",
    Function.SINCE: "منذ",
    Function.WEEK_END: "نهاية عطلة",
    Function.GREETED: "الخير النور الفل الورد الياسمين",
}
