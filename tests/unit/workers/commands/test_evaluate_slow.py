"""`turngate eval` of the slow path's parts, as a person types it."""

import json

import pytest
from click.testing import CliRunner

from workers.cli import main


@pytest.fixture
def write(tmp_path):
    """Write rows to a file and give its path."""

    def write_file(*rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        return str(path)

    return write_file


def run(*arguments):
    return CliRunner().invoke(main, ["eval", *arguments])


class TestPii:
    def test_last_line(self, write):
        """The last line is JSON; leaks are lines, and no text is shown."""
        path = write(
            {"text": "my number is 98201 47735",
             "spans": [{"start": 13, "end": 24, "type": "PHONE"}]},
            {"text": "the parrot answers to Zebedee",
             "spans": [{"start": 22, "end": 29, "type": "NAME"}]},
            {"text": "at half past four", "spans": [], "language": "en"},
        )  # fmt: skip

        result = run("pii", path)

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert (found["recall"], found["precision"], found["over_masked_lines"]) == (0.5, 1.0, 0.0)
        assert found["leaks"] == {"NAME": [2]}
        assert "leaks NAME: lines 2" in result.output
        assert not {"98201", "Zebedee", "parrot"} & set(result.output.split())

    def test_bad_row(self, write):
        """A bad row is a sentence with its line, not a traceback and not its text."""
        result = run("pii", write({"text": "secret", "spans": [{"start": 0, "end": 99}]}))

        assert result.exit_code == 1
        assert "line 1" in result.output
        assert "secret" not in result.output


class TestDrafts:
    def test_last_line(self, write):
        """The last line is JSON, and no text is shown."""
        path = write(
            {"evidence": ["Zebedee costs 5 euros."], "draft": "Zebedee costs 5 euros.", "ok": True},
            {
                "evidence": ["Zebedee costs 5 euros."],
                "draft": "Zebedee costs 6 euros.",
                "ok": False,
            },
        )

        result = run("drafts", path)

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert (found["bad_accepted"], found["good_accepted_rate"]) == (0, 1.0)
        assert "Zebedee" not in result.output


class TestClassify:
    def test_last_line(self, write, tmp_path):
        """The last line is JSON; the tenant's entries are heard where they are given."""
        path = write(
            {"tenant": "t", "question": "Zebedee, where is my order", "reason": "needs_live_data"},
            {"tenant": "u", "question": "what is the capital of france", "reason": "off_topic"},
        )
        entries = tmp_path / "entries.jsonl"
        entries.write_text('{"tenant":"t","title":"Orders","content":"Where your order is."}')

        result = run("classify", path, "--entries", str(entries))

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert found.keys() >= {"macro_f1", "accuracy", "confusion", "by_lang", "threshold"}
        assert found["n"] == 2
        assert "Zebedee" not in result.output


class TestSame:
    def test_last_line(self, write):
        """The last line is JSON, with the best cosine beside it, and shows no text."""
        path = write(
            {"a": "does Zebedee deliver", "b": "Does Zebedee deliver?", "same": True,
             "kind": "paraphrase", "language": "en-en"},
            {"a": "is there parking", "b": "في موقف بعشرة", "same": False, "language": "en-ar"},
        )  # fmt: skip

        result = run("same", path)

        assert result.exit_code == 0, result.output
        found = json.loads(result.output.splitlines()[-1])
        assert found.keys() >= {"accuracy", "auc", "by_kind", "cosine_accuracy", "by_languages"}
        assert found["n"] == 2
        assert "Zebedee" not in result.output
