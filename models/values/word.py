"""What the reader knows of one word."""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

#: (months, seconds) of a duration.
Unit = tuple[int, int]
#: Codes that may be meant, part of the unit.
Currency = tuple[tuple[str | None, ...], float]
#: Dimension, base units.
Measure = tuple[str, float]


class Tongue(StrEnum):
    """The language whose number grammar a word follows."""

    DIGITS = "digits"
    ENGLISH = "en"
    HINDI = "hi"
    HINGLISH = "hinglish"
    ARABIC = "ar"


class Weak(IntEnum):
    """How far a word is from being a number by itself."""

    #: A number wherever it stands.
    NO = 0
    #: A number beside a unit, a time word, a currency or another number ("one", "एक", "واحد").
    CONTEXT = 1
    #: As above, and only among other romanised Hindi words: it spells an English word.
    COLLIDES = 2


class Function:
    """
    Bits for words that carry no value but join or shape values.

    Plain integers: the reader tests them many times a word, and enum members are slow to combine.
    """

    A = 1 << 0
    AND = 1 << 1
    OR = 1 << 2
    OF = 1 << 3
    THE = 1 << 4
    IN = 1 << 5
    ON = 1 << 6
    AT = 1 << 7
    AROUND = 1 << 8  # around, by, before, after: a lone hour may follow
    FROM = 1 << 9
    TO = 1 << 10  # to, se, إلى: between the ends of a range
    BETWEEN = 1 << 11
    PAST = 1 << 12
    LESS = 1 << 13  # إلا: a quarter less
    POINT = 1 << 14
    MINUS = 1 << 15
    REPEAT = 1 << 16  # double, triple
    OCLOCK = 1 << 17  # after the hour
    BAJE = 1 << 18  # after the hour, Hindi
    HOUR_AHEAD = 1 << 19  # before the hour
    DAY_AHEAD = 1 << 20  # before a day of the month or a weekday
    MONTH_AHEAD = 1 << 21  # before the number of a month
    YEAR_AHEAD = 1 << 22  # before a year
    DATE_BEHIND = 1 << 23  # after the day of the month
    PERCENT = 1 << 24
    HUNDREDTHS = 1 << 25  # the second word of في المية
    MERIDIEM_LETTER = 1 << 26  # first letter of "p m"
    MERIDIEM_M = 1 << 27  # second letter of "a m"
    FILLER = 1 << 28  # two more minutes
    NEXT = 1 << 29
    THIS = 1 << 30
    LAST = 1 << 31
    AFTER = 1 << 32  # day after tomorrow, بعد بكرة
    BEFORE = 1 << 33  # day before yesterday, أول امبارح
    GRADE = 1 << 34  # class 10, tenth grade
    GREETING = 1 << 35  # good morning is no time
    GREETED = 1 << 36  # صباح الخير is no time
    REFERENCE = 1 << 37  # order, otp, pin: what follows is an identifier
    OPENS_CLAUSE = 1 << 38  # what may follow a lone hour
    WHICH = 1 << 39  # اللي فات, the one past
    CURRENT = 1 << 40  # الحالي, دي: this one, behind its noun
    THIS_HINDI = 1 << 41  # "is hafte": in English a verb
    ORDINAL_END = 1 << 42  # st, nd, वीं: written onto digits
    STEM = 1 << 43  # verb stems: "kar do" is "do it", not two
    WHOLE = 1 << 44  # طوال اليوم, كل: all day, no day of its own
    MIDDLE = 1 << 45  # منتصف الليل
    RANKED = 1 << 46  # floor, option: "first" before it is a position
    AGO = 1 << 47  # 3 days ago
    LATER = 1 << 48  # 3 days later
    SINCE = 1 << 49  # منذ before a length: ago
    WEEK_END = 1 << 50  # نهاية الأسبوع
    DECADE = 1 << 51  # the seventies: no number
    PER = 1 << 52  # per cent
    NUMBER_SIGN = 1 << 53  # "number", رقم: between a reference and its number


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """The senses of one word; None where it has no such sense."""

    #: Could begin a value: the scanner stops here.
    opens: bool = False
    #: A number before it counts it: a unit, a currency, a thing, percent.
    counts: bool = False
    #: Could continue a number that stands before it.
    continues: bool = False
    #: Cardinal values; more than one where spellings collide ("sath": 60 or 7).
    number: tuple[float, ...] | None = None
    #: Whose number grammar.
    tongue: Tongue = Tongue.DIGITS
    #: How sure the cardinal sense is.
    weak: Weak = Weak.NO
    #: 100, 1000, lakh …
    multiplier: int | None = None
    #: A multiplier only when written onto digits: 10k.
    suffix: int | None = None
    #: A digit only among digits: "oh".
    spoken_digit: int | None = None
    #: Arabic: a unit in the singular; "تلت ساعة" is a third of one, "تلت ساعات" three.
    singular: bool = False
    #: How often the next digit is said: "double".
    repeat: int | None = None
    #: Arabic: second word of a teen (عشر).
    teen: bool = False
    #: Arabic: first word of eleven and twelve, 1 or 2.
    teen_head: int | None = None
    #: A fraction that shapes the next number or unit: see `Fraction`.
    fraction: tuple[str, float] | None = None
    #: The fraction is a half, a quarter, a third: a part of what follows.
    is_part: bool = False
    #: Position.
    ordinal: int | None = None
    #: The ordinal sense needs a noun or article beside it.
    ordinal_weak: bool = False
    #: The feminine ordinal that tells hours in Arabic ("الثالثة").
    hour: int | None = None
    #: The same before عشرة: the eleventh and twelfth.
    hour_head: int | None = None
    #: Duration unit.
    unit: Unit | None = None
    #: Duration unit only when written onto digits: 5h.
    unit_suffix: Unit | None = None
    #: The word by itself is this many of its unit (dual: "ساعتين").
    many: int | None = None
    #: Measure unit.
    measure: Measure | None = None
    #: Counted thing.
    counted: str | None = None
    #: Currency.
    currency: Currency | None = None
    #: An adjective that narrows a currency to these codes ("Saudi").
    country: tuple[str, ...] | None = None
    #: ISO weekday.
    weekday: int | None = None
    #: The weekday sense needs context ("sun", "التلات").
    weekday_weak: bool = False
    #: Month number.
    month: int | None = None
    #: The month sense needs a number or preposition beside it ("may", "mar").
    month_weak: bool = False
    #: The months that "الأول" and "الثاني" make of this word (كانون).
    month_pair: tuple[int, int] | None = None
    #: Parts of day.
    part: tuple[str, ...] | None = None
    #: The part of day sense needs a time or day beside it ("الضهر").
    part_weak: bool = False
    #: Hours in which this part of day may lie, [from, to) modulo 24.
    hours: tuple[int, int] | None = None
    #: A clock time by itself ("noon"), minutes.
    clock_word: tuple[int, ...] | None = None
    #: Relative day offsets.
    days: tuple[int, ...] | None = None
    #: A period unit ("week") after next, this, last.
    period: str | None = None
    #: The word says next, this or last by itself.
    direction: int | None = None
    #: Grammar roles.
    functions: int = 0
    #: "am" or "pm".
    meridiem: str | None = None
    #: Arabic: و written onto the word.
    joined: bool = False
    #: Arabic: ال written onto the word.
    article: bool = False
    #: Arabic: ب or ل written onto the word.
    preposition: str | None = None
    #: Proof that the text is romanised Hindi.
    hinglish: bool = False
    #: As written, of a token of plain digits.
    digits: str | None = None
    #: (hour, minute) of a token such as 5:30.
    clock: tuple[int, int] | None = None
    #: Dates of a token such as 4/5/2026.
    dates: tuple[Hashable, ...] | None = None
    #: Both numbers of a token such as 22/04.
    pair: tuple[int, int] | None = None
