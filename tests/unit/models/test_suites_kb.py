import re

import pytest

from models.pipeline.data.kb import knowledge_bases
from models.script_report import RowError
from models.suites import UnsoundSuiteError
from models.suites_kb import FOLDER, VARIETIES, load
from models.text import clean, match_key
from tests.unit.models.spoiling import copied, rewrite

NAMES = ("entries", "questions")


@pytest.fixture(scope="module")
def suite():
    """The committed suite."""
    return load()


@pytest.fixture
def folder(tmp_path):
    """A copy of the suite, to spoil."""
    return copied(FOLDER, tmp_path, NAMES)


def first(rows, **fields):
    """The first row with these fields."""
    return next(row for row in rows if all(row[name] == value for name, value in fields.items()))


def bare(text):
    """A text as recognisers spell it, to find one in both hands."""
    return re.sub(r"[^\w\s]", "", match_key(clean(text).text))


class TestCommitted:
    def test_sizes(self, suite):
        """The suite has three tenants, all varieties, and a quarter unanswerable."""
        assert {entry.tenant for entry in suite.entries} == {"wadi", "sahya", "dana"}
        assert {one.variety for one in suite.questions} == set(VARIETIES)
        unanswerable = sum(not one.gold for one in suite.questions)
        assert 0.2 < unanswerable / len(suite.questions) < 0.3

    def test_nothing_of_it_is_trained_on(self, suite):
        """No question and no entry is in the training data."""
        trained = {
            bare(text)
            for base in knowledge_bases()
            for text in (
                *(one.text for one in base.questions),
                *(entry.content for entry in base.entries),
            )
        }

        shared = [one.id for one in suite.questions if bare(one.question) in trained]
        shared += [entry.id for entry in suite.entries if bare(entry.content) in trained]

        assert shared == []

    def test_readme_counts(self, suite):
        """The README says how many entries and questions there are."""
        readme = (FOLDER / "README.md").read_text("utf-8")

        assert f"`entries.jsonl` ({len(suite.entries)})" in readme
        assert f"`questions.jsonl` ({len(suite.questions)})" in readme


class TestChecks:
    @pytest.mark.parametrize(
        ("name", "change", "reason"),
        [
            pytest.param(
                "entries", lambda rows: rows[1].update(id="W01"), "W01", id="entry id twice"
            ),
            pytest.param(
                "questions", lambda rows: rows[1].update(id="W01"), "W01", id="id of an entry"
            ),
            pytest.param("entries", lambda rows: rows[0].update(content=" "), "W01", id="no text"),
            pytest.param("entries", lambda rows: rows[0].update(lang="hi"), "W01", id="script"),
            pytest.param(
                "questions",
                lambda rows: rows[0].update(question="\u200b"),
                "wadi-q001",
                id="no question",
            ),
            pytest.param(
                "questions", lambda rows: rows[0].update(gold=["D01"]), "wadi-q001", id="tenant"
            ),
            pytest.param(
                "questions", lambda rows: rows[0].update(gold=["W999"]), "wadi-q001", id="nowhere"
            ),
            pytest.param("questions", lambda rows: rows[0].update(gold=[]), "wadi-q001", id="kind"),
            pytest.param(
                "questions",
                lambda rows: rows[0].update(kind="two_part"),
                "wadi-q001",
                id="two parts in one",
            ),
            pytest.param(
                "questions",
                lambda rows: rows[0].update(language_pair="ar-en"),
                "wadi-q001",
                id="entry's language",
            ),
            pytest.param(
                "questions",
                lambda rows: rows[0].update(variety="hindi"),
                "wadi-q001",
                id="question's language",
            ),
            pytest.param(
                "questions",
                lambda rows: first(rows, kind="unanswerable").update(language_pair="en-en"),
                "gold",
                id="pair without gold",
            ),
            pytest.param(
                "questions",
                lambda rows: rows[1].update(question=rows[0]["question"] + "."),
                "wadi-q002",
                id="asked twice",
            ),
            pytest.param(
                "questions",
                lambda rows: rows.__setitem__(
                    slice(None), [row for row in rows if row["variety"] != "gulf"]
                ),
                "gulf",
                id="too few of a variety",
            ),
        ],
    )
    def test_a_broken_rule(self, folder, name, change, reason):
        """The first rule broken is told with the row, without its text."""
        rewrite(folder, name, change)

        with pytest.raises(UnsoundSuiteError, match=reason) as caught:
            load(folder)

        assert str(caught.value).isascii()

    @pytest.mark.parametrize("name", NAMES)
    def test_no_row(self, folder, name):
        """A line that is no row is told by file and line."""
        rewrite(folder, name, lambda rows: rows[2].update(colour="red"))

        with pytest.raises(RowError, match=rf"{name}\.jsonl, line 3"):
            load(folder)
