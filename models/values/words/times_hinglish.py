"""Hindi words of time in Latin letters, as patterns of `models.values.spelling`."""

from models.values.word import Function, Unit
from models.values.words import time_parts as parts
from models.values.words.time_parts import Part

UNITS: dict[Unit, str] = {
    parts.SECOND: "sek(e|a|)nd",
    parts.MINUTE: "min(i|a)t minto minuto",
    parts.HOUR: "gh(a|aa)nt(e|a|o|on|aa|ey) ghant",
    parts.DAY: "din(|o|on)",
    parts.WEEK: "h(a|af)(f|ff|ph)t(e|a|o|on|ey|aa) hafte hafta saptah",
    parts.MONTH: "mah(i|ee)n(e|a|o|on|ey|aa) mhin(a|e) maheen(e|a)",
    parts.YEAR: "s(aa|a)l(|o|on) varsh",
}

#: What next, this and last are said of.
PERIODS: dict[str, str] = {
    "week": "h(a|af)(f|ff|ph)t(e|a|ey|aa) saptah",
    "month": "mah(i|ee)n(e|a|ey|aa) mhin(a|e)",
    "year": "saal sal",
}

#: ISO number to words.
WEEKDAYS: dict[int, str] = {
    1: "som(v|w)(aa|a)r",
    2: "mangal(v|w)(aa|a)r",
    3: "bud(h|)(v|w)(aa|a)r budhhvar",
    4: "gur(u|oo)(v|w)(aa|a)r brihaspati(v|w)(aa|a)r veer(v|w)(aa|a)r",
    5: "shuk(ra|r)(v|w)(aa|a)r shukkr(a|)(v|w)ar",
    6: "shan(i|ee)(v|w)(aa|a)r shanichar",
    7: "rav(i|ee)(v|w)(aa|a)r it(v|w)(aa|a)r",
}

MONTHS: dict[int, str] = {
    1: "jan(v|w)ar(i|y|ee)",
    2: "far(v|w)ar(i|y|ee) febr(v|w)ar(i|y)",
    4: "aprail aprel",
    6: "joon",
    7: "jula(i|y|ee)",
    8: "agast",
    9: "sitambar sitamber",
    10: "aktubar oktober aktoobar",
    11: "navambar navamber",
    12: "disambar disamber",
}

PARTS: dict[Part, str] = {
    parts.MORNING: "sub(|a)h(|a|e) subah(a|) sawere savere saver(a|e)",
    parts.DAWN: "tadke",
    parts.MIDDAY: "dop(a|e)h(a|e)r(|i|e) dupahar duph(a|e)r dopher dopahar",
    parts.DUSK: "sh(a|aa)m sandhya",
    parts.NIGHT: "r(aa|a)t rat(ko) raatko",
}

#: English words too: parts of day only beside a day or a time.
PARTS_WEAK = "rat sham"

#: Days from today; yesterday and tomorrow are one word in Hindi.
DAYS: dict[tuple[int, ...], str] = {
    (0,): "(a|aa)(j|z) aaaj",
    (-1, 1): "kal kl",
    (-2, 2): "parso(|n) parsoo(|n)",
    (-3, 3): "(n|t)arso(|n)",
}

FUNCTIONS: dict[int, str] = {
    Function.BAJE: "b(a|aa)j(e|he|ey|ay|) bje bajkar bajke",
    Function.DATE_BEHIND: "t(a|aa)r(i|ee)(k|kh)",
    Function.NEXT: "agl(a|e|i|ey|ee) agle",
    Function.THIS_HINDI: "is",
    Function.LAST: "pi(ch|chh)l(a|e|i|ey|ee)",
    Function.GREETING: "shubh",
    Function.AGO: "p(e|a)hl(e|ey) phle",
    Function.LATER: "b(aa|a)(d|dh)",
    Function.OPENS_CLAUSE: "ko tak ke k par pe se",
}

#: Words of these tables that are English words too: they prove no text to be Hindi.
ENGLISH_TOO = "beech bich is k option par pe rat sal se sham va van vi vin wa we win ya"
