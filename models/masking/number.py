"""
Digits as written or said: "९", "nine", "double four", "forty eight", "تلاتة وعشرين", "خمس
خمسات".

The words are those of the reader of values
only the grammar is another, since a number that is read
out digit by digit joins what a count would not.
"""

from models.masking.line import Line, Part
from models.values.spelling import key
from models.values.word import Function, Tongue, Weak, Word

#: Five fives: the plural of a digit, after how often it is said.
_PLURALS = {
    key(word): digit
    for digit, words in enumerate(
        "أصفار;واحدات;اتنينات;تلاتات;أربعات;خمسات;ستات;سبعات;تمانيات;تسعات".split(";")
    )
    for word in [words]
} | {
    word + "s": digit
    for digit, word in enumerate("zero one two three four five sixe seven eight nine".split())
}
#: Spellings that only occur among digits.
_EXTRA = {
    key(word): digits
    for word, digits in {
        **dict.fromkeys("تمنيه تمنية تمانيه".split(), "8"),
        **dict.fromkeys("زيروو جيرو".split(), "0"),
        **dict.fromkeys("zeero jeero ziro".split(), "0"),
        "ओह": "0",
        "zeros": "0",
    }.items()
}
#: English digits as Arabic callers say them, which are no other word.
_BORROWED = {
    key(word): str(digit)
    for digit, words in enumerate(";;;ثري تري;;فايف فاييف;سيكس سكس;سفن سيفن;ايت;ناين".split(";"))
    for word in words.split()
}
#: … and those that are: digits only beside another one.
_BORROWED_BESIDE = {key(word): digit for word, digit in {"وان": "1", "تو": "2", "فور": "4"}.items()}
_BORROWED_FROM = {*_BORROWED, *_BORROWED_BESIDE, key("زيرو")}
#: Behind a digit that is said once for two: "خمسة مرتين".
_TWICE = frozenset(key(word) for word in "twice مرتين".split())
_REPEATS = {"डबल": 2, "ट्रिपल": 3, "دوبل": 2, "دابل": 2, "تربل": 3, "تريپل": 3}
_EXTRA_REPEATS = {key(word): times for word, times in _REPEATS.items()}

#: Words in which another Hindi number makes "do" one.
_NEARBY = 12
_TEN = 10
_TENS = range(20, 100, 10)
_HUNDRED = 100
_THOUSAND = 1000
#: Years are the only thousands among digits ("two thousand one" in an Emirates id).
_MAX_YEAR = 2099


def part_at(line: Line, index: int) -> Part | None:
    """Read the digits that begin at a token; None where none do."""
    if index >= len(line.tokens):
        return None
    if index not in line.parts:
        line.parts[index] = _part_at(line, index)
    return line.parts[index]


def _part_at(line: Line, index: int) -> Part | None:
    token, word = line.tokens[index], line.words[index]
    if token.type == "d":
        return Part(index, index + 1, token.text, written=True)
    times = _EXTRA_REPEATS.get(token.text) or (word.repeat if word is not None else None)
    if times is not None:
        return _repeated(line, index, times)
    if word is not None and word.multiplier is not None and word.many is not None:
        return Part(index, index + 1, "", is_sum=True)
    plural = _plural(line, index)
    if plural is not None:
        return plural
    twice = _digit(line, index) if line.word(index + 1) in _TWICE else None
    if twice is not None and line.near(index) and _is_read_out(line, index):
        return Part(index, index + 2, twice * 2)
    digits = _EXTRA.get(token.text) or _borrowed(line, index)
    if digits is None and word is not None and word.spoken_digit is not None:
        digits = str(word.spoken_digit)
    return _composed(line, index) if digits is None else Part(index, index + 1, digits)


def _borrowed(line: Line, index: int) -> str | None:
    """Read an English digit in Arabic letters: "ناين سفن"."""
    text = line.word(index)
    if text not in _BORROWED_BESIDE:
        return _BORROWED.get(text)
    beside = {line.word(index - 1), line.word(index + 1)}
    return None if beside.isdisjoint(_BORROWED_FROM) else _BORROWED_BESIDE[text]


def _is_read_out(line: Line, index: int) -> bool:
    """Tell whether a digit stands right before or behind "five twice"."""
    return (line.near(index - 1) and _says_digits(line, index - 1)) or (
        line.near(index + 1) and _says_digits(line, index + 2)
    )


def _plural(line: Line, index: int) -> Part | None:
    """Read "five fives"."""
    digit = _PLURALS.get(line.word(index + 1))
    times = None if digit is None or not line.near(index) else _digit(line, index)
    return Part(index, index + 2, str(digit) * int(times)) if times not in {None, "0"} else None


def value_at(line: Line, index: int) -> int | None:
    """Give the cardinal value of one word; None where it has none."""
    word = line.words[index] if 0 <= index < len(line.words) else None
    if word is None or word.number is None or word.number[-1] % 1:
        return None
    if word.weak is Weak.COLLIDES and not (line.hinglish or _among_digits(line, index)):
        return None
    return int(word.number[-1])


