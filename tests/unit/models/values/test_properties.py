"""What must hold for every number and every text."""

from hypothesis import given
from hypothesis import strategies as st

from models.values import ValueKind, conflict, read
from models.values.lexicon import WORDS
from tests.unit.models.values import spoken

#: Zeros of the scripts that callers' digits come in: ASCII, Arabic-Indic, Persian, Devanagari.
ZEROS = (0x30, 0x0660, 0x06F0, 0x0966)

#: Words before an hour, and the minutes that they add.
HINDI_QUARTERS = (("", 0), ("साढ़े ", 30), ("सवा ", 15), ("पौने ", -15))

#: Texts made of words that the reader knows, digits and words that it does not.
texts = st.lists(
    st.sampled_from([*sorted(WORDS), "5", "12", "2026", "7:30", "4/5/2026", "₹", "xyz", ",", "-"]),
    max_size=12,
).map(" ".join)


def amount(text: str) -> set[float]:
    """Give the possible amounts of the one sum of money that a text states."""
    values = read(text)
    assert [value.kind for value in values] == [ValueKind.MONEY], text
    return {pair[0] for pair in values[0].canonical if isinstance(pair, tuple)}


class TestNumbersInWords:
    @given(st.integers(0, 10**9 - 1), st.sampled_from([" ", " and "]))
    def test_english(self, number, joint):
        """
        A number said in English is read back.
        """
        assert amount(f"{spoken.english(number, joint=joint)} rupees") == {number}

    @given(st.integers(0, 10**9 - 1))
    def test_hindi(self, number):
        """
        A number said in Hindi is read back, among what "two lakh fifty" leaves open.
        """
        assert number in amount(f"{spoken.hindi(number)} रुपये")

    @given(st.integers(0, 10**9 - 1))
    def test_hinglish(self, number):
        """
        A number said in Hindi and written in Latin letters is read back.
        """
        assert number in amount(f"{spoken.hinglish(number)} rupaye")

    @given(st.integers(0, 10**6 - 1))
    def test_arabic(self, number):
        """
        A number said in Egyptian Arabic is read back.
        """
        assert amount(f"{spoken.arabic(number)} ريال") == {number}

    @given(st.integers(11, 99))
    def test_all_languages_agree(self, number):
        """
        A number says the same in each language, and contradicts its neighbour in each.
        """
        said = [
            f"{spoken.english(number)} rupees",
            f"{spoken.hindi(number)} रुपये",
            f"{spoken.hinglish(number)} rupaye",
            f"{number} rs",
        ]
        other = read(f"{number - 1} rupees")

        for text in said:
            assert conflict(read(text), read(said[0])) is None, text
            assert conflict(read(text), other) is ValueKind.MONEY, text


class TestDigits:
    @given(st.integers(0, 10**7), st.sampled_from(ZEROS))
    def test_every_script_reads_alike(self, number, zero):
        """
        Digits of each script state the same value at the same place.
        """
        digits = str(number).translate({0x30 + digit: zero + digit for digit in range(10)})

        assert read(f"x {digits} y") == read(f"x {number} y")

    @given(st.text("0123456789", min_size=3, max_size=12), st.sampled_from(ZEROS))
    def test_read_out_or_written(self, digits, zero):
        """
        A code read out digit by digit is the code in digits.
        """
        spoken_digits = " ".join(spoken.ENGLISH[int(digit)] for digit in digits)
        written = digits.translate({0x30 + digit: zero + digit for digit in range(10)})

        assert conflict(read(f"otp {spoken_digits}"), read(f"otp {written}")) is None


class TestClock:
    @given(
        st.integers(1, 12), st.sampled_from([("", 0), ("साढ़े ", 30), ("सवा ", 15), ("पौने ", -15)])
    )
    def test_hindi_quarters(self, hour, shape):
        """
        Hindi halves and quarters of an hour are the times in digits.
        """
        words, minutes = shape
        total = (hour * 60 + minutes) % 720
        written = f"{total // 60 or 12}:{total % 60:02d}"
        hindi = read(f"{words}{spoken.HINDI[hour]} बजे")

        assert [value.canonical for value in hindi] == [read(written)[0].canonical]


class TestEveryText:
    @given(st.text(max_size=60))
    def test_reads_any_characters(self, text):
        """
        No text fails, and each value stands inside its text.
        """
        for value in read(text):
            start, end = value.span
            assert 0 <= start < end <= len(text)
            assert value.canonical

    @given(texts)
    def test_never_contradicts_itself(self, text):
        """
        A text contradicts neither itself nor its upper-case twin.
        """
        values = read(text)

        assert conflict(values, values) is None
        assert conflict(values, read(text.upper())) is None

    @given(texts, texts)
    def test_is_symmetric(self, one, other):
        """
        Whether two texts contradict does not depend on their order.
        """
        a, b = read(one), read(other)

        assert (conflict(a, b) is None) is (conflict(b, a) is None)

    @given(texts)
    def test_values_stand_in_order(self, text):
        """
        Values come in the order of the text.
        """
        starts = [value.span[0] for value in read(text)]

        assert starts == sorted(starts)
