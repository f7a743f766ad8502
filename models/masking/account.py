"""Numbers at a company: accounts, orders, memberships, tickets, bookings, parcels, meters."""

import re
from collections.abc import Iterator

from models.masking import link
from models.masking.code import code_at, letter_at, written_end
from models.masking.filler import skip
from models.masking.line import Line
from models.masking.number import part_at
from models.masking.run import Run, is_counted, run_at

#: `sure` phrases say that a number follows; behind the others it may be a count.
RULES = {
    "sure": """
    account number; account no; acc number; acc no; waybill; waybill number; sr no
    frequent flyer; frequent flyer number; txn id; transaction id
    transaction number; utr; utr number; a c number; a c no; bank account
    account id; consumer id; subscriber id; employee number; roll number; registration id
    acct number; sort code; routing number; order number; order no; order id
    order; orders number
    membership number; membership no; member number; member id; policy number; policy no
    ticket number; ticket id; ticket no
    complaint reference; complaint no; complaint number; complaint id; reference number
    reference no; booking reference; booking number
    booking id; booking ref; pnr; pnr number; tracking number; tracking id; awb; awb number
    parcel number; customer id; customer number; mrn
    file number; patient file; patient id; loyalty card number; loyalty card; loyalty number
    invoice number; invoice no; case number; case id
    upi; upi id; meter number; consumer number; service request; sr number
    application number; confirmation number; serial number
    user id; client id; subscription number; contract number; student id; employee id
    receipt number; receipt no; consignment number; connection number; sim number; sim card number
    bill number; bill no; registration number is; licence number; license number
    loan number; loan no; loan account; loan account number; लोन नंबर; लोन अकाउंट; رقم القرض
    dl number; dl no; driving license; driving licence; driving license number; voter id
    gst number; gst no; ड्राइविंग लाइसेंस; डीएल नंबर; वोटर आईडी; رخصه القياده; رقم رخصه القياده
    रसीद नंबर; कनेक्शन नंबर; बिल नंबर; लाइसेंस नंबर; rasid number; rasid no
    رقم الايصال; رقم المشترك; رقم الشريحه; رقم الرخصه; رقم الكشف; رقم الطلبيه; رقم الوصل
    reservation number; docket number; claim number; claim no
    अकाउंट नंबर; एकाउंट नंबर; बैंक अकाउंट; कस्टमर आईडी; कस्टमर नंबर; ट्रैकिंग नंबर
    ट्रैकिंग आईडी; फाइल नंबर; फ़ाइल नंबर; रेफरेंस नंबर; रेफ़रेंस नंबर; मेंबरशिप नंबर
    मेम्बरशिप नंबर; कंज्यूमर नंबर; सर्विस रिक्वेस्ट; ट्रांजैक्शन आईडी; इनवॉइस नंबर
    क्लेम नंबर; केस नंबर; यूपीआई आईडी; उपभोक्ता संख्या; उपभोक्ता क्रमांक; डॉकेट नंबर
    खाता नंबर; खाता संख्या; ऑर्डर नंबर; ऑर्डर आईडी; पॉलिसी नंबर; शिकायत क्रमांक; शिकायत नंबर
    शिकायत संख्या; सदस्यता नंबर; सदस्यता संख्या; टिकट आईडी
    टिकट नंबर; पीएनआर; ग्राहक आईडी; ग्राहक संख्या; बुकिंग आईडी; बुकिंग नंबर; मीटर नंबर
    khata number; khata no; order id hai; complaint id; shikayat number; sadasyata number
    grahak id; customer id hai
    رقم حساب; رقم الحساب; رقم حسابي; حسابي رقم; رقم الاوردر; رقم اوردر; رقم الطلب; رقم طلبي
    رقم العضويه; رقم عضويتي; رقم البوليصه; رقم بوليصتي
    وثيقه التامين رقم; رقم الوثيقه; رقم الشكوي; رقم البلاغ; رقم الحجز; رقم حجزي; رقم الشحنه
    رقم العداد; رقم التتبع; رقم العميل
    رقم الفاتوره; رقم التذكره; رقم المرجع; الرقم المرجعي; رقم الملف; رقم المعامله
    رقم الاشتراك; رقم العقد
    """,
    "thing": """
    account; acct; ref; my id; membership; member; policy; ticket; complaint; booking
    booking reference
    customer; invoice; reference; tracking; parcel; shipment
    my order; case; receipt; reservation; meter; docket; claim; order hai
    खाता; खाते; ऑर्डर; आर्डर; पॉलिसी; शिकायत; सदस्यता; टिकट; बुकिंग; मीटर
    khata; khaata; shikayat; sadasyata
    حساب; حسابي; اوردر; الاوردر; طلب; طلبي; عضويه; عضويتي; بوليصه; بوليصتي; وثيقه; شكوي
    شكوتي; بلاغ; حجز; حجزي; شحنه; شحنتي; فاتوره; تذكره
    عداد; وثيقه التامين; اوردري
    """,
}
#: Between an account and the sum that is in it.
HOLDS = frozenset("in has have mein me par with में पर".split())
#: In capitals, these number something of somebody's: "ORD 55 10 28".
_NUMBERS = frozenset("ord inv tkt cust acct bkg ref cmp inc req sn".split())
_MIN_DIGITS = 4
_MIN_SURE = 3
#: Letters, and digits, of a code that is said one by one.
_MIN_MIXED = 2
_MAX_WRITTEN = 26
_MAX_SAID = 34
_SIXTEEN = 16
_MIN_UNNAMED = 9
_YEAR = re.compile(r"(?:19|20)\d\d")
_CODE = re.compile(r"[a-z0-9]+(?:[-/_.][a-z0-9]+)*")
_SPELT = re.compile(r"[a-z]{1,4}\d{4,14}")
_PREFIX = 4
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xz]{2,4}")
#: Consonants that are no letters before a number.
_ABBREVIATED = frozenset(
    "mr mrs ms dr st nd rd th tv pc hd km kg gb mb hr hrs pls plz kb tb".split()
)
#: Models, flights and plans have fewer digits.
_MIN_CODE = 6
#: … unless nothing but letters stands before five.
_PLAIN = re.compile(r"[a-z]{1,4}-?\d{5,}")
#: Between the blocks of one code.
_JOINS = frozenset(("", " ", "-", "/"))
_UNNAMED = re.compile(r"(?=.*\d{4})[a-z]{0,4}[a-z0-9]*(?:[-/][a-z0-9]+)*")


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits that a phrase names may be such a number, or its last ones."""
    count = len(run.digits)
    if is_counted(run.line, run.end):
        return False
    if rule == "thing" and not ending:
        if run.line.word(run.start - 1) in HOLDS:
            return False
        is_year = run.is_written and len(run.parts) == 1 and _YEAR.fullmatch(run.digits)
        if is_year or count < _MIN_DIGITS:
            return False
    if _is_year_said(run) and rule == "thing":
        return False
    return _MIN_SURE <= count <= (_MAX_WRITTEN if run.is_written else _MAX_SAID)


def looks(run: Run) -> bool:
    """Tell whether digits without a name are somebody's number: too many for a count or a date."""
    return run.is_written and len(run.digits) >= _MIN_UNNAMED


