import pytest

from models.masking.view import view_of


class TestView:
    @pytest.mark.parametrize(
        ("raw", "text"),
        [
            pytest.param("My PIN", "my pin", id="case"),
            pytest.param("٤٨۲९２", "48292", id="digits of five scripts"),
            pytest.param("98\u200b20\u200f", "9820", id="zero-width and bidi"),
            pytest.param(
                "a\u00adb\ufeffc\u2060d\ufe0f", "abcd", id="soft hyphen, BOM, joiner, selector"
            ),
            pytest.param("5\u00a05\u20115", "5 5-5", id="no-break space and hyphen"),
            pytest.param("فـــلان", "فلان", id="tatweel"),
            pytest.param("أَحمدُ", "احمد", id="vowel signs and hamza"),
            pytest.param("फ़ोन", "फोन", id="nukta"),
            pytest.param("ｏｔｐ：４", "otp:4", id="full width"),
            pytest.param("ﻻ", "لا", id="presentation form"),
            pytest.param("\ud800x\x00", "x", id="surrogate and control"),
        ],
    )
    def test_folds(self, raw, text):
        """
        What looks or sounds alike is read alike; what is invisible is not read.
        """
        assert view_of(raw).text == text

    @pytest.mark.parametrize(
        ("raw", "folded", "there"),
        [
            pytest.param("\u200e48\u200b213\u200e", "48213", "48\u200b213", id="edges stay"),
            pytest.param("न\u093c है", "न", "न\u093c", id="a mark goes with its letter"),
            pytest.param("هـ ok", "ه", "هـ", id="tatweel goes with its letter"),
            pytest.param("xﻻ5", "لا", "ﻻ", id="one letter that reads as two"),
        ],
    )
    def test_way_back(self, raw, folded, there):
        """
        A span of the view is a span of the text, without invisible characters at its edges.
        """
        view = view_of(raw)
        start = view.text.index(folded)

        first, last = view.span(start, start + len(folded))

        assert raw[first:last] == there
