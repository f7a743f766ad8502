"""Addresses, from the house to the last place or code, and postal codes."""

import re
from collections.abc import Iterator

from models.masking import link
from models.masking.code import code_at, letter_at
from models.masking.filler import skip
from models.masking.kind import Kind
from models.masking.line import Line
from models.masking.number import part_at
from models.masking.phrase import stem
from models.masking.run import is_counted, run_at
from models.values.spelling import key

RULES = {
    "address": """
    my address; address; address is; i live at; live at; live in; deliver to; ship it to
    ship to; i'm at; i m at; i m in; moved from; my address is
    delivery address; home address; billing address; national address
    पता; मेरा पता; घर का पता; एड्रेस; address hai; mera address; mera address hai; pata
    mera pata; ghar ka pata
    التوصيل علي; وصلوه علي; ابعتوه علي; وصلوها علي; ابعتوها علي; انا في
    عنواني; عنوان; عنوان البيت; عنواني الوطني; عنوان الوطني; ساكن في; ساكنه في; اسكن في
    شقتي; شقتنا; بيتنا; فيلتي; ساكنين في; سكني; بيتي; انا ساكن في
    """,
    "postal": """
    pin code; pincode; my pin code; postcode; post code; my postcode; zip; zip code
    postal code; पिन कोड; पिनकोड; الرمز البريدي; رمز بريدي; pin code hai
    """,
}
_HOUSES = frozenset(
    key(word)
    for word in """
    flat apt apartment villa building bldg house plot unit suite tower block door
    फ़्लैट फ्लैट मकान घर प्लॉट गली बिल्डिंग
    makaan makan gali plot kothi
    شقة شقه عمارة عماره فيلا بناية بنايه برج منزل بيت مبنى
    """.split()
)
_STREETS = frozenset(
    key(word)
    for word in """
    street st road rd avenue ave lane ln close court ct drive dr way crescent terrace
    boulevard blvd grove gardens mews square place residency
    apartment apartments society nagar colony marg enclave heights towers sector
    सड़क रोड मार्ग नगर अपार्टमेंट कॉलोनी सोसाइटी सेक्टर
    شارع ش طريق حارة ميدان
    """.split()
)
#: Have a number of their own and nothing that they could be counted with.
_FLATS = frozenset(key(word) for word in "apt apartment villa suite شقة شقه فيلا".split())
#: A number of its own follows, so that it may stand right behind the house.
_NUMBERED = frozenset(key(word) for word in "sector सेक्टर phase फेज block ब्लॉक".split())
_ADDRESS = frozenset(key(word) for word in "address पता एड्रेस pata عنوان عنواني العنوان".split())
_BEFORE_NUMBER = frozenset(stem(key(word)) for word in "شارع ش".split())
_NUMBER_WORDS = frozenset(stem(key(word)) for word in "number no num नंबर नम्बर رقم #".split())
#: End an address; what stands before them in the same breath still belongs to it.
_ENDS = frozenset(
    stem(key(word))
    for word in """
    before after by at not instead rather
    is are was and or but for please to from with on when how what where
    which can could do does did will would
    i we you they he she it my your our that this if so because need want have has
    है हैं था में पर को तक से हूँ हूं और या मैं क्या
    hai hain mein me pe par ko tak se hoon hu aur ya main bhej bhejna bhejo kya rehta rehti
    هو هي من مش بدل لو عايز عايزه ابغي كام بكام التوصيل انا عندي قبل بعد
    """.split()
) | frozenset({"في"})
_QUESTIONS = frozenset(
    stem(key(word))
    for word in """
    how what when where can do does will
    بكام كام كم هل ممكن متي امتي kab kya kitna क्या कब कितना
    """.split()
)
#: Before the name of a place where people live, as a street stands before its own.
_ESTATES = frozenset(
    key(word) for word in "كمبوند مجمع compound estate residence حارة tower برج".split()
)
#: Behind the number of a flat and their own name: "b 204 sunrise tower".
_BUILDINGS = frozenset(
    key(word) for word in "tower building complex टावर टॉवर बिल्डिंग कॉम्प्लेक्स برج".split()
)
#: A few of them are counted, not named: "2 big apartments".
_PLURALS = frozenset(key(word) for word in "apartment apartments towers".split())
#: Between a number and a street only where nothing but a count is meant.
_COUNTABLE = frozenset(
    stem(key(word))
    for word in """
    feet foot fit meter metre km kilometer kilometre minute hour wheel star bedroom more extra
    other parking किलोमीटर मीटर फीट फुट
    """.split()
)
_ORDINAL = frozenset("st nd rd th".split())
_MAIN = frozenset("street st road rd avenue ave bazaar bazar".split())
_WITHIN = frozenset(key(word) for word in "في in at me mein में".split())
#: Words between the phrase and the street: a district, a town.
_AFAR = 5
_MAX_WORDS = 6
_MAX_TOKENS = 40
_MAX_STREET = 4
_POSTCODE = re.compile(r"[a-z]{1,2}\d[a-z\d]?\d[a-z]{2}")
_PIN_DIGITS = (5, 6, 9)
_SHORT = re.compile(r"[a-z]{4}\d{4}")
_BOX = (("po", "box"), ("p", "o", "box"), ("صندوق", "بريد"), ("ص", "ب"))


