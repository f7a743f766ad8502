"""
Cleaning: the one form of a text that tokenizer, guards and exact match work on.

What a recogniser, a keyboard or an attacker can write in several ways without a listener hearing a
difference becomes one text; what a listener would hear stays. Look-alike letters of other scripts
are other letters and stay what they are.
"""

import itertools
import re
import unicodedata
from dataclasses import dataclass

#: Characters of cleaned text. A long spoken turn has about 70 words; the encoder reads 64 tokens
#: in its longest bucket, and what it cannot read whole is not eligible.
MAX_CHARS = 400
#: Characters of raw text that are looked at all; beyond it nothing is processed.
MAX_RAW_CHARS = 4 * MAX_CHARS
#: Combining marks kept on one letter. Hindi needs two, Arabic with vowel points three.
MAX_MARKS = 4

_DROP = ""
_FULL_WIDTH = range(0xFF01, 0xFF5F)
_PRESENTATION = (range(0xFB00, 0xFB07), range(0xFB50, 0xFE00), range(0xFE70, 0xFEFD))
#: Invisible though Unicode counts them as letters, marks or symbols: grapheme joiner, Hangul
#: fillers, Mongolian and other variation selectors, the empty Braille cell.
_INVISIBLE = frozenset(
    [
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x180F),
        *range(0x180B, 0x180E),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    ]
)
_JOINERS = frozenset([0x200C, 0x200D])
_TATWEEL = 0x0640
#: End of the plane that holds all our letters.
_PLANE_END = 0xFFFF
#: Categories by what becomes of their characters.
_SPACES = frozenset(["Zs", "Zl", "Zp"])
_DROPPED = frozenset(["Cc", "Cf", "Cs", "Co", "Cn"])


class _Fold(dict[int, str]):
    """Decides each character once; `str.translate` asks for those that it lacks."""

    def __missing__(self, code: int) -> str:
        folded = _fold(code)
        if code <= _PLANE_END:  # the rest is rare and would only fill memory
            self[code] = folded
        return folded


def _fold(code: int) -> str:
    letter = chr(code)
    category = unicodedata.category(letter)
    if code in _JOINERS:
        return letter
    if letter.isspace() or category in _SPACES:
        return " "
    if code in _INVISIBLE or code == _TATWEEL or category in _DROPPED:
        return _DROP
    if code in _FULL_WIDTH:
        return chr(code - 0xFEE0)
    if any(code in forms for forms in _PRESENTATION):
        return unicodedata.normalize("NFKC", letter)
    return letter


_FOLD = _Fold()
#: Characters of everyday text that folding leaves alone: most text has no others.
_PLAIN = re.compile("[ -~À-ɏ\u0621-\u063f\u0641-\u0669\u0671-\u06d3\u06f0-\u06f9\u0900-\u097f]*")
_DEVANAGARI = "\u0900-\u0963\u0970-\u097f"
_ARABIC = "\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06fa-\u06ff\u0750-\u077f"
#: A joiner that changes the word it is in: between two letters of one joining script.
_JOINER = re.compile(
    f"(?<=[{_DEVANAGARI}])([\u200c\u200d])[\u200c\u200d]*(?=[{_DEVANAGARI}])"
    f"|(?<=[{_ARABIC}])([\u200c\u200d])[\u200c\u200d]*(?=[{_ARABIC}])"
    "|[\u200c\u200d]+"
)
#: Combining marks of any script, as ranges, to bound how many one letter carries.
_MARK = "[" + "".join(
    f"{chr(first)}-{chr(last)}"
    for first, last in (
        (0x0300, 0x036F), (0x0483, 0x0489), (0x0591, 0x05BD), (0x0610, 0x061A), (0x064B, 0x065F),
        (0x0670, 0x0670), (0x06D6, 0x06DC), (0x06DF, 0x06E4), (0x06E7, 0x06E8), (0x06EA, 0x06ED),
        (0x0900, 0x0903), (0x093A, 0x093C), (0x093E, 0x094F), (0x0951, 0x0957), (0x0962, 0x0963),
        (0x0981, 0x0983), (0x09BC, 0x09CD), (0x0A01, 0x0A51), (0x0E31, 0x0E3A), (0x0E47, 0x0E4E),
        (0x1AB0, 0x1AFF), (0x1CD0, 0x1CF9), (0x1DC0, 0x1DFF), (0x20D0, 0x20F0), (0x302A, 0x302F),
        (0x3099, 0x309A), (0xA8E0, 0xA8F1), (0xFE20, 0xFE2F),
    )
) + "]"  # fmt: skip
_LONG_RUN = re.compile(f"{_MARK}{{16,}}")
_STORM = re.compile(f"({_MARK}{{{MAX_MARKS}}}){_MARK}+")

