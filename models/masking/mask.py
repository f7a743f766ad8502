"""
Masking: every span of personal data becomes the tag of its kind, every other character stays.

A text is masked until nothing more is found, so masking what is masked changes nothing.
Kinds with
a shape of their own go first; what one kind holds, no other sees.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from models.masking import (
    account,
    address,
    birth_date,
    card,
    email,
    iban,
    link,
    name,
    national_id,
    otp,
    passport,
    phone,
    plate,
)
from models.masking.code import code_at
from models.masking.filler import skip
from models.masking.kind import Kind, Span
from models.masking.line import Line, line_of
from models.masking.phrase import Hit, phrases_of
from models.masking.run import Run, runs

#: The phrase says that only the last digits follow.
ENDING = {
    "ending": """
    ends in; ends with; finishing in; finishing with; finishes in; finishes with; finishing
    ending; ending in
    ending with; ends; last four of
    जिसका आखिरी; जिसके आखिरी; जिसकी आखिरी; जिसके अंतिम; jiska aakhri; jiske aakhri; jiska last
    jiske last
    اخره; اخرها; تنتهي; تنتهي ب; ينتهي; ينتهي ب; بينتهي; بتنتهي; منتهي
    """,
    # Says so with the word "digits": nothing else can follow.
    "digits": """
    last four; last four digits; last 4 digits; last four digit; last 4; last digits
    last two digits; last 2 digits; last do digit; last 2 digit; aakhri do digit; aakhri do ank
    last ke do digit; last ke do number; last do number; आखिरी दो अंक; आखिरी दो डिजिट; اخر رقمين
    last three digits; last 3 digits; last five digits; last four numbers
    आखिरी चार अंक; आख़िरी चार अंक; आखिरी अंक; अंतिम चार अंक; आखिरी 4 अंक; आखिरी चार डिजिट
    आखिरी तीन अंक; अंतिम तीन अंक; आखिरी 4 डिजिट; आखिरी चार नंबर
    last char digit; aakhri char digit; aakhri chaar digit; akhri char ank; akhri chaar number
    जिसके आखिरी चार अंक; जिसका आखिरी चार अंक; जिसके आखिरी अंक; जिसके आखिरी तीन अंक
    jiske aakhri char digit; jiske last 4 digit; jiska last 4 digit; jiske aakhri char number
    last ke char number; last ke char digit; last ke 4 digit; last ke 4 number; last char number
    aakhri ke char digit; आखिरी के चार अंक; लास्ट के चार नंबर; लास्ट चार डिजिट; last four figures
    last 4 digit; last 3 digit; last teen digit; aakhri teen digit; aakhri char number
    اخر اربع ارقام; اخر اربعه ارقام; اخر ٤ ارقام; اخر 4 ارقام; اخر تلات ارقام; اخر ثلاثه ارقام
    """,
    # Behind the digits.
    "ended": """
    pe khatam; par khatam; pe khatm; par khatm; mein khatam; se khatam; पर खत्म; पे खत्म
    पर ख़त्म
    """,
}
#: A count, a price or a year has as many digits.
_FEW = 3
#: As many digits behind the word "number", whatever it numbers, are somebody's: trains, buses and
#: rooms have fewer.
_LONG = 6
#: Words between "number" and its digits.
_REACH = 3
#: Rules of phrases that stand before the last digits.
_ENDING_RULES = frozenset({"ending", "digits"})
#: How many of the last digits are said of a number.
_LAST_DIGITS = range(2, 7)
_PHRASES = phrases_of(
    {
        Kind.EMAIL: email.RULES,
        Kind.IBAN: iban.RULES,
        Kind.NATIONAL_ID: national_id.RULES,
        Kind.PASSPORT: passport.RULES,
        Kind.PLATE: plate.RULES,
        Kind.OTP: otp.RULES,
        Kind.CARD: card.RULES,
        Kind.ACCOUNT: account.RULES,
        Kind.BIRTH_DATE: birth_date.RULES,
        Kind.ADDRESS: address.RULES,
        Kind.PHONE: phone.RULES,
        Kind.NAME: name.RULES,
        None: {"other": otp.OTHERS, **ENDING},
    }
)


class Fits(Protocol):
    """How a kind judges digits that one of its phrases announces."""

    def __call__(self, run: Run, rule: str, *, ending: bool) -> bool:
        """Tell whether they may be of the kind, or its last ones."""
        ...


#: Digits of a number that is whole by itself.
_WHOLE = 9
_FITS: dict[Kind | None, Fits] = {
    Kind.NATIONAL_ID: national_id.fits,
    Kind.PASSPORT: passport.fits,
    Kind.PLATE: plate.fits,
    Kind.OTP: otp.fits,
    Kind.CARD: card.fits,
    Kind.ACCOUNT: account.fits,
    Kind.PHONE: phone.fits,
}
#: Without a phrase, in this order.
_LOOKS: tuple[tuple[Kind, Callable[[Run], bool]], ...] = (
    (Kind.CARD, card.looks),
    (Kind.NATIONAL_ID, national_id.looks),
    (Kind.PHONE, phone.looks),
    (Kind.ACCOUNT, account.looks),
)
CodeFinder = Callable[[Line, int, frozenset[str]], Iterator[tuple[int, int]]]
_CODES: tuple[tuple[Kind, CodeFinder], ...] = (
    (Kind.NATIONAL_ID, national_id.codes),
    (Kind.PASSPORT, passport.codes),
    (Kind.PLATE, plate.codes),
    (Kind.OTP, otp.codes),
    (Kind.ACCOUNT, account.codes),
)


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its personal data."""

    #: The text; tags stand for what was taken out. Still user text.
    text: str
    #: The kinds that were found, in order of their spans.
    kinds: tuple[Kind, ...]
    #: Where they stood in the text that was given.
    spans: tuple[Span, ...]


