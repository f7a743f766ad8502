"""Pairs of questions of a knowledge base: which count as one."""

import numpy as np

from models.pipeline.data.kb import Entry, KnowledgeBase, Question, Target
from models.pipeline.data.kb_questions import rows

#: Direction of each meaning, and of each language.
_MEANINGS = {"price": (1, 0, 0), "hours": (0, 1, 0), "address": (0, 0, 1)}
_LANGUAGES = {"en": (4, 0), "ar": (0, 4)}


def encode(texts):
    """Vectors that lie apart by language more than by meaning: "en price 0.1"."""
    found = []
    for text in texts:
        language, meaning, off = text.split()
        one = np.array([*_MEANINGS[meaning], *_LANGUAGES[language], float(off)])
        found.append(one / np.linalg.norm(one))
    return np.array(found, np.float32)


def question(text, level, target=Target.WHOLE):
    return Question(text, text[:2], target, level)


def base(*asked):
    entries = [Entry(f"gold.{name}", name, name, "en") for name in ("price", "hours")]
    return KnowledgeBase(
        "gym", "gym", "x", [*entries, Entry("silver.price", "p", "p", "en")], [*asked]
    )


PRICE, HOURS, OTHER = (3, 1, 1), (1, 3, 0), (1, 0, 3)


def pairs(found, label):
    return {frozenset((row.a, row.b)) for row in found if row.label == label}


def test_one_fact_in_two_languages():
    """Questions of one fact that are nearest to each other are one, across languages too."""
    asked = base(
        question("en price 0", PRICE),
        question("ar price 0", PRICE),
        question("en hours 0", HOURS),
        question("ar hours 0", HOURS),
    )

    found = list(rows([asked], encode, 1))

    assert pairs(found, 1) == {
        frozenset(("en price 0", "ar price 0")),
        frozenset(("en hours 0", "ar hours 0")),
    }
    assert not pairs(found, 1) & pairs(found, 0)


def test_not_nearest():
    """One entry answers several questions: those of its fact that are not nearest are left out."""
    asked = base(
        question("en price 0", PRICE),
        question("en price 0.1", PRICE),
        question("en address 0", PRICE),
        question("en hours 0", HOURS),
    )

    found = list(rows([asked], encode, 1))

    assert pairs(found, 1) == {frozenset(("en price 0", "en price 0.1"))}


def test_siblings():
    """Others are the same fact of another topic or another fact of the topic, and no other."""
    asked = base(
        question("en price 0", PRICE),
        question("en hours 0", HOURS),
        question("en price 0.5", OTHER),
    )

    found = pairs(rows([asked], encode, 3), 0)

    assert found == {
        frozenset(("en price 0", "en hours 0")),
        frozenset(("en price 0", "en price 0.5")),
    }


def test_siblings_across_languages():
    """Those most alike come first, however far apart two languages lie."""
    asked = base(
        question("en price 0", PRICE),
        question("en address 0", HOURS),
        question("ar price 0", OTHER),
        question("ar address 0", OTHER),
    )

    found = [row for row in rows([asked], encode, 1) if not row.label]

    assert [row.b for row in found if row.a == "en price 0"] == ["ar price 0"]


def test_what_has_no_single_answer():
    """Questions that nothing answers, or two entries do, make no pair."""
    asked = base(
        question("en price 0", (3, 0, 3)),
        question("ar price 0", (1, 1, 0), Target.NOTHING),
        question("en price 0.1", PRICE),
    )

    assert list(rows([asked], encode, 3)) == []