def find(line: Line) -> Iterator[tuple[int, int]]:
    """Find addresses as tokens [start, end)."""
    index = 0
    while index < len(line.tokens):
        end = None if line.taken[index] else _address_end(line, index)
        if end is None:
            index += 1
        else:
            yield index, end
            index = end


def _address_end(line: Line, index: int) -> int | None:
    rules = {hit.rule for hit in link.before(line, index) if hit.kind is Kind.ADDRESS}
    if "postal" in rules:
        end = _postal(line, index)
        if end is not None:
            return end
    if line.starting.get(index):
        return None
    if _begins(line, index, named="address" in rules):
        return _end(line, index)
    if ("address" in rules or _is_named_afar(line, index)) and _has_house(line, index):
        return _end(line, index)
    return _loose_postcode(line, index)


def _is_named_afar(line: Line, index: int) -> bool:
    """Tell whether the phrase stands before a district or a town: "العنوان حي النرجس شارع …"."""
    for place in range(index - 1, max(-1, index - 2 - _AFAR), -1):
        if line.taken[place] or line.stops(place) or line.type(place) not in "wd":
            return False
        if any(
            hit.kind is Kind.ADDRESS and hit.rule == "address" for hit in line.ending.get(place, ())
        ):
            return True
        word = stem(line.word(place))
        if (_is_end(line, place) and word not in _WITHIN) or word in _QUESTIONS:
            return False
    return False


def _has_house(line: Line, index: int) -> bool:
    """Tell whether a street or building begins at a token, and a house with its number follows."""
    word = stem(line.word(index))
    if word not in _HOUSES and word not in _STREETS and word not in _ESTATES:
        return False
    for place in range(index, min(index + _MAX_WORDS, len(line.tokens))):
        if line.taken[place] or (place > index and line.stops(place - 1)):
            return False
        if stem(line.word(place)) in _HOUSES:
            number = place + 1
            while stem(line.word(number)) in _NUMBER_WORDS:
                number += 1
            end = _number(line, number)
            if end is not None:
                return not _counts(line, place, end, named=True)
        if _is_end(line, place):
            return False
    return False


def _postal(line: Line, index: int) -> int | None:
    code = code_at(line, index)
    if code is None:
        return None
    if code.text[:1].isalpha():
        return code.match(_POSTCODE)
    run = run_at(line, index)
    return run.end if run is not None and len(run.digits) in _PIN_DIGITS else None


