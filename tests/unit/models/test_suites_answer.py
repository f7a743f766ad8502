import re
from collections import Counter

import pytest

from models import suites_kb
from models.evaluation.answer_gate import SUITE, AnswerRow
from models.evaluation.labelled import read_labelled
from models.pipeline.data.kb import knowledge_bases
from models.pipeline.data.overlap import auc, jaccard
from models.script_report import RowError
from models.suites import FOLDER, LANGUAGES, UnsoundSuiteError
from models.suites_answer import KINDS, load, pair_of, pairs
from models.text import clean, match_key
from tests.unit.models.spoiling import copied, rewrite

NAME = "answer_gate"


@pytest.fixture(scope="module")
def rows():
    """The committed suite."""
    return load()


@pytest.fixture
def folder(tmp_path):
    """A copy of the suite, to spoil."""
    return copied(FOLDER, tmp_path, [NAME])


def bare(text):
    """A text without punctuation, as two writers would share it."""
    return re.sub(r"[^\w\s\u0900-\u097f]", "", match_key(clean(text).text)).strip()


def turn(rows, language, kind, most, change):
    """Change the first rows of a language and class, so many at most."""
    own = [row for row in rows if (row["language"], row["class"]) == (language, kind)]
    for row in own[:most]:
        row.update(change)


class TestCommitted:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_word_overlap_is_no_shortcut(self, rows, language):
        """Counting shared words ranks the answers below the others."""
        own = [row for row in rows if row.language == language]
        overlaps = [jaccard(row.question, f"{row.title} {row.content}") for row in own]

        area = auc(overlaps, [int(row.answers) for row in own])

        assert area is not None
        assert area < 0.5

    def test_nothing_of_it_is_trained_on(self, rows):
        """No question and no entry is in the training data, nor in the other suite."""
        suite = suites_kb.load()
        known = {
            bare(text)
            for base in knowledge_bases()
            for text in (
                *(one.text for one in base.questions),
                *(entry.content for entry in base.entries),
            )
        }
        known |= {bare(one.question) for one in suite.questions}
        known |= {bare(entry.content) for entry in suite.entries}

        assert [row.id for row in rows if {bare(row.question), bare(row.content)} & known] == []

    def test_the_gate_reads_it(self, rows):
        """The gate reads the suite as it stands."""
        read = [row for _, row in read_labelled(SUITE, AnswerRow)]

        assert [row.id for row in read] == [row.id for row in rows]
        assert {row.kind for row in read} == set(KINDS)

    def test_readme_counts(self, rows):
        """The README says how many rows there are, of each language and class."""
        readme = (FOLDER / "README.md").read_text("utf-8")
        counts = Counter((row.kind, row.language) for row in rows)

        assert f"({len(rows)} rows, {sum(row.answers for row in rows)} of them" in readme
        for language in LANGUAGES:
            own = [row for row in rows if row.language == language]
            across = sum(row.entry_language != language for row in own)
            answering = sum(row.answers for row in own)
            assert f"| {language} | {len(own)} | {answering} | {across} |" in readme
        for kind in KINDS:
            assert f"{kind} {' / '.join(str(counts[kind, one]) for one in LANGUAGES)}" in readme


class TestPairs:
    def test_spelling_is_no_part(self, rows):
        """Case and punctuation do not tell a pair from one of the suite."""
        first = rows[0]

        assert pair_of(first.question.upper() + "?", first.content.upper()) in pairs(rows)
        assert pair_of(first.question, rows[-1].content) not in pairs(rows)


class TestChecks:
    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            pytest.param(lambda rows: rows.append(rows[0]), "id given twice", id="id"),
            pytest.param(
                lambda rows: rows.append(rows[0] | {"id": "again", "title": "Other"}),
                "again: the same pair",
                id="pair",
            ),
            pytest.param(lambda rows: rows[0].update(answers=True), "disagree", id="label"),
            pytest.param(lambda rows: rows[0].update(question=" "), "clean form", id="blank"),
            pytest.param(
                lambda rows: rows[0].update(question="how  much"), "clean form", id="unclean"
            ),
            pytest.param(
                lambda rows: rows[0].update(question="कब खुलता है"), "question.*script", id="script"
            ),
            pytest.param(
                lambda rows: rows[0].update(entry_language="ar"), "entry.*script", id="entry script"
            ),
            pytest.param(
                lambda rows: rows[0].update(title=" "), "says nothing", id="entry without a title"
            ),
            pytest.param(
                lambda rows: rows.__delitem__(slice(60)), "en: only", id="few of a language"
            ),
            pytest.param(
                lambda rows: turn(rows, "hi", "echo", 99, {"class": "entity"}),
                "hi: no row of class echo",
                id="class",
            ),
            pytest.param(
                lambda rows: turn(rows, "ar", "answers", 10, {"class": "echo", "answers": False}),
                "ar: 0.05 of the entries answer",
                id="nearly all no",
            ),
            pytest.param(
                lambda rows: turn(rows, "en", "entity", 10, {"class": "answers", "answers": True}),
                "en: 0.18 of the entries answer",
                id="too many answers",
            ),
            pytest.param(
                lambda rows: [row.update(entry_language="en") for row in rows
                              if row["entry_language"] == "hinglish"],
                "in another language",
                id="across",
            ),
        ],
    )  # fmt: skip
    def test_a_broken_rule(self, folder, change, reason):
        """The first rule broken is told with the row, without its text."""
        rewrite(folder, NAME, change)

        with pytest.raises(UnsoundSuiteError, match=reason) as caught:
            load(folder)

        assert str(caught.value).isascii()

    @pytest.mark.parametrize(
        "change",
        [{"answers": 1}, {"class": "mood"}, {"language": "fr"}, {"title": None}, {"extra": 1}],
        ids=["label", "class", "language", "null", "unknown field"],
    )
    def test_no_row(self, folder, change):
        """A line that is no row is told by file and line."""
        rewrite(folder, NAME, lambda rows: rows[2].update(change))

        with pytest.raises(RowError, match=r"answer_gate\.jsonl, line 3"):
            load(folder)
