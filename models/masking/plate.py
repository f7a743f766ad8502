"""Number plates: India, US, UK, Emirates, Egypt, Saudi Arabia."""

import re
from collections.abc import Iterator

from models.masking.code import code_at
from models.masking.line import Line
from models.masking.run import Run

RULES = {
    "plate": """
    plate; plates; number plate; license plate; licence plate; plate number
    registration number; registration; reg; reg number; car number
    car; my car; car plate; vehicle; vehicle number; bike; bike number; scooter
    car in dubai; car in sharjah
    गाड़ी; गाड़ी नंबर; गाड़ी का नंबर; बाइक; कार; कार नंबर; वाहन; स्कूटर
    gaadi; gadi; gaadi ka number; gadi ka number; gaadi number; scooty
    نمره العربيه; نمره عربيتي; رقم العربيه; رقم عربيتي; عربيتي; عربيه; سيارتي; رقم السياره
    لوحتي; رقم لوحتي; لوحه; رقم اللوحه; لوحه سيارتي; لوحه السياره
    رقم لوحه السياره; نمره; لوحه دبي; لوحه ابوظبي; لوحه الشارقه; لوحه عجمان
    """
}
#: Stand between the word and the plate, and stay.
_PLACES = re.compile(
    r"(?:abu dhabi|dubai|sharjah|ajman|fujairah|ras al khaimah|دبي|ابوظبي|ابو ظبي|الشارقه|عجمان)"
)
_STATES = (
    "an|ap|ar|as|br|cg|ch|dd|dl|dn|ga|gj|hp|hr|jh|jk"
    "|ka|kl|la|ld|mh|ml|mn|mp|mz|nl|od|or|pb|py|rj|sk|tn|tr|ts|tg|uk|up|wb"
)
_INDIAN = rf"(?:{_STATES})\d{{1,2}}[a-z]{{1,3}}\d{{3,4}}"
_UNNAMED = re.compile(rf"{_INDIAN}(?!\d)")
_ARABIC = "[\u0620-\u064a]"
_NAMED = re.compile(
    rf"{_INDIAN}|\d\d(?:bh)\d{{4}}[a-z]{{1,2}}|[a-z]{{2}}\d\d[a-z]{{3}}|\d[a-z]{{3}}\d{{3}}"
    rf"|[a-z]{{1,3}}\d{{3,5}}|{_ARABIC}{{1,3}}\d{{1,4}}|[a-z]\d{{1,3}}[a-z]{{3}}|[a-z]{{3}}\d{{1,3}}[a-z]"
)
_WORDS = frozenset(
    "emi rs inr aed sar egp usd bmw kia mg model year km top cost price for age".split()
)
_CATEGORY = re.compile(r"\d{1,2}\d{3,5}")


def fits(run: Run, rule: str, *, ending: bool) -> bool:
    """Tell whether digits alone may be a plate: an Emirates category and number."""
    del ending
    emirate = _PLACES.search(run.line.text) is not None
    return bool(rule) and emirate and _CATEGORY.fullmatch(run.digits) is not None


def _is_word(line: Line, index: int) -> bool:
    """Tell whether a token is a word before a number: "a 2018 Honda", "EMI 12000"."""
    word = line.words[index]
    if word is not None and (word.currency or word.month):
        return True
    return line.word(index) in _WORDS or (line.word(index) == "a" and not line.is_upper(index))


def codes(line: Line, index: int, rules: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Find a plate that begins at a token; those of India need no word."""
    code = code_at(line, index)
    if code is None:
        return
    end = None
    if "plate" in rules and not _is_word(line, index):
        end = code.match(_NAMED)
    elif line.is_upper(index) or len(line.word(index)) == 1:  # "up 20 in 2024" is none
        end = code.match(_UNNAMED)
    if end is not None:
        yield index, end
