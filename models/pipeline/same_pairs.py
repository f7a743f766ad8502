"""
Training pairs for "is this the same question?".

* `questions`, `named`: questions that are easily confused, and those that differ in a name
  (`data.questions`); only sets, frames and names that the match judge was not trained on.
* `twins`: unanswered questions of one name, of one class in two languages, or of two classes: they
  differ in what is asked, hardly in words.
* `scenes`: what callers say in one moment of a call, of one meaning, or of the other meaning that
  is most alike; only scenes that the match judge was not trained on.
* `xquad`: one question in English, Arabic and Hindi, or the one most alike about its paragraph.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from models.pipeline.data.build import HELD_OUT, question_rows
from models.pipeline.data.overlap import jaccard
from models.pipeline.data.scenes import scenes
from models.pipeline.data.split import side_of
from models.pipeline.data.tables import HERE, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy as np

_ROWS_A_SCENE = 2
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two questions, and whether they are one."""

    a: str
    b: str
    same: bool
    source: str
    #: What both come from; no group is on both sides of a fold.
    group: str


def question_pairs(rng: np.random.Generator) -> Iterator[LabelledPair]:
    """Pairs of questions that are easily confused, of sets that no model was trained on."""
    _, held = question_rows(random.Random(int(rng.integers(2**32))))  # noqa: S311
    for row in held:
        kind = "questions" if row.kind == "questions" else "named"
        yield LabelledPair(row.a, row.b, same=bool(row.label), source=kind, group=row.group[0])


def twin_pairs(
    rng: np.random.Generator, folder: Path = HERE / "unanswered"
) -> Iterator[LabelledPair]:
    """Pairs of unanswered questions: one question in two languages, or its near-miss twin."""
    found: defaultdict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for path in sorted(folder.glob("*.tsv")):
        for row in read_table(path):
            if row["pair"]:
                found[row["pair"]].append((row["text"], path.stem, row["class"]))
    for name, rows in sorted(found.items()):
        for (a, one, reason), (b, other, reason_b) in combinations(rows, 2):
            pair = (a, b) if rng.random() < _HALF else (b, a)
            if reason != reason_b or one != other:
                yield LabelledPair(*pair, same=reason == reason_b, source="twins", group=name)


def scene_pairs(rng: np.random.Generator) -> Iterator[LabelledPair]:
    """Pairs of what callers say in one moment, of one meaning or of the one most alike."""
    side = side_of(HELD_OUT["scenes"])
    for scene in scenes():
        if side(scene.key) != "validation":
            continue
        said = [(text, meaning) for meaning, own in scene.meanings.items() for text in own]
        for at in rng.permutation(len(said))[:_ROWS_A_SCENE]:
            a, meaning = said[at]
            own = [text for text, other in said if other == meaning and text != a]
            rest = [text for text, other in said if other != meaning]
            if own:
                b = own[int(rng.integers(len(own)))]
                yield LabelledPair(a, b, same=True, source="scenes", group=scene.key)
            b = max(rest, key=lambda text: (jaccard(a, text), text))
            yield LabelledPair(a, b, same=False, source="scenes", group=scene.key)


def xquad_pairs(rng: np.random.Generator, data: Path) -> Iterator[LabelledPair]:
    """Pairs of questions about paragraphs, in three languages."""
    asked: defaultdict[str, dict[str, tuple[str, int]]] = defaultdict(dict)
    for language in ("en", "ar", "hi"):
        with gzip.open(
            data / "xquad" / f"xquad.{language}.json.gz", "rt", encoding="utf-8"
        ) as file:
            articles = json.load(file)["data"]
        paragraphs = [one for article in articles for one in article["paragraphs"]]
        for place, paragraph in enumerate(paragraphs):
            for one in paragraph["qas"]:
                asked[one["id"]][language] = (one["question"].strip(), place)
    by_paragraph: defaultdict[int, list[str]] = defaultdict(list)
    for name, forms in asked.items():
        by_paragraph[forms["en"][1]].append(name)
    for place, names in by_paragraph.items():
        for name in names:
            one, other = rng.permutation(["en", "ar", "hi"])[:2]
            a = asked[name][str(one)][0]
            group = f"xquad:{place}"
            yield LabelledPair(
                a, asked[name][str(other)][0], same=True, source="xquad", group=group
            )
            other = str(rng.choice(["en", "ar", "hi"]))
            rest = [asked[sibling] for sibling in names if sibling != name]
            if rest:
                english = asked[name]["en"][0]
                alike = max(rest, key=lambda forms: (jaccard(english, forms["en"][0]), forms["en"]))
                b = alike[other][0]
                yield LabelledPair(a, b, same=False, source="xquad", group=group)
