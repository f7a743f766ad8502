"""XQuAD as entries and questions, and which rows of its kin may be trained on."""

import gzip
import json

import pytest

from models.pipeline.data.xquad import (
    LANGUAGES,
    PAIRS,
    TEST_ARTICLES,
    Sides,
    entries,
    main,
    part_of,
    questions,
)

HELD, FREE = "Warsaw", "Rhine"


def article(title, language, *, answer="answer"):
    """An article of five paragraphs with two questions each."""
    return {
        "title": title,
        "paragraphs": [
            {
                "context": f"{title} {place} in {language}. The {answer}{place}.",
                "qas": [
                    {
                        "id": f"{title}-{place}-{number}",
                        "question": f"{language} {title} {place} {number}?",
                        "answers": [{"text": f"{answer}{place}", "answer_start": 0}],
                    }
                    for number in range(2)
                ],
            }
            for place in range(5)
        ],
    }


def write(path, articles):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps({"data": articles}).encode()))


@pytest.fixture
def data(tmp_path):
    """Public sets of one article on each side."""
    for language in LANGUAGES:
        write(
            tmp_path / "xquad" / f"xquad.{language}.json.gz",
            [article(HELD, language), article(FREE, language)],
        )
    squad2 = article(FREE, "en")
    squad2["paragraphs"][0]["qas"][0] |= {"id": "another", "question": "Only here?", "answers": []}
    write(tmp_path / "squad2_dev" / "dev.json.gz", [squad2, article(HELD, "en")])
    return tmp_path


def test_half_of_the_articles_is_test():
    """At least half of the 48 are held out, by title."""
    assert len(TEST_ARTICLES) == 24
    assert part_of(HELD) == "test"
    assert part_of(FREE) == "train"


def test_entries_of_one_side(data):
    """Four of each article's five paragraphs are entries, in each language, of one side alone."""
    found = list(entries(data, "test"))

    assert len(found) == 4 * len(LANGUAGES)
    assert {one["article"] for one in found} == {HELD}
    assert len({one["id"] for one in found}) == len(found)
    assert {one["tenant"] for one in found} == {f"xquad-{language}" for language in LANGUAGES}
    assert {one["title"] for one in found} == {""}


def test_questions_across_languages(data):
    """A question's gold is its paragraph in the other language; of what is left out, nothing."""
    known = {one["id"]: one for one in entries(data, "test")}
    found = list(questions(data, "test"))

    assert len(found) == 10 * len(PAIRS)
    assert len({one["id"] for one in found}) == len(found)
    for one in found:
        asked, read = one["language_pair"].split("-")
        assert one["question"].startswith(asked)
        assert one["tenant"] == f"xquad-{read}"
        assert all(known[name]["lang"] == read for name in one["gold"])
        place = one["question"].split()[2]
        assert all(name.endswith(f"/{place}") for name in one["gold"])
    none = [one for one in found if not one["gold"]]
    assert len(none) == 2 * len(PAIRS)
    # The same questions have no answer in every language.
    assert len({one["id"].partition("/")[2] for one in none}) == 2


def test_an_answer_in_the_rest_of_the_article(tmp_path):
    """A question whose answer stands in what is kept is not called unanswerable."""
    for language in LANGUAGES:
        one = article(HELD, language)
        for paragraph in one["paragraphs"]:
            paragraph["context"] += " " + " ".join(f"answer{place}" for place in range(5))
        write(tmp_path / "xquad" / f"xquad.{language}.json.gz", [one])

    assert all(one["gold"] for one in questions(tmp_path, "test"))


def test_sides_of_sets_that_share_the_articles(data):
    """A row is on the side of its article, by id or by question; what nobody knows is test."""
    sides = Sides(data)

    assert (sides.of_article(HELD), sides.of_article(FREE)) == ("test", "train")
    assert sides.of_question(f"{FREE}-1-0", "noisy") == "train"
    assert sides.of_question(f"{HELD}-1-0", "noisy") == "test"
    assert sides.of_question("another id", " only here? ") == "train"
    assert sides.of_question(None, f"en {HELD} 3 1?") == "test"
    assert sides.of_question("unknown", "Who knows?") == "test"


def test_command(data, tmp_path, capsys):
    """Both files are written, and the last line counts what is in them."""
    main(["--data", str(data), "--out", str(tmp_path / "out"), "--part", "train"])

    counts = json.loads(capsys.readouterr().out.splitlines()[-1])
    lines = (tmp_path / "out" / "questions.jsonl").read_text("utf-8").splitlines()
    assert counts["questions"] == len(lines) == 10 * len(PAIRS)
    assert {json.loads(line)["article"] for line in lines} == {FREE}
    assert counts["unanswerable"] == 2 * len(PAIRS)