def codes(line: Line, index: int, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Find an announced number with letters, dashes or slashes that begins at a token."""
    if line.type(index) not in "wdx":
        return
    end = written_end(line, index)
    if not rules & {"sure", "thing"}:
        if end > index + 1 and _is_unnamed(line, index, end):
            yield index, end
        elif line.word(index) in _NUMBERS and line.is_upper(index):
            yield from _spaced(line, index)
        return
    text = line.text[line.tokens[index].start : line.tokens[end - 1].end]
    mixed = any(line.type(place) in "wx" for place in range(index, end)) or "/" in text
    whole = _blocks_end(line, end)
    if mixed and end > index + 1:
        has_more = whole > end and _digits(line, index, whole) >= _MIN_DIGITS
        capitals = any(line.is_upper(place) for place in range(index, end))
        if _is_code(line, text, index, end) or (has_more and capitals):
            yield index, whole
            return
    for start, last in _spaced(line, index):
        yield start, _blocks_end(line, last)
        return
    yield from _said_singly(line, index)


def _digits(line: Line, start: int, end: int) -> int:
    """Count the digits that are written at tokens [start, end)."""
    text = line.text[line.tokens[start].start : line.tokens[end - 1].end]
    return sum(letter.isdecimal() for letter in text)


def _blocks_end(line: Line, end: int) -> int:
    """Give the token after the blocks of digits and capitals that go on with a code: "NH7 42 A"."""
    while end < len(line.tokens) and not line.taken[end] and line.gap(end - 1) in _JOINS:
        if line.type(end) == "d":
            if is_counted(line, end + 1):
                break
        elif not _is_block(line, end):
            break
        end += 1
    return end


def _is_block(line: Line, index: int) -> bool:
    word = line.word(index)
    return (
        line.type(index) == "w"
        and len(word) < _PREFIX
        and word.isascii()
        and word != "i"
        and line.is_upper(index)
    )


def _said_singly(line: Line, index: int) -> Iterator[tuple[int, int]]:
    """Find letters and digits said one by one in any order: "K, R, seven, two, P"."""
    code = code_at(line, index)
    letters = digits = 0
    end = index
    for piece in code.pieces if code is not None else ():
        if len(piece.text) > 1 and piece.text.isalpha():
            break
        letters += piece.text.isalpha()
        digits += len(piece.text) if piece.text.isdecimal() else 0
        end = piece.end
    while end > index and line.word(end - 1) in {"a", "i"} and not line.is_upper(end - 1):
        end -= 1
    if min(letters, digits) >= _MIN_MIXED and letters + digits > _MIN_DIGITS:
        yield index, end


def _is_unnamed(line: Line, start: int, end: int) -> bool:
    """Tell whether letters and many digits are somebody's code with no word beside them."""
    text = line.text[line.tokens[start].start : line.tokens[end - 1].end]
    if _UNNAMED.fullmatch(text) is None:
        return False
    if sum(map(str.isdecimal, text)) < _MIN_CODE and _PLAIN.fullmatch(text) is None:
        return False
    words = [line.words[place] for place in range(start, end) if line.type(place) == "w"]
    known = any(
        word is not None and (word.currency or word.month or word.measure) for word in words
    )
    return (
        bool(words)
        and not known
        and not any(hit.rule == "other" for hit in link.before(line, start))
    )


def _is_code(line: Line, text: str, start: int, end: int) -> bool:
    if _CODE.fullmatch(text) is None:
        return False
    digits = sum(letter.isdecimal() for letter in text)
    capitals = all(line.is_upper(place) for place in range(start, end) if line.type(place) == "w")
    return digits >= _MIN_SURE or (digits > 0 and capitals and len(text) > _MIN_DIGITS)


def _spaced(line: Line, index: int) -> Iterator[tuple[int, int]]:
    """Find letters and then digits: "HLT 5590127", "P O L nine nine one"."""
    place = index
    letters = 0
    while place < len(line.tokens) and letters < _PREFIX:
        letter = letter_at(line, place)
        if letter is None or (len(line.word(place)) > 1 and part_at(line, place) is not None):
            break
        letters, place = letters + 1, letter.end
    if not letters and _is_written_prefix(line, index):
        place = index + 1
    if place > index and line.near(place - 1):
        run = run_at(line, skip(line, place))
        if run is not None and len(run.digits) >= _MIN_DIGITS and _is_spelt(line, index):
            yield index, run.end


def _is_written_prefix(line: Line, index: int) -> bool:
    """Tell whether a word is letters before digits: "HLT", "ओडी", and "sr", which is no word."""
    text = line.word(index)
    if line.type(index) != "w":
        return False
    if not text.isascii():
        code = code_at(line, index)
        return code is not None and code.pieces[0].text.isascii() and code.text[0].isalpha()
    if len(text) > _PREFIX:
        return False
    known = line.words[index] is not None or text in _ABBREVIATED
    return line.is_upper(index) or (_CONSONANTS.fullmatch(text) is not None and not known)


def _is_spelt(line: Line, index: int) -> bool:
    code = code_at(line, index)
    return code is not None and _SPELT.match(code.text) is not None


def _is_year_said(run: Run) -> bool:
    few = len(run.parts) in {1, 2}
    return few and not run.is_written and _YEAR.fullmatch(run.digits) is not None
