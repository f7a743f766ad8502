"""Files of entries and questions."""

import json

import pytest

from models.evaluation.kb.cases import cases
from models.evaluation.kb.rows import read_entries, read_questions
from models.script_report import RowError
from tests.fakes.models import FakeEncoder

ENTRY = {"id": "a", "tenant": "t", "title": "Title", "content": "Content."}
QUESTION = {"id": "q", "tenant": "t", "question": "what", "gold": ["a"]}
OWN = {"id": "q", "question": "what", "candidates": [{"id": "x", "content": "secret"}]}


@pytest.fixture
def write(tmp_path):
    """Write rows to a file and return its path."""

    def write(*rows):
        path = tmp_path / "rows.jsonl"
        path.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in rows))
        return path

    return write


@pytest.fixture
def entries(write):
    """The entries of a file."""
    return read_entries(write(ENTRY | {"updated": "2026-01-02", "lang": "en", "more": 1}))


class TestEntries:
    def test_good(self, entries):
        """
        Known fields are read, a date is its midnight.
        """
        (entry,) = entries
        assert (entry.tenant_id, entry.entry_id, entry.lang) == ("t", "a", "en")
        assert entry.updated_at_ms == 1_767_312_000_000

    @pytest.mark.parametrize(
        "rows",
        [
            pytest.param([], id="none"),
            pytest.param(["{"], id="no JSON"),
            pytest.param(["[]"], id="no object"),
            pytest.param([{"id": "a", "tenant": "t", "title": "secret"}], id="no content"),
            pytest.param([ENTRY | {"updated": "secret"}], id="no date"),
            pytest.param([ENTRY, ENTRY], id="twice"),
        ],
    )
    def test_bad(self, write, rows):
        """
        A bad row is an error with its line, and nothing of its text.
        """
        with pytest.raises(RowError, match="line") as excinfo:
            read_entries(write(*rows))

        assert "secret" not in str(excinfo.value)


class TestQuestions:
    def test_good(self, write, entries):
        """
        Gold, answerability and columns are read; other fields that are no columns are left out.
        """
        path = write(
            QUESTION | {"variety": "gulf", "turn": 3, "nested": {}},
            QUESTION | {"id": "r", "gold": []},
        )

        first, second = read_questions(path, entries)

        assert (first.gold, first.answerable) == (frozenset("a"), True)
        assert first.columns == {"variety": "gulf", "turn": "3"}
        assert (second.gold, second.answerable, second.candidates) == (frozenset(), False, None)

    def test_own_candidates(self, write):
        """
        With candidates of its own a question needs neither tenant nor entries nor gold.
        """
        (found,) = read_questions(write(OWN | {"answerable": True}), None)

        assert (found.gold, found.answerable) == (None, True)
        assert [one.entry_id for one in found.candidates] == ["x"]

    @pytest.mark.parametrize(
        ("row", "reason"),
        [
            pytest.param(QUESTION | {"gold": "a"}, "gold", id="gold is text"),
            pytest.param(QUESTION | {"gold": ["b"]}, "no entry of its tenant", id="unknown gold"),
            pytest.param(QUESTION | {"tenant": "u"}, "no entry of its tenant", id="other tenant"),
            pytest.param(QUESTION | {"gold": None}, "neither", id="nothing known"),
            pytest.param(QUESTION | {"answerable": 1}, "neither true nor false", id="a number"),
            pytest.param(QUESTION | {"answerable": False}, "yet there is gold", id="contradiction"),
            pytest.param(QUESTION | {"question": None}, "question", id="no question"),
            pytest.param(OWN, "neither", id="own candidates, nothing known"),
            pytest.param(OWN | {"candidates": ["secret"]}, "candidates", id="no entries"),
        ],
    )
    def test_bad(self, write, entries, row, reason):
        """
        A bad row is an error that says why, with nothing of its text.
        """
        with pytest.raises(RowError, match=reason) as excinfo:
            read_questions(write(row), entries)

        assert "secret" not in str(excinfo.value)

    def test_nothing_to_search(self, write):
        """
        Without entries every question brings its own candidates.
        """
        with pytest.raises(RowError, match="no entries to search"):
            read_questions(write(QUESTION), None)


class TestCases:
    def test_search(self, write, entries):
        """
        Candidates of a question are what search finds for its tenant.
        """
        questions = read_questions(write(QUESTION, OWN | {"id": "o", "answerable": False}), entries)

        searched, own = cases(questions, entries, encoder=FakeEncoder(), top=8)

        assert searched.ids == ("a",)
        assert own.ids == ("x",)
        assert searched.cosine == own.cosine == pytest.approx(1.0)

    def test_no_candidates(self, write):
        """
        A question whose agent found nothing has no candidates and no cosine.
        """
        questions = read_questions(write(OWN | {"candidates": [], "gold": []}), None)

        (found,) = cases(questions, (), encoder=FakeEncoder(), top=8)

        assert (found.ids, found.cosine) == ((), 0.0)
