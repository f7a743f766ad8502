"""How texts and numbers are shown."""

import pytest

from workers.board.render import moment, number, share, span, words


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("<b>&\"'", "&lt;b&gt;&amp;&#34;&#39;", id="escaped"),
        pytest.param(
            "رقم [PHONE] هنا", 'رقم <bdi class="masked" dir="ltr">[PHONE]</bdi> هنا', id="masked"
        ),
        pytest.param("Price: ____", 'Price: <bdi class="blank" dir="ltr">____</bdi>', id="blank"),
        pytest.param("[<b>]", "[&lt;b&gt;]", id="no tag of ours"),
        pytest.param("[ID]<i>", '<bdi class="masked" dir="ltr">[ID]</bdi>&lt;i&gt;', id="both"),
        pytest.param("", "", id="empty"),
    ],
)
def test_words(text, shown):
    """Everything is escaped; what was masked and what is blank stand out."""
    assert str(words(text)) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "–"),
        (0.0, "0.0 ms"),
        (0.0024, "2.4 ms"),
        (0.08, "80 ms"),
        (1.0, "1.0 s"),
        (59.4, "59 s"),
        (90, "1.5 min"),
        (7_200, "2.0 h"),
    ],
)
def test_span(seconds, shown):
    """A span has the unit that fits it."""
    assert span(seconds) == shown


def test_numbers():
    """Thousands stand apart, shares are in per cent, moments are UTC."""
    assert number(1_234_567.0) == "1\u202f234\u202f567"
    assert (share(0.1234), share(None)) == ("12.3 %", "–")
    assert moment(1_796_040_000_000) == "30 Nov 2026, 12:00"
