"""Labelled phrases from files."""

import pytest

from models.evaluation.router.rows import Row, read_rows
from models.script_report import RowError


def test_rows(tmp_path):
    """
    Texts and intents are read in order; other fields and blank lines are ignored.
    """
    file = tmp_path / "rows.jsonl"
    file.write_text(
        '{"text":"بطاقتي","intent":"card","x":1}\n\n{"text":"\\u2028a","intent":"oos"}\n', "utf-8"
    )

    assert read_rows(file) == [Row("بطاقتي", "card"), Row("\u2028a", "oos")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param("secret", "not JSON", id="no JSON"),
        pytest.param('["secret"]', "not an object", id="no object"),
        pytest.param('{"text":"secret"}', "no text in field 'intent'", id="no intent"),
        pytest.param('{"text":" ","intent":"secret"}', "nothing in field 'text'", id="empty text"),
        pytest.param('{"text":"secret","intent":""}', "nothing in field 'intent'", id="empty name"),
        pytest.param('{"text":7,"intent":"secret"}', "no text in field 'text'", id="no text"),
    ],
)
def test_a_bad_row(tmp_path, line, reason):
    """
    A bad row stops the reading; the error names its line and shows nothing of it.
    """
    file = tmp_path / "rows.jsonl"
    file.write_text(f'{{"text":"a","intent":"b"}}\n{line}\n')

    with pytest.raises(RowError, match=reason) as excinfo:
        read_rows(file)

    assert "2" in str(excinfo.value)
    assert "secret" not in str(excinfo.value)


def test_an_intent_that_train_lacks(tmp_path):
    """
    It is a slip of the pen and no phrase out of scope, which goes by its own name.
    """
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text":"a","intent":"oos"}\n\n{"text":"b","intent":"secret"}\n')

    with pytest.raises(RowError, match=r"rows\.jsonl, line 3: train has no row") as excinfo:
        read_rows(file, [Row("c", "card")])

    assert "secret" not in str(excinfo.value)
    assert read_rows(file, [Row("c", "secret")])[1] == Row("b", "secret")


def test_a_byte_order_mark(tmp_path):
    """
    Some editors put one before the first line.
    """
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"text":"a","intent":"b"}\n')

    assert read_rows(file) == [Row("a", "b")]


def test_an_empty_file(tmp_path):
    """
    A file without rows is no file of rows.
    """
    file = tmp_path / "rows.jsonl"
    file.write_text("\n")

    with pytest.raises(RowError, match="no rows"):
        read_rows(file)
