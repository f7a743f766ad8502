import csv
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.masking import Kind, mask
from models.values.spelling import spellings
from models.values.words import numbers_ar, numbers_en, numbers_hi, numbers_hinglish

CASES = Path(__file__).parents[1] / "masking_cases"


def rows():
    """Every row of every table; its id says where it stands."""
    found = []
    for path in sorted(CASES.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="\n") as file:
            reader = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            for number, row in enumerate(reader, start=2):
                place = f"{path.stem}-{number}"
                found.append(pytest.param(row["text"], row["masked"], id=place))
    return found


#: Pieces of what callers say, and characters that have caused trouble.
PIECES = [
    *"9876501234 5 482913 4532719804426157 98-20 (0) +91 nine double oh triple five".split(),
    *"नौ आठ डबल चार दो है नंबर nau aath do ek baje uh um".split(),
    *"تلاتة زيرو عشرة وعشرين خمسات دبل رقمي ألف و يعني شارع عنواني اسمي أنا كارت".split(),
    *"my number is card otp code order passport plate dob at dot gmail com iban name".split(),
    *"Nadia flat 3B street pan BQRPS4471K MH 12 M as in Mumbai born March".split(),
    *"[PHONE] [NAME] [ [at] . , ، ? ... - / # @ % ₹ $ 1,299 9:30 14/03/1988 ending".split(),
    *"\u200b \u200f \u202e \u2066 \u00ad \u0640 \u064b \u093c \u0301 \ud800".split(" "),
    *"\x00 ９ ٣ ३ ² ﻻ 👍".split(" "),
]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=24).map(" ".join)


class TestTables:
    @pytest.mark.parametrize(("text", "masked"), rows())
    def test_row(self, text, masked):
        """
        A text of the tables is masked as its row says; masked again, it stays.
        """
        assert mask(text).text == masked
        assert mask(masked).text == masked


class TestAnyText:
    @settings(max_examples=100, deadline=None)
    @given(texts)
    @example("")
    @example("\ud800")
    @example("[PHONE][PHONE] 9876501234[")
    @example("45/12 or 40/40/40")
    @example("1" * 5000)
    @example("one " * 60)
    def test_holds(self, text):
        """
        Any text can be masked; masking again changes nothing; what is no span is as it was.
        """
        masked = mask(text)

        assert mask(masked.text).text == masked.text
        assert mask(text) == masked
        pieces, end = [], 0
        for span in masked.spans:
            assert end <= span.start < span.end
            pieces += [text[end : span.start], f"[{span.kind}]"]
            end = span.end
        assert "".join([*pieces, text[end:]]) == masked.text
        assert masked.kinds == tuple(span.kind for span in masked.spans)

    def test_spans(self):
        """
        A span is in characters of the text as given, without the invisible ones at its edges.
        """
        masked = mask("رقمي \u200e+20 109\u200b 441 7725\u200e")

        assert [(span.start, span.end, span.kind) for span in masked.spans] == [(6, 23, Kind.PHONE)]

    def test_long_text(self):
        """
        Number after number, however long, is masked to its end.
        """
        masked = mask("my number is 9876501234, thanks. " * 60)

        assert masked.text == "my number is [PHONE], thanks. " * 60

    def test_tag_is_no_name(self):
        """
        A tag in the text is text: it names nothing, and no value reaches across it.
        """
        masked = mask("98765 [PHONE] 01234, my name is [NAME]")

        assert masked.text == "98765 [PHONE] 01234, my name is [NAME]"
        assert not masked.kinds


WORDS = {
    "en": "zero one two three four five six seven eight nine",
    "hi": "शून्य एक दो तीन चार पाँच छह सात आठ नौ",
    "hinglish": "zero ek do teen chaar paanch chhe saat aath nau",
    "egypt": "صفر واحد اتنين تلاتة أربعة خمسة ستة سبعة تمانية تسعة",
    "gulf": "صفر واحد ثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة",
}
ZEROS = {"ascii": "0", "devanagari": "०", "arabic": "٠", "persian": "۰", "full width": "０"}


@st.composite
def said(draw, digits):
    """Write or say some digits in one of many ways."""
    sizes = []
    while sum(sizes) < len(digits):
        sizes.append(draw(st.integers(2, 5)))
    groups, start = [], 0
    for size in sizes:
        groups.append(digits[start : start + size])
        start += size
    how = draw(st.sampled_from([*WORDS, *ZEROS]))
    if how in WORDS:
        words = WORDS[how].split()
        between = draw(st.sampled_from([" ", ", ", " uh "]))
        return between.join(" ".join(words[int(digit)] for digit in group) for group in groups)
    zero = ord(ZEROS[how])
    written = ["".join(chr(zero + unicodedata.digit(digit)) for digit in group) for group in groups]
    return draw(st.sampled_from(["", " ", "-", "\u200b", "\u200f", "\u00a0"])).join(written)


