import msgspec
import pytest

from models.evaluation.pii import MarkedSpan, PiiRow, measure_pii
from models.masking import Kind, Span


def row(text, *spans, language=None):
    return PiiRow(text=text, spans=tuple(MarkedSpan(*span) for span in spans), language=language)


def measure(rows, found):
    """Measure rows whose masked spans are given by text."""
    return measure_pii(list(enumerate(rows, 1)), lambda text: found.get(text, []))


def test_counts():
    """What is found, leaked and masked for nothing is counted, by kind and language."""
    rows = [
        row("call 12345 67890", (5, 16, Kind.PHONE), language="en"),
        row("code 1234", (5, 9, Kind.OTP), language="en"),
        row("at 10:30", language="ar"),
        row("nothing", language="ar"),
    ]

    found = measure(
        rows,
        {
            "call 12345 67890": [Span(5, 15, Kind.ACCOUNT)],
            "at 10:30": [Span(3, 8, Kind.PHONE)],
        },
    )

    assert (found["recall"], found["precision"]) == (0.5, 0.5)
    assert found["leaked_characters"] == 1 + 4
    assert found["over_masked_lines"] == 0.5
    assert found["over_masked"] == [3]
    assert found["leaks"] == {"OTP": [2], "PHONE": [1]}
    assert found["by_type"]["PHONE"]["recall"] == 1.0
    assert found["by_type"]["PHONE"]["right_type"] == 0.0
    assert found["by_lang"]["en"]["recall"] == 0.5
    assert found["by_lang"]["ar"]["over_masked_lines"] == 0.5
    assert found["by_lang"]["ar"]["recall"] is None


@pytest.mark.parametrize(("end", "recall"), [(8, 1.0), (7, 0.0)])
def test_overlap(end, recall):
    """A span is found from four fifths of its characters on."""
    found = measure(
        [row("0123456789", (0, 10, Kind.PHONE))], {"0123456789": [Span(0, end, Kind.PHONE)]}
    )

    assert found["recall"] == recall


def test_too_wide_is_imprecise():
    """Masking the whole line finds everything, and its precision says how."""
    found = measure(
        [row("my number is 01234", (13, 18, Kind.PHONE))],
        {"my number is 01234": [Span(0, 18, Kind.PHONE)]},
    )

    assert (found["recall"], found["precision"]) == (1.0, 0.0)


def test_words_are_no_digits():
    """Names, addresses and mail do not count among the kinds made of digits."""
    found = measure([row("Asha", (0, 4, Kind.NAME)), row("12", (0, 2, Kind.OTP))], {})

    assert found["digit_spans"] == 1


@pytest.mark.parametrize(
    "spans",
    ['[{"start":0,"end":9,"type":"OTP"}]', '[{"start":2,"end":2,"type":"OTP"}]',
     '[{"start":2,"end":3,"type":"OTP"},{"start":0,"end":1,"type":"OTP"}]'],
    ids=["past the end", "empty", "out of order"],
)  # fmt: skip
def test_refuses_spans(spans):
    """Spans that cannot be are refused."""
    with pytest.raises(msgspec.ValidationError, match="spans"):
        msgspec.json.decode(f'{{"text":"abcd","spans":{spans}}}', type=PiiRow)