_LATIN = re.compile("[A-Za-zªºÀ-ÖØ-öø-ʯᴀ-ᴥᵫ-ᵷḀ-ỿⱠ-ⱿꜢ-ꞇ]")
_DEVANAGARI_LETTER = re.compile("[\u0904-\u0939\u0958-\u0961\u0971-\u097f]")
_ARABIC_LETTER = re.compile(
    "[\u0620-\u063f\u0641-\u064a\u066e-\u066f\u0671-\u06d3\u06d5\u06e5\u06e6\u06ee\u06ef\u06fa-\u06ff"
    "\u0750-\u077f\u08a0-\u08c9]"
)
_OTHER_LETTER = re.compile(
    "[^\\W\\d_A-Za-zªºÀ-ÖØ-öø-ʯᴀ-ᴥᵫ-ᵷḀ-ỿⱠ-ⱿꜢ-ꞇ\u0900-\u097f\ua8e0-\ua8ff\u0600-\u06ff"
    "\u0750-\u077f\u08a0-\u08ff]"
)

#: Written differently, spoken alike: digits of our scripts, quotation marks, and the Arabic ending
#: that "شكراً" shows and "شكرا" leaves out.
_SPOKEN_ALIKE = str.maketrans(
    "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९‘’ʼ“”",
    "012345678901234567890123456789'''\"\"",
    "\u064b",
)
_VARIED = re.compile("[٠-٩۰-۹०-९‘’ʼ“”\u064b]")
_FINAL_STOP = re.compile(r"[\s.।॥۔…]+$")


def _in_order(marks: re.Match[str]) -> str:
    """Marks in canonical order: the normaliser takes time in the square of what is out of order."""
    runs = itertools.groupby(marks[0], lambda mark: unicodedata.combining(mark) > 0)
    return "".join(
        "".join(sorted(run, key=unicodedata.combining) if moves else run) for moves, run in runs
    )


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Text in its one form."""

    #: User text: never logged. At most `MAX_CHARS` characters.
    text: str
    #: The raw text was longer than may be served; `text` is then cut or empty.
    too_long: bool = False


def clean(text: str) -> Cleaned:
    """
    Bring text into its one form.

    NFC; full width, Arabic presentation forms and ligatures folded; zero-width, bidi, tag and
    control characters, lone surrogates, soft hyphens, tatweel and variation selectors out; joiners
    only where they change a word; at most `MAX_MARKS` marks on a letter; whitespace single.

    Returns:
        The text; empty where nothing is left. Longer than `MAX_RAW_CHARS` raw: not looked at.
    """
    if len(text) > MAX_RAW_CHARS:
        return Cleaned("", too_long=True)
    if not (text.isascii() and text.isprintable()):
        if _PLAIN.fullmatch(text) is None:
            text = text.translate(_FOLD)
        text = unicodedata.normalize("NFC", _LONG_RUN.sub(_in_order, text))
        if "\u200c" in text or "\u200d" in text:
            text = unicodedata.normalize("NFC", _JOINER.sub(r"\1\2", text))
        text = _STORM.sub(r"\1", text)
    text = " ".join(text.split())
    if len(text) > MAX_CHARS:
        return Cleaned(text[:MAX_CHARS].rstrip(), too_long=True)
    return Cleaned(text)


def match_key(cleaned_text: str) -> str:
    """
    The key of the exact tier: texts with one key are one text, spoken.

    Case, a final full stop or danda, the script of digits and the shape of quotation marks do not
    count. A question mark does: "yes?" asks. Look-alike letters of other scripts keep a key of
    their own.
    """
    folded = cleaned_text.casefold()
    if not folded.isascii():
        folded = unicodedata.normalize("NFC", folded)
        if _VARIED.search(folded):
            folded = folded.translate(_SPOKEN_ALIKE)
    return _FINAL_STOP.sub("", folded)


def letter_scripts(text: str) -> frozenset[str]:
    """The scripts that a text has letters of: "latin", "devanagari", "arabic", "other"."""
    found = []
    if _LATIN.search(text):
        found.append("latin")
    if not text.isascii():
        if _DEVANAGARI_LETTER.search(text):
            found.append("devanagari")
        if _ARABIC_LETTER.search(text):
            found.append("arabic")
        if _OTHER_LETTER.search(text):
            found.append("other")
    return frozenset(found)
