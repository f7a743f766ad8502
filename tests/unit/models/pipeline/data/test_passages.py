"""Passages for the answer judge: windows, levels, and what stays out."""

import gzip
import json
import random

import pytest

from models.pipeline.data.passages import passage_rows
from models.pipeline.data.xquad import LANGUAGES

TESTED, FREE, OTHER = "Warsaw", "Rhine", "Fresno"
#: Sentences of one paragraph; the third holds the answer, and the last its words.
SENTENCES = (
    "It is a long river. ",
    "Many towns lie on its banks. ",
    "Its mouth is at {name} harbour. ",
    "Ships carry coal and grain. ",
    "Boats leave {name} harbour at dawn. ",
)


def article(title, questions):
    """An article of three paragraphs; the last also has the words of the answer to the first's."""
    context = "".join(SENTENCES).format(name=title)
    answer = f"{title} harbour"
    asked = [
        {
            "id": f"{title}-{place}",
            "question": text,
            "answers": [{"text": answer, "answer_start": context.index(answer)}] if known else [],
        }
        for place, (text, known) in enumerate(questions)
    ]
    return {
        "title": title,
        "paragraphs": [
            {"context": context, "qas": asked},
            {
                "context": f"{title} has a second paragraph.",
                "qas": [{"id": f"{title}-2", "question": "Is there more?", "answers": []}],
            },
            {
                "context": f"Where does it flow into the sea? At {title} harbour.",
                "qas": [{"id": f"{title}-3", "question": "Is that all?", "answers": []}],
            },
        ],
    }


def write(path, articles):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps({"data": articles}).encode()))


def table(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join("\t".join(line) for line in lines).encode()))


@pytest.fixture
def data(tmp_path):
    """Public sets, small; each title has a question with an answer."""
    known = [("Where does it flow into the sea?", True)]
    for language in LANGUAGES:
        write(
            tmp_path / "xquad" / f"xquad.{language}.json.gz",
            [article(title, known) for title in (TESTED, FREE, OTHER)],
        )
    tricky = [*known, ("Where does its sister flow into the sea?", False)]
    write(tmp_path / "squad2_dev" / "dev.json.gz", [article(FREE, tricky), article(TESTED, tricky)])
    for name in ("train", "test"):
        write(tmp_path / "arcd" / f"arcd-{name}.json.gz", [article(f"مقال {name}", known)])
    for name in ("asr_natural", "asr_synthetic"):
        table(
            tmp_path / "noiseqa" / f"{name}.tsv.gz",
            ("xquad_id", "clean", "noisy"),
            ("1", "Where does it flow into the sea?", "wear does it flow in to the see"),
        )
    table(
        tmp_path / "disfl_qa" / "dev.tsv.gz",
        ("squad2_id", "original", "disfluent"),
        ("1", "Where does it flow into the sea?", "When no wait where does it flow"),
    )
    return tmp_path


@pytest.fixture
def rows(data):
    return [row for seed in range(20) for row in passage_rows(data, random.Random(seed))]  # noqa: S311


def test_level_3_holds_the_answer_and_no_other_level_does(rows):
    """A passage answers if, and only if, it has the answer's sentence and that is asked for."""
    for row in rows:
        if "flow" not in row.question or "sister" in row.question:
            continue
        name = row.group[0].removeprefix("passage:")
        assert (f"{name} harbour" in row.content) == (row.level == 3)


def test_each_question_has_near_and_far_passages(rows):
    """Without its sentence a passage is near, as is another of the article; others are far."""
    assert {row.level for row in rows} == {0, 1, 3}
    near = {row.content for row in rows if row.level == 1}
    assert any("second paragraph" in text for text in near)
    assert any("Many towns" in text and "Ships" in text for text in near)
    for row in rows:
        name = row.group[0].removeprefix("passage:")
        assert row.level or f"{name} has a second" not in row.content


def test_nothing_of_the_tested_articles(rows):
    """Neither their questions nor their passages are in any row."""
    assert f"passage:{TESTED}" not in {row.group[0] for row in rows}
    assert not any(TESTED in row.content for row in rows)


def test_unanswerable_questions_have_no_answer(rows):
    """A question that was written to look answerable has its own paragraph as a near miss."""
    levels = {row.level for row in rows if "sister" in row.question.lower()}
    assert levels == {0, 1}


def test_questions_as_they_are_heard(rows):
    """English questions also come as a recogniser hears them, and some without marks."""
    english = {row.question for row in rows if row.question_language == "en"}
    assert "wear does it flow in to the see" in english
    assert "When no wait where does it flow" in english
    assert "where does it flow into the sea" in english
    assert "Where does it flow into the sea?" in english


def test_languages_cross(rows):
    """Questions of one language have passages of another, as the test has."""
    pairs = {(row.question_language, row.entry_language) for row in rows if row.source == "xquad"}
    assert ("en", "ar-MSA") in pairs
    assert ("hi", "en") in pairs
