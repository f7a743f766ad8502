"""Where values stand, which end of a range they are, which way they count, what they count."""

import pytest

from models.values import Role, ValueKind, read


class TestSpan:
    @pytest.mark.parametrize(
        ("text", "parts"),
        [
            pytest.param("so two hundred rupees, ok", ["two hundred rupees"], id="english"),
            pytest.param("कल सुबह साढ़े आठ बजे आना", ["कल", "साढ़े आठ बजे"], id="hindi"),
            pytest.param("الساعة تمانية ونص بالليل", ["الساعة تمانية ونص"], id="arabic"),
            pytest.param("رقم ٠٥٠ ١٢٣ ٤٥٦٧ شكرا", ["٠٥٠ ١٢٣ ٤٥٦٧"], id="digits in groups"),
            pytest.param("call the day after tomorrow", ["day after tomorrow"], id="compound"),
        ],
    )
    def test_is_where_the_words_are(self, text, parts):
        """
        The span of a value covers its words in the text as given.
        """
        values = read(text)

        assert [text[start:end] for start, end in (value.span for value in values)] == parts


class TestRole:
    @pytest.mark.parametrize(
        "text",
        [
            "from 5 to 7 days",
            "5 se 7 din",
            "5-7 days",
            "من 5 الى 7 ايام",
            "5 से 7 दिन",
        ],
    )
    def test_ends_of_a_range(self, text):
        """
        The words between two values of a range tell which end each is.
        """
        assert [value.role for value in read(text)] == [Role.FROM, Role.TO]

    @pytest.mark.parametrize("text", ["5 or 7 days", "between 5 and 7 days", "do teen din"])
    def test_alternatives_have_no_ends(self, text):
        """
        Alternatives and approximations have no first and last.
        """
        assert [value.role for value in read(text)] == [None, None]

    @pytest.mark.parametrize(
        ("text", "role"),
        [
            pytest.param("3 days ago", Role.AGO, id="ago"),
            pytest.param("in 3 days", Role.LATER, id="in"),
            pytest.param("teen din pehle", Role.AGO, id="pehle"),
            pytest.param("teen din ke baad", Role.LATER, id="ke baad"),
            pytest.param("तीन दिन बाद", Role.LATER, id="बाद"),
            pytest.param("منذ 3 ايام", Role.AGO, id="منذ"),
            pytest.param("بعد 3 ايام", Role.LATER, id="بعد"),
            pytest.param("for 3 days", None, id="for"),
        ],
    )
    def test_way_of_a_length(self, text, role):
        """
        A length of time is counted back or ahead where the words say so.
        """
        assert [value.role for value in read(text)] == [role]


class TestUnit:
    @pytest.mark.parametrize(
        ("text", "unit"),
        [
            pytest.param("two tickets", "ticket", id="english"),
            pytest.param("do bacche", "child", id="hinglish"),
            pytest.param("तीन लोग", "person", id="hindi"),
            pytest.param("تلات أشخاص", "person", id="arabic"),
            pytest.param("غرفتين", "room", id="dual"),
            pytest.param("2bhk", "bhk", id="written onto digits"),
            pytest.param("two chairs", None, id="not known"),
        ],
    )
    def test_names_what_is_counted(self, text, unit):
        """
        A count of something known names it.
        """
        values = read(text)

        assert [value.kind for value in values] == [ValueKind.NUMBER]
        assert [value.unit for value in values] == [unit]