def _loose_postcode(line: Line, index: int) -> int | None:
    """Read a British postcode in capital letters, which needs no word."""
    if line.type(index) != "w" or not line.is_upper(index):
        return None
    code = code_at(line, index)
    end = None if code is None else code.match(_POSTCODE)
    if end is None or not line.is_upper(end - 1) or line.gap(index):
        return None
    return end


def _begins(line: Line, index: int, *, named: bool) -> bool:
    """Tell whether a house begins at a token."""
    word = stem(line.word(index))
    if named and word in _STREETS and _goes_on(line, index + 1):
        return True
    for box in _BOX:
        if all(line.word(index + place) == part for place, part in enumerate(box)):
            return _number(line, index + len(box)) is not None
    if word in _HOUSES or (named and word in _STREETS):
        place = index + 1
        while stem(line.word(place)) in _NUMBER_WORDS:
            place += 1
        place = skip(line, place)
        end = _number(line, place)
        if end is None or _counts(line, index, end, named=named):
            return False
        whole = named and word not in _NUMBERED  # a sector alone is no address
        return whole or word in _FLATS or _goes_on(line, end)
    return _begins_plainly(line, index, named=named)


def _begins_plainly(line: Line, index: int, *, named: bool) -> bool:
    """Tell whether a house number with a street behind it begins at a token."""
    word = stem(line.word(index))
    end = _number(line, index)
    if end is None or (
        line.type(index) == "w"
        and part_at(line, index) is None
        and not named
        and line.type(index + 1) != "d"
    ):
        return False
    if named and line.type(index) == "w" and _SHORT.fullmatch(word + line.word(index + 1)):
        return True
    if not named and _is_count(line, index, end):
        return False
    return _has_street(line, end, index, named=named) or (
        named and _is_said_to_be(line, index, end)
    )


def _is_said_to_be(line: Line, start: int, end: int) -> bool:
    """Tell whether the word "address" itself announces a written house number and a name."""
    if line.type(start) != "d" or line.type(end) != "w" or not line.near(end - 1):
        return False
    if is_counted(line, end) or _is_end(line, end) or line.gap(end - 1) == "":
        return False
    return any(
        line.word(place) in _ADDRESS
        for hit in link.before(line, start)
        for place in range(hit.start, hit.end)
    )


def _goes_on(line: Line, end: int) -> bool:
    """Tell whether more of an address follows a house: a comma, a street, another number."""
    if re.search(r"[,،]", line.gap(end - 1)):
        return True
    for place in range(end, min(end + _MAX_WORDS, len(line.tokens))):
        if line.taken[place] or line.stops(place - 1):
            return False
        word = stem(line.word(place))
        if word in _HOUSES or word in _STREETS:
            return True
        if _is_end(line, place):
            return False
    return False


def _number(line: Line, index: int) -> int | None:
    """Read the number of a house: "14", "3B", "B-204", "twelve forty"."""
    if index >= len(line.tokens) or line.taken[index]:
        return None
    if line.type(index) == "w" and len(line.word(index)) == 1 and line.word(index).isascii():
        end = index + 1
        if line.type(end) == "d" and line.gap(index) in {"", "-", " "}:
            return end + 1
        return None
    if line.type(index) == "w" and line.type(index + 1) == "d":
        letter = letter_at(line, index) if "ऀ" <= line.word(index)[0] <= "ॿ" else None
        if letter is not None or line.gap(index) == "":
            return index + 2
    part = part_at(line, index)
    if part is None:
        return index + 1 if line.type(index) == "x" and "/" in line.word(index) else None
    end = part.end
    more = part_at(line, end) if line.near(end - 1) else None
    if more is not None and not part.written:
        end = more.end
    if line.type(end) == "w" and len(line.word(end)) == 1 and line.gap(end - 1) == "":
        end += 1
    return end


