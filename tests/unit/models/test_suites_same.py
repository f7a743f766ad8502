from collections import Counter

from models.evaluation.labelled import read_labelled
from models.evaluation.same import SameRow
from models.pipeline.data.kb import knowledge_bases
from models.suites import FOLDER
from models.text import clean, match_key

KINDS = {
    "paraphrase", "cross_language", "other_entity", "other_attribute", "other_polarity", "part",
    "code_mixed",
}  # fmt: skip


def rows():
    """The committed suite."""
    return [row for _, row in read_labelled(FOLDER / "same.jsonl", SameRow)]


def test_sizes():
    """There are enough pairs of all kinds, half of them across languages, each once."""
    across = [row for row in rows() if len(set(row.language.split("-"))) == 2]
    pairs = Counter(frozenset((row.a, row.b)) for row in rows())

    assert len(rows()) >= 240
    assert {row.kind for row in rows()} == KINDS
    assert len(across) >= len(rows()) / 2
    assert max(pairs.values()) == 1


def test_labels_follow_from_kinds():
    """Paraphrases and translations are one question, the others are another."""
    one = {"paraphrase", "cross_language", "code_mixed"}

    assert all(row.same is (row.kind in one) for row in rows())


def test_nothing_of_it_is_trained_on():
    """No pair of the suite is made of two questions of the training data."""
    trained = {
        match_key(clean(one.text).text) for base in knowledge_bases() for one in base.questions
    }

    shared = [
        row for row in rows()
        if {match_key(clean(row.a).text), match_key(clean(row.b).text)} <= trained
    ]  # fmt: skip
    assert shared == []
