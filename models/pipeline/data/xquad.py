"""
XQuAD as a test of search and answer judges across languages::

    python -m models.pipeline.data.xquad --data ../shared/data --out runs/xquad
    turngate eval kb --entries runs/xquad/entries.jsonl --questions runs/xquad/questions.jsonl \
        --by language_pair

`--data` is the folder of public sets. Each paragraph is an entry of the tenant of its language, and
each question is asked in its own language and across: English of Arabic and Hindi paragraphs,
Arabic and Hindi of English ones. Of each article one paragraph is left out in every language; what
is asked about it nothing answers, though the rest of its article is there. Such a question is left
out where its answer stands in that rest, as it may then be answered after all. Paragraphs have no
title: the only one there is is English, and would give the article away.

Half of the articles are test, the other half may be trained on (`--part train` writes them in the
same form). The sets `squad2_dev`, `noiseqa` and `disfl_qa` ask about the same articles, so `Sides`
says on which side each of their rows is. XQuAD is CC BY-SA 4.0: what is written here is not ours to
commit. The last line of stdout is one JSON document: what was written.
"""

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from models.pipeline.data.kb_held import write_lines
from models.text import match_key

Part = Literal["test", "train"]
LANGUAGES = ("en", "ar", "hi")
#: Language of the question, then of the paragraphs.
PAIRS = (
    *(("en", "en"), ("ar", "ar"), ("hi", "hi")),
    *(("en", "ar"), ("ar", "en"), ("hi", "en"), ("en", "hi")),
)
#: Every second title in alphabetical order. Nothing that asks about these is ever trained on.
TEST_ARTICLES = frozenset(
    """
    1973_oil_crisis American_Broadcasting_Company Black_Death Civil_disobedience Construction
    Doctor_Who European_Union_law French_and_Indian_War Genghis_Khan Harvard_University
    Immune_system Intergovernmental_Panel_on_Climate_Change Jacksonville,_Florida Martin_Luther
    Nikola_Tesla Oxygen Pharmacy Private_school Scottish_Parliament Southern_California
    Super_Bowl_50 United_Methodist_Church Victoria_(Australia) Warsaw
    """.split()
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a paragraph."""

    id: str
    text: str
    #: One of the answers, as the paragraph has it; empty where it holds none.
    answer: str
    #: Where it stands there; -1 where it holds none.
    start: int = -1


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of an article."""

    #: Title of the article; the same in every language.
    article: str
    #: Place in the article, from 0; the same in every language.
    place: int
    text: str
    questions: tuple[Asked, ...]


def part_of(article: str) -> Part:
    """Tell on which side an article is."""
    return "test" if article in TEST_ARTICLES else "train"


def paragraphs(data: Path, language: str) -> list[Paragraph]:
    """Return the paragraphs of one language, in the order of the file."""
    return list(paragraphs_of(squad(data / "xquad" / f"xquad.{language}.json.gz")))


class Sides:
    """
    On which side the rows of the sets are that share these articles; what nobody knows is test.

    Args:
        data: the folder of public sets.
    """

    def __init__(self, data: Path) -> None:
        self._by_id: dict[str, str] = {}
        self._by_text: dict[str, str] = {}
        squad2 = paragraphs_of(squad(data / "squad2_dev" / "dev.json.gz"))
        for one in (*paragraphs(data, "en"), *squad2):
            for question in one.questions:
                self._by_id[question.id] = one.article
                self._by_text[match_key(question.text.strip())] = one.article

    def of_article(self, title: str) -> Part:
        """Tell the side of a row of `xquad` or `squad2_dev`, by its article."""
        return part_of(title)

    def of_question(self, xquad_id: str | None, text: str) -> Part:
        """Tell the side of a row of `noiseqa` or `disfl_qa`, by its id or its clean question."""
        article = self._by_id.get(xquad_id or "") or self._by_text.get(match_key(text.strip()))
        return "test" if article is None else part_of(article)


def entries(data: Path, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the entries of one side, of every language."""
    for language in LANGUAGES:
        for one in _kept(paragraphs(data, language), part):
            yield {
                "id": _name(language, one), "tenant": _tenant(language), "title": "",
                "content": one.text, "lang": language, "article": one.article,
            }  # fmt: skip


def questions(data: Path, part: Part) -> Iterator[dict[str, Any]]:
    """Yield the questions of one side, of every pair of languages."""
    found = {language: paragraphs(data, language) for language in LANGUAGES}
    for asked, read in PAIRS:
        rest = _texts(_kept(found[read], part))
        for one, other in zip(found[asked], found[read], strict=True):
            if part_of(one.article) != part:
                continue
            for question, twin in zip(one.questions, other.questions, strict=True):
                left_out = _is_left_out(other)
                if left_out and match_key(twin.answer) in rest[other.article]:
                    continue
                yield {
                    "id": f"{asked}-{read}/{question.id}", "tenant": _tenant(read),
                    "question": question.text,
                    "gold": [] if left_out else [_name(read, other)],
                    "variety": asked, "language_pair": f"{asked}-{read}",
                    "article": one.article,
                }  # fmt: skip


def _kept(found: Sequence[Paragraph], part: Part) -> list[Paragraph]:
    return [one for one in found if part_of(one.article) == part and not _is_left_out(one)]


def _is_left_out(paragraph: Paragraph) -> bool:
    """One of each article's five: not the same place in all, and the same in every run."""
    return paragraph.place == sum(paragraph.article.encode()) % 5


def _texts(kept: Sequence[Paragraph]) -> dict[str, str]:
    """All that is kept of each article, in the form in which answers are looked for."""
    found: dict[str, str] = {}
    for one in kept:
        found[one.article] = f"{found.get(one.article, '')} {match_key(one.text)}"
    return found


def _tenant(language: str) -> str:
    return f"xquad-{language}"


def _name(language: str, paragraph: Paragraph) -> str:
    return f"{language}/{paragraph.article}/{paragraph.place}"


def squad(path: Path) -> list[dict[str, Any]]:
    """Read the articles of a file in SQuAD's format."""
    with gzip.open(path) as file:
        articles: list[dict[str, Any]] = orjson.loads(file.read())["data"]
        return articles


def paragraphs_of(articles: list[dict[str, Any]]) -> Iterator[Paragraph]:
    """Yield the paragraphs of articles, without white space around them."""
    for article in articles:
        for place, one in enumerate(article["paragraphs"]):
            text = one["context"]
            cut = len(text) - len(text.lstrip())
            asked = tuple(_asked(question, cut) for question in one["qas"])
            yield Paragraph(article["title"], place, text.strip(), asked)


def _asked(question: dict[str, Any], cut: int) -> Asked:
    text = question["question"].strip()
    if not question["answers"]:
        return Asked(question["id"], text, "")
    answer = question["answers"][0]
    return Asked(question["id"], text, answer["text"], answer["answer_start"] - cut)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the converter."""
    parser = argparse.ArgumentParser(description="XQuAD as entries and questions.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--part", choices=("test", "train"), default="test")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    asked = list(questions(args.data, args.part))
    written = {
        "part": args.part,
        "entries": write_lines(args.out / "entries.jsonl", entries(args.data, args.part)),
        "questions": write_lines(args.out / "questions.jsonl", asked),
        "unanswerable": sum(not one["gold"] for one in asked),
        "by_language_pair": dict(Counter(one["language_pair"] for one in asked)),
    }
    print(json.dumps(written))


if __name__ == "__main__":
    main()
