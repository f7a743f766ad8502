"""English number words."""

from models.values.word import Function

CARDINALS: dict[int, str] = {
    0: "zero nought naught",
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "eleven",
    12: "twelve",
    13: "thirteen",
    14: "fourteen",
    15: "fifteen",
    16: "sixteen",
    17: "seventeen",
    18: "eighteen",
    19: "nineteen",
    20: "twenty",
    30: "thirty",
    40: "forty fourty",
    50: "fifty",
    60: "sixty",
    70: "seventy",
    80: "eighty",
    90: "ninety",
}

#: A pronoun more often than a number.
CONTEXT = "one"

#: Digits only among digits.
SPOKEN_DIGITS: dict[int, str] = {
    0: "oh o nil",
}

MULTIPLIERS: dict[int, str] = {
    100: "hundred hundreds",
    1000: "thousand thousands",
    100_000: "lakh lakhs lac lacs lkh lkhs",
    1_000_000: "million millions mn",
    10_000_000: "crore crores cr crs krore krores koti",
    1_000_000_000: "billion billions bn",
    1_000_000_000_000: "trillion",
    12: "dozen dozens",
}

#: Only written onto digits: 10k.
SUFFIXES: dict[int, str] = {
    1000: "k",
}

#: "part" may be counted (three quarters), "half" may not.
FRACTIONS: dict[tuple[str, float], str] = {
    ("half", 0.5): "half",
    ("part", 0.25): "quarter quarters",
}

ORDINALS: dict[int, str] = {
    1: "first",
    2: "second",
    3: "third",
    4: "fourth",
    5: "fifth",
    6: "sixth",
    7: "seventh",
    8: "eighth",
    9: "ninth",
    10: "tenth",
    11: "eleventh",
    12: "twelfth",
    13: "thirteenth",
    14: "fourteenth",
    15: "fifteenth",
    16: "sixteenth",
    17: "seventeenth",
    18: "eighteenth",
    19: "nineteenth",
    20: "twentieth",
    30: "thirtieth",
    40: "fortieth",
    50: "fiftieth",
    60: "sixtieth",
    70: "seventieth",
    80: "eightieth",
    90: "ninetieth",
    100: "hundredth",
}

#: "at first", "a second": positions only beside an article or a noun that is ranked.
ORDINALS_WEAK = "first second"

#: How often they repeat the digit that follows.
REPEATS: dict[int, str] = {
    2: "double",
    3: "triple treble",
}

FUNCTIONS: dict[int, str] = {
    Function.A: "a an",
    Function.AND: "and",
    Function.OR: "or",
    Function.OF: "of",
    Function.THE: "the",
    Function.IN: "in",
    Function.ON: "on",
    Function.AT: "at",
    Function.FROM: "from",
    Function.TO: "to till til until through thru",
    Function.BETWEEN: "between",
    Function.PAST: "past",
    Function.POINT: "point",
    Function.MINUS: "minus negative",
    Function.REPEAT: "double triple treble",
    Function.FILLER: "more additional extra full whole working business straight upcoming",
    Function.DECADE: "s twenties thirties forties fifties sixties seventies eighties nineties",
    Function.PER: "per",
    Function.PERCENT: "percent percentage %",
    Function.REFERENCE: (
        "order otp pin pincode code id ticket reference booking account invoice pnr flight"
        " card phone mobile"
    ),
    Function.RANKED: (
        "floor option number one day week month year half semester instalment installment batch"
        " slot shift question page line round attempt choice row lane child interview"
    ),
    Function.NUMBER_SIGN: "number no. #",
    Function.GRADE: "class grade standard std",
    Function.AROUND: "around about by before after",
    Function.ORDINAL_END: "st nd rd th",
}