def mask(text: str) -> Masked:
    """Mask all personal data of a text; never raises, whatever the text."""
    spans: list[Span] = []
    masked = text
    while found := find(masked):
        spans = _merged(spans, found)
        masked = _replaced(text, spans)
    return Masked(masked, tuple(span.kind for span in spans), tuple(spans))


def find(text: str) -> list[Span]:
    """Find personal data in one pass, in order, without overlaps."""
    line = line_of(text, _PHRASES)
    if not line.tokens:
        return []
    spans = [_span(line, start, end, kind) for start, end, kind in _found(line)]
    return sorted(spans)


def _found(line: Line) -> Iterator[tuple[int, int, Kind]]:
    finders: tuple[Callable[[Line], Iterator[tuple[int, int, Kind]]], ...] = (
        email.find,
        _of(Kind.IBAN, iban.find),
        _of(Kind.BIRTH_DATE, birth_date.find),
        _codes,
        _numbers,
        _of(Kind.ADDRESS, address.find),
        _of(Kind.NAME, name.find),
    )
    for finder in finders:
        for start, end, kind in finder(line):
            if line.is_free(start, end):
                line.take(start, end)
                yield start, end, kind


def _of(
    kind: Kind, finder: Callable[[Line], Iterator[tuple[int, int]]]
) -> Callable[[Line], Iterator[tuple[int, int, Kind]]]:
    def found(line: Line) -> Iterator[tuple[int, int, Kind]]:
        for start, end in finder(line):
            yield start, end, kind

    return found


def _codes(line: Line) -> Iterator[tuple[int, int, Kind]]:
    for index in range(len(line.tokens)):
        if line.taken[index] or line.type(index) not in "wdx" or line.starting.get(index):
            continue
        if "'" in line.gap(index - 1) or link.is_small(line, index):
            continue
        code = code_at(line, index)
        if code is None or not any(letter.isdecimal() for letter in code.text):
            continue
        hits = list(link.before(line, index))
        if not hits and code.text[0].isdecimal():
            continue
        for kind, finder in _CODES:
            rules = frozenset(hit.rule for hit in hits if hit.kind is kind)
            found = next(finder(line, index, rules), None) or _named_behind(
                line, index, kind, finder
            )
            if found is not None:
                yield (*found, kind)
                break


def _named_behind(line: Line, index: int, kind: Kind, finder: CodeFinder) -> tuple[int, int] | None:
    """Find a code whose phrase comes after it: "K 33 09 718 on my passport"."""
    rules = frozenset(line.rules.get(kind, ()))
    for found in finder(line, index, rules) if rules else ():
        if any(hit.kind is kind and hit.start > found[1] for hit in link.after(line, found[1])):
            return found
    return None


def _numbers(line: Line) -> Iterator[tuple[int, int, Kind]]:
    for run in runs(line):
        for whole in _split(run):
            if phone.is_public(line, whole):
                line.take(whole.start, whole.end)
                continue
            kind = _kind(line, whole)
            if kind is not None:
                end = phone.with_extension(line, whole.end) if kind is Kind.PHONE else whole.end
                yield whole.start, end, kind


def _split(run: Run) -> list[Run]:
    """Part two whole numbers that only a comma parts."""
    for count in run.commas():
        first = run.first(count)
        rest = Run(run.line, run.parts[count:], "".join(part.digits for part in run.parts[count:]))
        if all(
            len(part.digits) >= _WHOLE and (phone.is_valid(part) or card.looks(part))
            for part in (first, rest)
        ):
            return [first, rest]
    return [run]


