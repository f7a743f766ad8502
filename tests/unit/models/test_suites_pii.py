import pytest

from models.masking import Kind
from models.script_report import RowError
from models.suites import UnsoundSuiteError
from models.suites_pii import PRODUCT, SOURCE, encode, parse, rows_of, summary


class TestCommitted:
    def test_file_is_made_of_source(self):
        """The file with offsets is what the marked one gives."""
        assert PRODUCT.read_bytes() == encode(rows_of())

    def test_sizes(self):
        """There are four hundred rows in four languages and every kind is among them."""
        found = summary(rows_of())

        assert found["rows"] >= 400
        assert set(found["languages"]) == {"en", "hi", "hinglish", "ar"}
        assert set(found["spans"]) == {kind.value for kind in Kind}


class TestParse:
    def test_offsets(self):
        """A mark becomes the offsets of what was said in it."""
        row = parse("मेरा नंबर {PHONE|९८} और {NAME|अमित} है")

        assert row.text == "मेरा नंबर ९८ और अमित है"
        assert [row.text[one.start : one.end] for one in row.spans] == ["९८", "अमित"]
        assert [one.type for one in row.spans] == [Kind.PHONE, Kind.NAME]

    @pytest.mark.parametrize("marked", ["a {PHONE|12", "a PHONE|12}", "{NOTHING|12}", "{PHONE|}"])
    def test_refuses(self, marked):
        """What is no mark is refused."""
        with pytest.raises(ValueError, match=r"mark|NOTHING"):
            parse(marked)


class TestRules:
    @pytest.fixture
    def spoil(self, tmp_path):
        """Write the source with something changed."""

        def write(change):
            path = tmp_path / "pii.txt"
            path.write_text(change(SOURCE.read_text("utf-8")), "utf-8")
            return path

        return write

    def test_twice(self, spoil):
        """A text stands once."""
        path = spoil(lambda text: text + "رقمي {PHONE|01012345876}\n")

        with pytest.raises(UnsoundSuiteError, match="said twice"):
            rows_of(path)

    def test_too_few(self, spoil):
        """A language without enough rows is refused."""
        path = spoil(lambda text: text.split("= ar")[0])

        with pytest.raises(UnsoundSuiteError, match="ar: only 0"):
            rows_of(path)

    def test_bad_line(self, spoil):
        """A bad line is named by its number and not shown."""
        path = spoil(lambda text: text.replace("{PHONE|", "{PHONEY|", 1))

        with pytest.raises(RowError, match="line 2") as raised:
            rows_of(path)

        assert "07700" not in str(raised.value)