#: How each language says a number below a hundred, "double", and a filler.
SPEECH = {
    "en": (numbers_en.CARDINALS, "double", "uh"),
    "hi": (numbers_hi.CARDINALS, "डबल", "मतलब"),
    "hinglish": (numbers_hinglish.CARDINALS, "double", "matlab"),
    "ar": (numbers_ar.CARDINALS, "دبل", "يعني"),
}


def word_for(value, language):
    """A number below a hundred in words."""
    words = SPEECH[language][0]
    if value in words:
        return next(spellings(words[value].split()[0]))
    tens, unit = words[value // 10 * 10].split()[-1], words[value % 10].split()[0]
    return f"{unit} و{tens}" if language == "ar" else f"{tens} {unit}"


@st.composite
def grouped(draw, digits, language):
    """Say digits with tens, doubles and fillers, as people do."""
    pieces = []
    while digits:
        how = draw(st.sampled_from(["digit", "double", "tens"]))
        if how == "double" and digits[:1] == digits[1:2]:
            piece, digits = (
                f"{SPEECH[language][1]} {word_for(int(digits[0]), language)}",
                digits[2:],
            )
        elif how == "tens" and len(digits) > 1 and digits[0] != "0":
            piece, digits = word_for(int(digits[:2]), language), digits[2:]
        else:
            piece, digits = word_for(int(digits[0]), language), digits[1:]
        filler = f" {SPEECH[language][2]} "
        pieces += [piece, draw(st.sampled_from([" ", " ", " ", ", ", filler]))]
    return "".join(pieces[:-1])


SAID = [
    ("en", "my number is ", " please", Kind.PHONE, 10),
    ("en", "card number ", "", Kind.CARD, 16),
    ("en", "the otp is ", " ok", Kind.OTP, 6),
    ("hi", "मेरा नंबर ", " है", Kind.PHONE, 10),
    ("hi", "आधार नंबर ", " है", Kind.NATIONAL_ID, 12),
    ("hinglish", "mera number ", " hai", Kind.PHONE, 10),
    ("hinglish", "order ", " kab aayega", Kind.ACCOUNT, 6),
    ("ar", "رقمي ", " لو سمحت", Kind.PHONE, 11),
    ("ar", "رقم الكارت ", "", Kind.CARD, 16),
    ("ar", "كود التفعيل ", "", Kind.OTP, 6),
]

PHONES = st.from_regex(r"[6-9][0-9]{9}", fullmatch=True)
NAMED = [
    ("my number is ", " please", Kind.PHONE),
    ("मेरा मोबाइल नंबर ", " है", Kind.PHONE),
    ("mera number ", " hai, note karo", Kind.PHONE),
    ("رقمي ", " لو سمحت", Kind.PHONE),
    ("my account number is ", " please", Kind.ACCOUNT),
    ("ऑर्डर नंबर ", " है", Kind.ACCOUNT),
    ("aadhaar number ", " hai", Kind.NATIONAL_ID),
    ("رقم الهوية ", " لو سمحت", Kind.NATIONAL_ID),
]


class TestPlanted:
    @settings(max_examples=60, deadline=None)
    @given(st.data(), PHONES, st.sampled_from(NAMED))
    def test_named(self, data, digits, named):
        """
        Digits that a word names go whole, in whatever script or words they are given.
        """
        before, behind, kind = named
        number = data.draw(said(digits))

        assert mask(f"{before}{number}{behind}").text == f"{before}[{kind}]{behind}"

    @settings(max_examples=100, deadline=None)
    @given(st.data(), st.sampled_from(SAID))
    def test_grouped(self, data, said_of):
        """
        Tens, doubles and fillers belong to the number that they are said in.
        """
        language, before, behind, kind, count = said_of
        digits = data.draw(st.text("0123456789", min_size=count, max_size=count))
        number = data.draw(grouped(digits, language))

        assert mask(f"{before}{number}{behind}").text == f"{before}[{kind}]{behind}"

    @settings(max_examples=40, deadline=None)
    @given(st.data(), PHONES)
    def test_unnamed(self, data, digits):
        """
        Ten digits go whole with no word beside them too.
        """
        number = data.draw(said(digits))
        masked = mask(f"hello {number} thanks")

        assert masked.text.startswith("hello [")
        assert masked.text.endswith("] thanks")
        assert len(masked.spans) == 1
