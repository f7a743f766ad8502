import json

import pytest

from models.script_report import RowError, evaluate_scripts


@pytest.fixture
def rows(tmp_path):
    """A function that writes rows to a file and gives its path."""

    def write(*lines):
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def row(text, language):
    """One line of an evaluation file."""
    return json.dumps({"text": text, "language": language, "set": "ours"}, ensure_ascii=False)


class TestEvaluateScripts:
    def test_shares(self, rows):
        """
        The share of each language's rows that the allowlist lets through.
        """
        path = rows(
            row("i want to cancel my order", "en"),
            row("Actually,", "en"),
            row("मुझे नहीं चाहिए", "hi"),
            row("मला माझे पैसे परत हवे आहेत", "mr"),
            row("ok", "mr"),
        )

        assert evaluate_scripts(path) == {"n": 5, "allowed": {"en": 1.0, "hi": 1.0, "mr": 0.5}}

    def test_empty(self, rows):
        """
        A file without rows has no shares.
        """
        assert evaluate_scripts(rows("")) == {"n": 0, "allowed": {}}

    @pytest.mark.parametrize(
        "bad",
        [
            pytest.param("{secret", id="not JSON"),
            pytest.param('["secret"]', id="not an object"),
            pytest.param('{"text": "secret"}', id="no language"),
            pytest.param('{"language": "en", "word": "secret"}', id="no text"),
            pytest.param('{"text": 5, "language": "secret"}', id="text is no string"),
        ],
    )
    def test_bad_row(self, rows, bad):
        """
        A bad row stops the run; the error names its line and shows nothing of it.
        """
        path = rows(row("yes", "en"), bad)

        with pytest.raises(RowError) as excinfo:
            evaluate_scripts(path)

        assert excinfo.value.line == 2
        assert "line 2" in str(excinfo.value)
        assert "secret" not in str(excinfo.value)
        assert excinfo.value.__cause__ is None