def _among_digits(line: Line, index: int) -> bool:
    """Tell whether digits around a word that is English too make it a number: "saat zero"."""
    if line.near(index) and _says_digits(line, index + 1):
        return True
    if not (line.near(index - 1) and _says_digits(line, index - 1)):
        return False
    closes = line.gap(index) == "\n" or bool(line.gap(index).strip())
    return closes or any(
        _is_romanised(word) for word in line.words[max(0, index - _NEARBY) : index]
    )


def _is_romanised(word: Word | None) -> bool:
    return word is not None and word.number is not None and word.tongue is Tongue.HINGLISH


def _says_digits(line: Line, index: int) -> bool:
    word = line.words[index] if 0 <= index < len(line.words) else None
    if word is None:
        return line.type(index) == "d"
    return word.number is not None or word.repeat is not None or word.spoken_digit is not None


def _digit(line: Line, index: int) -> str | None:
    """Give the one digit that a token says."""
    text = line.word(index)
    if text in _EXTRA:
        return _EXTRA[text]
    borrowed = _borrowed(line, index)
    if borrowed is not None:
        return borrowed
    if line.type(index) == "d" and len(text) == 1:
        return text
    value = value_at(line, index)
    if value is not None and value < _TEN:
        return str(value)
    word = line.words[index] if 0 <= index < len(line.words) else None
    return None if word is None or word.spoken_digit is None else str(word.spoken_digit)


def _repeated(line: Line, index: int, times: int) -> Part | None:
    if not line.near(index):
        return None
    digit = _digit(line, index + 1)
    return None if digit is None else Part(index, index + 2, digit * times)


def _multiplier(line: Line, index: int) -> int | None:
    """Give what the word after a token multiplies it with."""
    word = line.words[index + 1] if index + 1 < len(line.words) else None
    if word is None or word.multiplier is None or word.number is not None or not line.near(index):
        return None
    if word.weak is Weak.COLLIDES and not line.hinglish:
        return None
    return None if word.many is not None else word.multiplier


def _composed(line: Line, index: int) -> Part | None:
    value = value_at(line, index)
    if value is None:
        return None
    word = line.words[index]
    end = index + 1
    if value in _TENS and word is not None and word.tongue is Tongue.ENGLISH:
        unit = value_at(line, end)
        following = line.words[end] if end < len(line.words) else None
        english = following is not None and following.tongue is Tongue.ENGLISH
        if unit in range(1, _TEN) and english and line.gap(index) in {" ", "-"}:
            value, end = value + (unit or 0), end + 1
    value, end = _with_tens(line, value, end)
    return _multiplied(line, index, end, value)


def _with_tens(line: Line, value: int, end: int) -> tuple[int, int]:
    """Join Arabic units to the tens behind them: تلاتة وعشرين."""
    if value not in range(1, _TEN) or not line.near(end - 1):
        return value, end
    place = end + 1 if line.word(end) == "و" else end
    word = line.words[place] if place < len(line.words) else None
    tens = value_at(line, place)
    joined = word is not None and (word.joined or place > end)
    if tens in _TENS and joined and word is not None and word.tongue is Tongue.ARABIC:
        return value + (tens or 0), place + 1
    return value, end


def _multiplied(line: Line, start: int, end: int, value: int) -> Part:
    times = _multiplier(line, end - 1)
    if times is None:
        return Part(start, end, str(value))
    total, end = value * times, end + 1
    rest, after = _rest(line, end, times)
    if times == _HUNDRED or total + rest <= _MAX_YEAR:
        is_sum = _multiplier(line, after - 1) is not None
        return Part(start, after, str(total + rest), is_sum=is_sum)
    return Part(start, end, "", is_sum=True)


def _rest(line: Line, end: int, times: int) -> tuple[int, int]:
    """
    Read what is added to hundreds or thousands.

    "Nine hundred one two" goes on digit by digit: a lone unit needs an "and", or is Hindi.
    """
    if not line.near(end - 1):
        return 0, end
    word = line.words[end] if end < len(line.words) else None
    has_and = word is not None and word.number is None and bool(word.functions & Function.AND)
    place = end + 1 if has_and else end
    rest = value_at(line, place)
    following = line.words[place] if place < len(line.words) else None
    if rest is None or following is None or not 0 < rest < _HUNDRED:
        return 0, end
    if rest < _TEN and times == _HUNDRED and not has_and and not _is_hindi(following):
        return 0, end
    part = _composed(line, place)
    if part is None or part.is_sum or not part.digits or int(part.digits) >= times:
        return 0, end
    return int(part.digits), part.end


def _is_hindi(word: Word) -> bool:
    return word.tongue in {Tongue.HINDI, Tongue.HINGLISH}
