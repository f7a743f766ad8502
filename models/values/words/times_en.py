"""English words of time."""

from models.values.word import Function, Unit
from models.values.words import time_parts as parts
from models.values.words.time_parts import Part

UNITS: dict[Unit, str] = {
    parts.SECOND: "second seconds sec secs",
    parts.MINUTE: "minute minutes min mins minuts",
    parts.HOUR: "hour hours hr hrs",
    parts.DAY: "day days",
    parts.WEEK: "week weeks wk wks",
    parts.FORTNIGHT: "fortnight fortnights",
    parts.MONTH: "month months mth mths",
    parts.YEAR: "year years yr yrs",
}

#: Only written onto digits: 5h.
UNIT_SUFFIXES: dict[Unit, str] = {
    parts.HOUR: "h",
    parts.DAY: "d",
}

#: What next, this and last are said of.
PERIODS: dict[str, str] = {
    "quarter": "quarter",
    "week": "week",
    "month": "month",
    "year": "year",
    "weekend": "weekend",
}

#: ISO number to words.
WEEKDAYS: dict[int, str] = {
    1: "monday mondays",
    2: "tuesday tuesdays tuseday",
    3: "wednesday wednesdays wednsday wensday wedensday",
    4: "thursday thursdays thrusday",
    5: "friday fridays",
    6: "saturday saturdays",
    7: "sunday sundays",
}

#: Words of other senses: they need a time, a date or "on", "next" beside them.
WEEKDAYS_WEAK: dict[int, str] = {
    1: "mon",
    2: "tue tues",
    3: "wed weds",
    4: "thu thur thurs",
    5: "fri",
    6: "sat",
    7: "sun",
}

MONTHS: dict[int, str] = {
    1: "january",
    2: "february feburary",
    4: "april",
    6: "june",
    7: "july",
    8: "august",
    9: "september",
    10: "october",
    11: "november",
    12: "december",
}

#: Verbs and abbreviations: they need a number or a preposition beside them.
MONTHS_WEAK: dict[int, str] = {
    1: "jan",
    2: "feb",
    3: "march mar",
    4: "apr",
    5: "may",
    6: "jun",
    7: "jul",
    8: "aug",
    9: "sep sept",
    10: "oct",
    11: "nov",
    12: "dec",
}

PARTS: dict[Part, str] = {
    parts.MORNING: "morning mornings forenoon",
    parts.DAWN: "dawn",
    parts.AFTERNOON: "afternoon afternoons",
    parts.EVENING: "evening evenings eve",
    parts.NIGHT: "night nights",
    parts.TONIGHT: "tonight tonite",
}

#: Parts of day only beside a day, a time or "at", "this", "last".
PARTS_WEAK = "dawn eve night nights"

#: Clock times by themselves, minutes since midnight.
CLOCK_WORDS: dict[tuple[int, ...], str] = {
    (720,): "noon midday noontime",
    (0,): "midnight",
}

#: Days from today.
DAYS: dict[tuple[int, ...], str] = {
    (0,): "today tonight tonite",
    (1,): "tomorrow tomorow tommorow tommorrow tmrw tmr tmrow tomo",
    (-1,): "yesterday",
    (2,): "overmorrow",
}

MERIDIEMS: dict[str, str] = {
    "am": "am a.m a.m.",
    "pm": "pm p.m p.m.",
}

FUNCTIONS: dict[int, str] = {
    Function.OCLOCK: "o'clock oclock",
    Function.MERIDIEM_LETTER: "a p",
    Function.MERIDIEM_M: "m",
    Function.NEXT: "next coming following",
    Function.THIS: "this current",
    Function.LAST: "last previous past",
    Function.AGO: "ago back",
    Function.LATER: "hence later",
    Function.AFTER: "after",
    Function.BEFORE: "before",
    Function.YEAR_AHEAD: "year since",
    Function.GREETING: "good gud happy",
    Function.OPENS_CLAUSE: (
        "ish today tomorrow tonight sharp please on then if because and or but when only works"
        " fine okay ok thanks thank is will would i you we so sir madam maam instead everyday"
        " every each this next in for"
    ),
}
