"""
Rows for the answer judge from public reading sets: what people ask of a passage, and what it says.

The sets are `squad2_dev`, whose unanswerable questions were written to look answerable, `xquad` in
three languages and across them, and `arcd`; `noiseqa` and `disfl_qa` say some of the questions as a
recogniser hears them. Articles that the test by `models.pipeline.data.xquad` reads are left out.

An entry is some sentences of a paragraph in a row, short enough to be read whole. With the sentence
that holds the answer it is level 3; without it, or another passage of the article, level 1, as is
all that is near a question without an answer; a passage of another article is level 0. A passage
that repeats the answer's words elsewhere makes no row below level 3, as it may answer after all.
"""

import csv
import gzip
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.pipeline.data.kb import ANSWER, NEAR, OTHER
from models.pipeline.data.kb_rows import KbRow
from models.pipeline.data.overlap import jaccard
from models.pipeline.data.xquad import (
    PAIRS,
    Asked,
    Paragraph,
    Sides,
    paragraphs,
    paragraphs_of,
    squad,
)
from models.text import match_key

#: Variant that each language counts as.
VARIANTS = {"en": "en", "hi": "hi", "ar": "ar-MSA"}
#: Words of a passage, least and most: two sides and a question stay below 128 tokens.
_WORDS = (12, 62)
#: Share of questions that are heard with noise, where a set says how.
_HEARD = 0.4
_SENTENCE = re.compile(r".+?(?:[.!?؟।۔](?=\s|$)|$)\s*", re.DOTALL)
_MARKS = re.compile(r"[?.!,؟،؛।\"]")


@dataclass(frozen=True, slots=True)
class _Task:
    """A question with the paragraph that it is about."""

    question: Asked
    #: As it is asked; `question` has the answer in the paragraph's language.
    text: str
    asked: str
    read: str
    paragraph: Paragraph
    source: str


def passage_rows(data: Path, rng: random.Random) -> Iterator[KbRow]:
    """
    Yield the rows of all sets.

    Args:
        data: the folder of public sets.
        rng: source of every choice.

    Raises:
        FileNotFoundError: a set is missing.
    """
    heard = _heard(data)
    tasks = list(_tasks(data))
    by_article: dict[tuple[str, str], list[str]] = {}
    for task in tasks:
        texts = by_article.setdefault((task.read, task.paragraph.article), [])
        if task.paragraph.text not in texts:
            texts.append(task.paragraph.text)
    articles: dict[str, list[str]] = {}
    for language, article in by_article:
        articles.setdefault(language, []).append(article)
    for task in tasks:
        others = [one for one in articles[task.read] if one != task.paragraph.article]
        far = rng.choice(by_article[task.read, rng.choice(others)])
        near = by_article[task.read, task.paragraph.article]
        said = heard.get(match_key(task.text), ()) if task.asked == "en" else ()
        text = rng.choice(said) if said and rng.random() < _HEARD else task.text
        for content, level in _passages(task, near, far, rng):
            yield _row(task, _spoken(text, rng), content, level)


def _passages(
    task: _Task, near: Sequence[str], far: str, rng: random.Random
) -> Iterator[tuple[str, int]]:
    """Yield passages with the level that each has for the question."""
    answer = match_key(task.question.answer)
    sentences = _SENTENCE.findall(task.paragraph.text)
    if answer:
        place = _place(sentences, task.question.start)
        first, last = _window(sentences, place, rng)
        yield _text(sentences[first:last]), ANSWER
        rest = _text([*sentences[first:place], *sentences[place + 1 : last]])
        if rest and answer not in match_key(rest):
            yield rest, NEAR
    elsewhere = [_nearest(task.text, text, rng) for text in near if text != task.paragraph.text]
    if not answer:
        yield _nearest(task.text, task.paragraph.text, rng), NEAR
    elif elsewhere:
        best = max(elsewhere, key=lambda text: jaccard(task.text, text))
        if answer not in match_key(best):
            yield best, NEAR
    yield _nearest(task.text, far, rng), OTHER


def _place(sentences: Sequence[str], start: int) -> int:
    """Which of the sentences holds the character at `start`."""
    read = 0
    for place, sentence in enumerate(sentences):
        read += len(sentence)
        if start < read:
            return place
    return len(sentences) - 1


def _window(sentences: Sequence[str], place: int, rng: random.Random) -> tuple[int, int]:
    """Sentences around one, as many as fit into a random number of words."""
    wanted = rng.randint(*_WORDS)
    first, last = place, place + 1
    words = len(sentences[place].split())
    while True:
        sides = [at for at in (first - 1, last) if 0 <= at < len(sentences)]
        fitting = [at for at in sides if words + len(sentences[at].split()) <= wanted]
        if not fitting:
            return first, last
        at = rng.choice(fitting)
        words += len(sentences[at].split())
        first, last = min(first, at), max(last, at + 1)


def _nearest(question: str, text: str, rng: random.Random) -> str:
    """The sentences around the one that shares most words with the question."""
    sentences = _SENTENCE.findall(text)
    best = max(range(len(sentences)), key=lambda at: jaccard(question, sentences[at]))
    first, last = _window(sentences, best, rng)
    return _text(sentences[first:last])


def _text(sentences: Sequence[str]) -> str:
    return "".join(sentences).strip()


def _spoken(text: str, rng: random.Random) -> str:
    """Half of the questions as a recogniser spells them."""
    return " ".join(_MARKS.sub(" ", text.lower()).split()) if rng.random() < 1 / 2 else text


def _row(task: _Task, question: str, content: str, level: int) -> KbRow:
    return KbRow(
        question=question,
        title="",
        content=content,
        level=level,
        kind="passage",
        question_language=VARIANTS[task.asked],
        entry_language=VARIANTS[task.read],
        group=(f"passage:{task.paragraph.article}",),
        source=task.source,
    )


def _tasks(data: Path) -> Iterator[_Task]:
    sides = Sides(data)
    found = {language: paragraphs(data, language) for language in VARIANTS}
    for asked, read in PAIRS:
        for one, other in zip(found[asked], found[read], strict=True):
            if sides.of_article(one.article) == "train":
                pairs = zip(one.questions, other.questions, strict=True)
                yield from (_Task(b, a.text, asked, read, other, "xquad") for a, b in pairs)
    for one in paragraphs_of(squad(data / "squad2_dev" / "dev.json.gz")):
        if sides.of_article(one.article) == "train":
            yield from (_Task(q, q.text, "en", "en", one, "squad2_dev") for q in one.questions)
    for name in ("train", "test"):
        for one in paragraphs_of(squad(data / "arcd" / f"arcd-{name}.json.gz")):
            yield from (_Task(q, _clear(q.text), "ar", "ar", one, "arcd") for q in one.questions)


def _clear(text: str) -> str:
    """A question of `arcd`, without the dash before it and the cut word after it."""
    whole, mark, _ = text.partition("؟")
    return f"{whole.lstrip(' -')}{mark}"


def _heard(data: Path) -> dict[str, list[str]]:
    """Other spellings of English questions, by their key; the callers drop those of the test."""
    found: dict[str, list[str]] = {}
    for name, clear, heard in (
        ("noiseqa/asr_natural", "clean", "noisy"),
        ("noiseqa/asr_synthetic", "clean", "noisy"),
        ("disfl_qa/dev", "original", "disfluent"),
    ):
        with gzip.open(data / f"{name}.tsv.gz", "rt", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                found.setdefault(match_key(row[clear].strip()), []).append(row[heard].strip())
    return found