def _kind(line: Line, run: Run) -> Kind | None:
    ending = _is_ending(line, run)
    hits = [*link.before(line, run.start)]
    for hit in [*hits, *_after(line, run)]:
        if hit.rule == "number" or hit.kind not in _FITS:
            continue
        if _FITS[hit.kind](run, hit.rule, ending=ending):
            return hit.kind
    if hits and hits[0].rule == "other" and len(run.digits) < _WHOLE:
        return None
    for kind, looks in _LOOKS[:2]:
        if looks(run):
            return kind
    if any(hit.rule == "number" for hit in hits) and phone.fits(run, "own", ending=ending):
        return Kind.PHONE
    found = next((kind for kind, looks in _LOOKS if looks(run)), None)
    if found is None and any(hit.rule == "digits" for hit in hits):
        return _last_of(line, run)
    return found or _far(line, run)


def _far(line: Line, run: Run) -> Kind | None:
    """
    Give the kind of a number that no phrase stands beside.

    A code that the same sentence speaks of, whatever words are between; or digits read out one by
    one, as nobody reads a price or a count.
    """
    if "other" in line.rules.get(None, ()):
        return None
    if len(run.digits) >= _LONG and _is_numbered(line, run.start):
        return Kind.ACCOUNT
    singly = len(run.parts) > _FEW and all(len(part.digits) == 1 for part in run.parts)
    count = len(run.digits)
    if (singly or (count > _FEW + 1 and not run.digits.endswith("00"))) and _speaks_of_code(
        line, run
    ):
        return Kind.OTP if otp.fits(run, "code", ending=False) else None
    counting = run.digits in phone.COUNTING
    if counting or "postal" in line.rules.get(Kind.ADDRESS, ()):
        return None
    return Kind.ACCOUNT if singly and count > _FEW + 1 else None


def _is_numbered(line: Line, index: int) -> bool:
    """Tell whether "… number" stands right before, or "number" and a word: "رقم المشترك …"."""
    for place in range(index - 1, max(-1, index - 1 - _REACH), -1):
        if line.taken[place] or line.stops(place):
            return False
        found = line.ending.get(place, ())
        if any(hit.kind is Kind.PHONE and hit.rule == "number" for hit in found):
            return True
    return False


def _speaks_of_code(line: Line, run: Run) -> bool:
    """Tell whether the sentence of a number has a phrase for codes."""
    first, last = run.start, run.end
    while first > 0 and not line.stops(first - 1):
        first -= 1
    while last < len(line.tokens) and not line.stops(last - 1):
        last += 1
    return any(
        hit.kind is Kind.OTP and hit.rule == "code" and hit.end <= last
        for place in range(first, last)
        for hit in line.starting.get(place, ())
    )


def _last_of(line: Line, run: Run) -> Kind | None:
    """The kind of last digits of a number that nobody named."""
    if len(run.digits) not in _LAST_DIGITS:
        return None
    return Kind.PHONE if "number" in line.rules.get(Kind.PHONE, ()) else Kind.ACCOUNT


def _is_ending(line: Line, run: Run) -> bool:
    """Tell whether something beside them says that they are only the last digits."""
    rules = line.rules.get(None, set())
    behind = line.starting.get(skip(line, run.end), ()) if "ended" in rules else ()
    if any(hit.rule == "ended" for hit in behind):
        return True
    return bool(rules & _ENDING_RULES) and any(
        hit.rule in _ENDING_RULES
        for place in range(run.start)
        for hit in line.starting.get(place, ())
    )


def _after(line: Line, run: Run) -> Iterator[Hit]:
    for hit in link.after(line, run.end):
        far = hit.start > run.end + 1 and line.word(run.end) not in account.HOLDS
        if hit.kind is not Kind.ACCOUNT or far:
            yield hit


def _span(line: Line, start: int, end: int, kind: Kind) -> Span:
    first, last = line.tokens[start].start, line.tokens[end - 1].end
    if kind is Kind.PHONE:
        before = line.text[max(0, first - 1) : first]
        first -= before in {"+", "("} and before != ""
        if line.text[max(0, first - 1) : first] == "+" and line.text[first] == "(":
            first -= 1
    return Span(*line.view.span(first, last), kind)


def _replaced(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    end = 0
    for span in spans:
        pieces += (text[end : span.start], f"[{span.kind}]")
        end = span.end
    return "".join((*pieces, text[end:]))


def _merged(spans: list[Span], found: list[Span]) -> list[Span]:
    """Bring spans of the masked text back into the text, among those that it has."""
    shifts: list[tuple[int, int]] = []
    shift = 0
    for span in spans:
        begin = span.start + shift
        shift += len(span.kind) + 2 - (span.end - span.start)
        shifts.append((begin, shift))
    merged = list(spans)
    for span in found:
        moved = 0
        for begin, after in shifts:
            if begin < span.start:
                moved = after
        merged.append(Span(span.start - moved, span.end - moved, span.kind))
    return sorted(merged)
