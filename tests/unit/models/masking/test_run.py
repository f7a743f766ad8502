import pytest

from models.masking.line import line_of
from models.masking.run import runs


def digits_of(text):
    return [run.digits for run in runs(line_of(text, {}))]


class TestRuns:
    @pytest.mark.parametrize(
        ("text", "digits"),
        [
            pytest.param("nine eight double four", "9844", id="double"),
            pytest.param("oh seven triple nine", "07999", id="oh and triple"),
            pytest.param("forty eight twenty nine thirteen", "482913", id="grouped tens"),
            pytest.param("ninety-eight ten", "9810", id="hyphened"),
            pytest.param("nine hundred one two three", "900123", id="hundreds, then digits"),
            pytest.param("seven eight four, two thousand one", "7842001", id="a year inside"),
            pytest.param("nine eight, sorry, nine seven", "9897", id="a correction"),
            pytest.param("nine eight... can you hear me? ...five", "985", id="an interruption"),
            pytest.param("nou ath do shunya ek", "98201", id="Hinglish spellings"),
            pytest.param("अट्ठानवे दस चवालीस", "981044", id="Hindi tens"),
            pytest.param("डबल नाइन वन", "991", id="English in Devanagari"),
            pytest.param("تلاتة وعشرين أربعة", "234", id="units before tens"),
            pytest.param("خمس خمسات واحد", "555551", id="five fives"),
            pytest.param("زيرو حداشر دبل سبعة", "01177", id="Egyptian"),
            pytest.param("98 double 1, ४ ٥", "981145", id="written and said"),
            pytest.param("kar do 9845033211", "9845033211", id="a verb before digits"),
        ],
    )
    def test_reads(self, text, digits):
        """
        The digits of one number are one run, however they are said.
        """
        assert digits_of(text) == [digits]

    @pytest.mark.parametrize(
        ("text", "runs_of_digits"),
        [
            pytest.param("nine eight two, do din", ["982"], id="a length of time behind a comma"),
            pytest.param("two lakh fifty thousand", [], id="a sum"),
            pytest.param("4,500,000 or 49.99 at 9:30", [], id="sums and a time"),
            pytest.param("03/09/2025 to 2025-09-10", [], id="dates"),
            pytest.param("98450 to 98451", ["98450", "98451"], id="a word between"),
            pytest.param("it is 482. 77 came", ["482", "77"], id="a sentence between"),
            pytest.param("*199# and A54", [], id="a service code and a model"),
            pytest.param("please do so", [], id="English words"),
        ],
    )
    def test_stops(self, text, runs_of_digits):
        """
        Sums, times and dates are no digits, and a number ends where another thing begins.
        """
        assert digits_of(text) == runs_of_digits