def _counts(line: Line, index: int, end: int, *, named: bool) -> bool:
    """Tell whether the number counts what follows: "villa 3 rooms"."""
    word = line.words[end] if end < len(line.words) and line.near(end - 1) else None
    if stem(line.word(end)) in _HOUSES:
        return False
    if is_counted(line, end) or line.word(end) in {"square", "sq", "गज", "گز"}:
        return True
    if word is not None and (word.counted or word.unit or word.currency or word.measure):
        return True
    if named or line.word(index) not in {"house", "block", "door", "unit", "घर", "بيت"}:
        return False
    return stem(line.word(index + 1)) not in _NUMBER_WORDS


def _has_street(line: Line, end: int, start: int, *, named: bool) -> bool:
    """Tell whether a street is named within a few words behind a house number."""
    place = end
    streets = _STREETS | _BUILDINGS if named else _STREETS
    for count in range(_MAX_STREET):
        word = stem(line.word(place))
        if place >= len(line.tokens) or line.type(place) != "w" or _is_no_name(line, place):
            return False
        if word in streets:
            if word in _NUMBERED and _number(line, place + 1) is not None:
                return True
            is_first = count == 0
            return not is_first or word in _BEFORE_NUMBER
        known = line.words[place]
        counted = known is not None and (known.counted or known.unit or known.currency)
        if counted and place == end:
            return False
        gap = line.gap(place)
        if gap.strip(" ,،") or ("," in gap and line.type(start) != "w"):
            return False
        place += 1
    return False


def _is_no_name(line: Line, index: int) -> bool:
    """Tell whether a word ends an address."""
    return stem(line.word(index)) in _ENDS and not _is_main(line, index)


def _is_main(line: Line, index: int) -> bool:
    """Tell whether "main" is no Hindi "I": "main street"."""
    return line.word(index) == "main" and line.word(index + 1) in _MAIN


def _is_count(line: Line, start: int, end: int) -> bool:
    """Tell whether what stands before a street is a count or an ordinal: "2 big apartments"."""
    if line.word(end) in _ORDINAL and line.gap(end - 1) == "":
        return True
    few = len(line.word(start)) == 1 or line.type(start) == "w"
    for place in range(end, min(end + _MAX_STREET, len(line.tokens))):
        word = stem(line.word(place))
        if word in _COUNTABLE or (few and word in _PLURALS and not _goes_on(line, place + 1)):
            return True
        if word in _STREETS:
            return False
    return False


def _end(line: Line, index: int) -> int:
    """Give the token after the last place of the address that begins at a token."""
    place = last = index
    while place < len(line.tokens) and place - index < _MAX_TOKENS:
        if line.taken[place] or (place > index and line.stops(place - 1)):
            break
        if place > index and re.search(r"[,،;:]", line.gap(place - 1)):
            if not _is_place(line, place):
                break
        elif place > index and _is_end(line, place):
            break
        place = max(place + 1, skip(line, place))
        last = place
    return last


def _is_end(line: Line, index: int) -> bool:
    """Tell whether a word is no part of an address any more."""
    if line.type(index) != "w" or _is_main(line, index):
        return False
    word = stem(line.word(index))
    if word in _HOUSES or word in _STREETS or word in _NUMBER_WORDS:
        return False
    if _is_no_name(line, index) or any(
        hit.kind is not Kind.ADDRESS for hit in line.starting.get(index, ())
    ):
        return True
    return line.word(index).startswith("و") and _is_end_word(line.word(index)[1:])


def _is_end_word(word: str) -> bool:
    return stem(word) in _ENDS


def _is_place(line: Line, index: int) -> bool:
    """Tell whether what follows a comma goes on with the address."""
    place = skip(line, index)
    if place >= len(line.tokens) or _is_end(line, place):
        return False
    if place != index:
        return True
    for place in range(index, index + _MAX_WORDS):
        if place >= len(line.tokens) or line.taken[place]:
            return True
        if stem(line.word(place)) in _QUESTIONS:
            return False
        if _is_end(line, place) or re.search(r"[,،;.?؟]", line.gap(place)):
            return True
    return False
