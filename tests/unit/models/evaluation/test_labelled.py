import msgspec
import pytest

from models.evaluation.labelled import read_labelled
from models.script_report import RowError


class Row(msgspec.Struct):
    text: str
    count: int = 0


@pytest.fixture
def write(tmp_path):
    """Write a file and give its path."""

    def write_file(content):
        path = tmp_path / "rows.jsonl"
        path.write_bytes(content)
        return path

    return write_file


def test_numbers(write):
    """Rows carry the number of their line; blank lines and unknown fields are passed over."""
    path = write(b'{"text":"a"}\n\n{"text":"b","more":1}\n')

    assert [(number, row.text) for number, row in read_labelled(path, Row)] == [(1, "a"), (3, "b")]


@pytest.mark.parametrize(
    "line",
    [b"{secret", b'["secret"]', b'{"text":5}', b'{"count":"secret"}', b'{"text":"\xff"}', b""],
    ids=["no JSON", "list", "type", "missing", "not UTF-8", "empty"],
)
def test_refuses(write, line):
    """A bad row stops the reading; the error shows nothing of it."""
    with pytest.raises(RowError) as raised:
        read_labelled(write(line), Row)

    assert "secret" not in str(raised.value)
    assert raised.value.line == 1
