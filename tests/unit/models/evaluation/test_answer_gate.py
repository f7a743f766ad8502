"""The adversarial gate of an answer judge."""

import hashlib
import json

import msgspec
import pytest

from models.evaluation.answer_gate import run_answer_gate
from models.evaluation.gate import SuiteError
from models.manifest import Gate
from models.script_report import RowError

NO = (0.6, 0.3, 0.1, 0.0)
#: Exactly the threshold.
YES = (0.4, 0.2, 0.1, 0.3)

PRICE = {
    "id": "price", "language": "ar", "entry_language": "en", "class": "attribute",
    "question": "بكام", "title": "Hours", "content": "Open from 9.", "answers": False,
}  # fmt: skip
HOURS = {
    "id": "hours", "language": "en", "entry_language": "en", "class": "answers",
    "question": "when", "title": "Hours", "content": "Open from 9.", "answers": True,
}  # fmt: skip


class TableJudge:
    """Gives a question what its table says, and keeps what it was shown."""

    threshold = 0.4

    def __init__(self, **known):
        self.known = known
        self.asked = []

    def judge(self, question, entries):
        """Judge from the table."""
        self.asked += [(question, one) for one in entries]
        return tuple(self.known.get(question, NO) for _ in entries)


@pytest.fixture
def suite(tmp_path):
    """Write a suite and give its path."""

    def write(*rows, name="suite.jsonl"):
        path = tmp_path / name
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        return path

    return write


class TestRunAnswerGate:
    def test_passes(self, suite):
        """A judge that takes no wrong entry passes, whatever it misses."""
        result = run_answer_gate(TableJudge(), [suite(PRICE, HOURS)])

        assert result.passed
        assert (result.measures["n"], result.measures["recall"]) == (2, 0.0)

    def test_one_wrong_hit_fails(self, suite):
        """An entry taken at the very threshold that must not be fails the bundle, and is shown."""
        result = run_answer_gate(TableJudge(بكام=YES), [suite(PRICE, HOURS)])

        (hit,) = result.wrong_hits
        assert not result.passed
        assert (hit.name, hit.language, hit.kind) == ("price", "ar", "attribute")
        assert (hit.question, hit.title, hit.content) == ("بكام", "Hours", "Open from 9.")
        assert hit.probability == pytest.approx(0.4)

    def test_surest_first(self, suite):
        """Of several wrong hits the surest is shown first."""
        judge = TableJudge(بكام=YES, fee=(0.0, 0.0, 0.0, 1.0))

        result = run_answer_gate(judge, [suite(PRICE, PRICE | {"id": "fee", "question": "fee"})])

        assert [hit.name for hit in result.wrong_hits] == ["fee", "price"]

    def test_what_was_not_read_to_its_end_does_not_answer(self, suite):
        """An entry without a verdict is served nobody."""
        result = run_answer_gate(TableJudge(بكام=None), [suite(PRICE)])

        assert result.passed

    def test_shown_as_in_serving(self, suite):
        """The judge sees question and entry, and nothing of the label."""
        judge = TableJudge()

        run_answer_gate(judge, [suite(PRICE)])

        ((question, entry),) = judge.asked
        assert question == "بكام"
        assert (entry.title, entry.content, entry.category) == ("Hours", "Open from 9.", None)

    def test_groups(self, suite):
        """Counts are given by language, by both languages and by class."""
        found = run_answer_gate(TableJudge(when=YES), [suite(PRICE, HOURS)]).measures

        assert found["by_language"].keys() == {"ar", "en"}
        assert found["by_language_pair"].keys() == {"ar-en", "en-en"}
        assert found["by_language_pair"]["en-en"]["recall"] == 1.0
        assert found["by_class"]["attribute"]["false_accepts"] == 0

    def test_rows_without_columns(self, suite):
        """A row of texts and label only is named by its number, with its file among several."""
        bare = {"question": "fee", "title": "", "content": "x", "answers": False}
        files = [suite(bare, name="one.jsonl"), suite(PRICE, name="two.jsonl")]

        result = run_answer_gate(TableJudge(fee=YES), files)

        assert [hit.name for hit in result.wrong_hits] == ["one.jsonl:1"]
        assert result.measures["by_class"].keys() == {"attribute"}

    def test_block_of_the_manifest(self, suite):
        """The result fits into a manifest."""
        path = suite(PRICE, HOURS)

        gate = msgspec.convert(run_answer_gate(TableJudge(), [path]).for_manifest, Gate)

        assert (gate.passed, gate.cases, gate.wrong_hits) == (True, 2, 0)
        assert gate.suites == {"suite.jsonl": hashlib.sha256(path.read_bytes()).hexdigest()}

    def test_a_suite_that_cannot_fail(self, suite):
        """Where every entry answers there is nothing to pass."""
        with pytest.raises(SuiteError, match="every entry"):
            run_answer_gate(TableJudge(), [suite(HOURS)])

    @pytest.mark.parametrize(
        "change",
        [{"question": "  "}, {"answers": "no"}, {"content": None}],
        ids=["blank question", "label", "no content"],
    )
    def test_no_row(self, suite, change):
        """A line that is no row stops the gate with its number, without its texts."""
        with pytest.raises(RowError, match="line 2") as caught:
            run_answer_gate(TableJudge(), [suite(HOURS, PRICE | change)])

        assert "Open" not in str(caught.value)
