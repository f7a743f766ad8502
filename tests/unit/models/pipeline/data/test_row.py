"""Rows and their file form."""

import pytest

from models.pipeline.data.row import from_json, languages, read_rows, to_json, write_rows
from tests.unit.models.pipeline.data.factory import make_row


def test_a_row_survives_the_file(tmp_path):
    """What is written is read back equal, in order."""
    rows = [make_row(), make_row("हाँ", "ना", 0, language_a="hi", language_b="hi", weight=3.0)]

    count = write_rows(tmp_path / "rows.jsonl", rows)

    assert count == 2
    assert list(read_rows(tmp_path / "rows.jsonl")) == rows


def test_the_class_is_called_class_in_the_file():
    """The field is `kind` in Python only."""
    assert b'"class":"cluster:affirm"' in to_json(make_row())


def test_a_missing_field_is_an_error():
    """A row without its label cannot be read."""
    with pytest.raises(KeyError):
        from_json(b'{"a": "x", "b": "y"}')


def test_dialects_report_under_their_language_and_crossed_pairs_under_both():
    """Egyptian with Gulf is Arabic, English with Hinglish is a crossed pair."""
    assert languages(make_row(language_a="ar-EG", language_b="ar-Gulf")) == "ar"
    assert languages(make_row(language_a="hinglish", language_b="en")) == "en+hinglish"


def test_reversing_swaps_texts_and_languages():
    """The other order is the same pair told from the other side."""
    turned = make_row("yes", "हाँ", language_b="hi").reversed()

    assert (turned.a, turned.language_a) == ("हाँ", "hi")
    assert (turned.b, turned.language_b) == ("yes", "en")
