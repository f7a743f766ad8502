"""Parts of the day and duration units that the tables of all languages share."""

from typing import NamedTuple

from models.values.word import Unit

SECOND: Unit = (0, 1)
MINUTE: Unit = (0, 60)
HOUR: Unit = (0, 3600)
DAY: Unit = (0, 86_400)
WEEK: Unit = (0, 7 * 86_400)
FORTNIGHT: Unit = (0, 14 * 86_400)
MONTH: Unit = (1, 0)
YEAR: Unit = (12, 0)


class Part(NamedTuple):
    """What a word for a part of the day may mean."""

    #: Parts that it may name; words that share one do not contradict each other.
    parts: tuple[str, ...]
    #: Hours in which "eight" beside it lies, [from, to); past 24 is after midnight.
    hours: tuple[int, int]


DAWN = Part(("dawn",), (2, 8))
MORNING = Part(("dawn", "morning"), (0, 12))
#: Forenoon and "a.m. side" of the day.
NOON = Part(("noon",), (11, 15))
#: दोपहर, الظهر: noon and after.
MIDDAY = Part(("noon", "afternoon"), (11, 18))
AFTERNOON = Part(("noon", "afternoon"), (12, 19))
#: العصر, शाम lie between afternoon and evening.
LATE_AFTERNOON = Part(("afternoon", "evening"), (14, 20))
EVENING = Part(("evening",), (13, 24))
#: शाम: never the night.
DUSK = Part(("evening",), (14, 23))
#: Night, रात, بالليل.
NIGHT = Part(("night",), (18, 29))
#: بالليل: from the evening on.
AFTER_DARK = Part(("evening", "night"), (18, 29))
#: Tonight, الليلة: as early as the evening.
TONIGHT = Part(("evening", "night"), (17, 25))
#: مساءً: everything after noon.
PM = Part(("afternoon", "evening", "night"), (12, 24))
