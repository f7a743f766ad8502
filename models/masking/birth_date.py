"""Dates of birth: a date, or a day and month, that is said to be a birthday."""

from collections.abc import Iterator

from models.masking import link
from models.masking.filler import skip
from models.masking.kind import Kind
from models.masking.line import Line, Part
from models.masking.number import part_at
from models.masking.phrase import stem
from models.values.spelling import key
from models.values.word import Function, Word

RULES = {
    "birth": """
    date of birth; birth date; birthdate; dob; d o b; born; born on; born on the; birthday
    b day; bday; birthday is; my birth date
    जन्मतिथि; जन्म; जन्म तारीख; जन्म तिथि; जन्मदिन; पैदा; पैदा हुआ; जन्म की तारीख; डीओबी
    बर्थडे; डेट ऑफ बर्थ
    janam; janm; janamdin; janamtithi; janam tithi; janam tareekh; paida
    تاريخ ميلادي; تاريخ الميلاد; تاريخ ميلاد; ميلادي; مواليد; اتولدت; اتولد; ولدت; ولد
    مولود; مولوده; عيد ميلاد; عيد ميلادي; من مواليد; عيد ميلاد بنتي
    عيد ميلاد ابني; تاريخ ميلاده; تاريخ ميلادها
    """
}
_BRIDGES = frozenset(
    stem(key(word))
    for word in """
    is are was on in the of my our his her it's it s year day date
    है हुआ हुई था थी मेरी मेरा को में की का ki ka mein me hai hua hui tha likh lo likho
    يوم في هو هي سنه عام كان بتاعي بتاعتي بنتي ابني بتاع بنته ابنه
    """.split()
)
_BEHIND = frozenset("my is that s his her was the को हुआ था मैं ko hua hui tha thi को है".split())
#: Join the parts of a date.
_JOINS = frozenset(
    stem(key(word))
    for word in """
    of the on in mein me में
    من سنه عام شهر لسنه هـ ه and و saal साल सन san matlab मतलब
    """.split()
)
_HIJRI = frozenset(
    key(word)
    for word in """
    محرم صفر رجب شعبان رمضان شوال القعده الحجه ذو ذي ربيع الاول الاخر الثاني جمادي الاولي الاخره
    """.split()
)
_MARK = key("هـ")
_MONTHS_HI = frozenset(
    key(word)
    for word in "agast agust janvari farvari sitambar aktubar disambar navambar julai joon".split()
)
_SUFFIXES = frozenset("st nd rd th".split())
_REACH = 7
_MIN_PARTS = 2
_MAX_PARTS = 24


def find(line: Line) -> Iterator[tuple[int, int]]:
    """Find dates of birth as tokens [start, end)."""
    index = 0
    while index < len(line.tokens):
        end = None if line.taken[index] else _date_end(line, index)
        if end is None:
            index += 1
            continue
        if _is_birth(line, index, end):
            yield index, end
        index = end


def _is_birth(line: Line, start: int, end: int) -> bool:
    """Tell whether a birthday is named beside a date, and no other kind nearer."""
    for hit in link.before(line, start):
        if hit.kind is not Kind.NAME and hit.rule != "number":
            return hit.kind is Kind.BIRTH_DATE
    return _is_named_before(line, start) or _is_named_behind(line, end)


def _is_named_before(line: Line, start: int) -> bool:
    for place in range(start - 1, max(-1, start - 1 - _REACH), -1):
        if line.type(place) != "w" or line.stops(place):
            return False
        if any(hit.kind is Kind.BIRTH_DATE for hit in line.ending.get(place, ())):
            return True
        if stem(line.word(place)) not in _BRIDGES:
            return False
    return False


def _is_named_behind(line: Line, end: int) -> bool:
    for place in range(end, end + _REACH):
        if line.type(place) != "w" or line.stops(place - 1):
            return False
        if any(hit.kind is Kind.BIRTH_DATE for hit in line.starting.get(place, ())):
            return _date_end(line, place + 1) is None and _date_end(line, place + 2) is None
        if stem(line.word(place)) not in _BEHIND:
            return False
    return False


def _date_end(line: Line, index: int) -> int | None:
    """Give the token after the date that begins at a token; None where none does."""
    if line.type(index) == "x":
        return _said_again(line, index + 1)
    place, numbers, months, last = index, 0, 0, index
    for _ in range(_MAX_PARTS):
        end, is_month = _piece(line, place)
        if end is None:
            if place == index or stem(line.word(place)) not in _JOINS:
                break
            if line.word(place) in {_MARK, "ه"} and numbers and months:
                last = place + 1
            place = _onward(line, place + 1)
            continue
        numbers += not is_month
        months += is_month
        last = end
        place = _onward(line, end)
    complete = (
        (months and numbers)
        or numbers > _MIN_PARTS
        or (numbers == _MIN_PARTS and _is_full(line, index, last))
    )
    return _said_again(line, last) if complete else None


def _is_full(line: Line, start: int, end: int) -> bool:
    """Tell whether two said numbers hold a day and a month that a day word announces."""
    return line.type(end - 1) == "x" or (end - start > _MIN_PARTS + 1)


def _said_again(line: Line, end: int) -> int:
    after = skip(line, end)
    if after > end and line.type(after) == "x":
        return after + 1
    return end


def _onward(line: Line, index: int) -> int:
    gap = line.gap(index - 1)
    if gap.strip(" ,،-./"):
        return len(line.tokens)
    if "." in gap and line.stops(index - 1):
        return len(line.tokens)
    after = skip(line, index)
    return index if part_at(line, index) is not None else after


def _piece(line: Line, index: int) -> tuple[int | None, bool]:
    """Read a number, ordinal or month; whether it is a month."""
    if index >= len(line.tokens) or line.taken[index]:
        return None, False
    word = line.words[index]
    if _is_month(line, index, word):
        return index + 1, True
    if line.type(index) == "x":
        return index + 1, False
    if word is not None and not {word.ordinal, word.teen_head, word.hour} <= {None}:
        return _with_tens(line, index + 1), False
    part = part_at(line, index)
    if part is not None:
        return _with_ordinal(line, part), False
    large = word is not None and (word.multiplier or word.functions & Function.HUNDREDTHS)
    return (index + 1 if large else None), False


def _is_month(line: Line, index: int, word: Word | None) -> bool:
    text = line.word(index)
    if (word is not None and word.month is not None) or text in _MONTHS_HI:
        return True
    goes_on = line.type(index - 1) == "d" or line.word(index - 1) in _HIJRI
    return text in _HIJRI and index > 0 and goes_on


def _with_tens(line: Line, end: int) -> int:
    """Give the token after what goes on with an Arabic ordinal: الثالث والعشرين."""
    tens = line.words[end] if end < len(line.words) else None
    if tens is None or not (tens.number or tens.ordinal):
        return end
    return end + 1 if tens.joined or tens.ordinal is not None else end


def _with_ordinal(line: Line, part: Part) -> int:
    """Give the token after the ending of an ordinal: 14th, twenty second."""
    end = part.end
    if line.word(end) in _SUFFIXES and line.gap(end - 1) == "":
        end += 1
    word = line.words[end] if end < len(line.words) else None
    if part.digits in {"20", "30"} and word is not None and word.ordinal in range(1, 10):
        end += 1
    return end
