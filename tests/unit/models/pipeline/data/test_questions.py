"""Sets of questions: how files are read, which pairs they make, and what is held out."""

import re

import pytest

from models.pipeline.data import questions
from models.pipeline.data.build import HELD_OUT, question_rows, suite_questions
from models.pipeline.data.questions import (
    FOLDER,
    QuestionError,
    question_sets,
    slot_frames,
    slot_names,
)
from models.pipeline.data.row import LANGUAGE_OF
from models.pipeline.data.split import side_of, split_of, text_keys
from tests.unit.models.pipeline.data.factory import make_rng

FILE = """
# metro, lost property | transport
= where to collect on line 1
en: where do I collect a lost bag on line one
ar: أستلم شنطة ضايعة في الخط الأول منين
hi: लाइन एक पर खोया बैग कहाँ मिलेगा
= where to collect on line 2
en: where do I collect a lost bag on line two
ar: أستلم شنطة ضايعة في الخط التاني منين
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with one file of one set."""
    (tmp_path / "x-01.txt").write_text(FILE, "utf-8")
    return tmp_path


class TestRead:
    def test_set(self, folder):
        """Meanings with their surfaces, each with its variant."""
        (found,) = question_sets(folder)

        assert (found.title, found.domain) == ("metro, lost property", "transport")
        first, second = found.meanings.values()
        assert [one.variant for one in first] == ["en", "ar-EG", "hi"]
        assert second[1].text == "أستلم شنطة ضايعة في الخط التاني منين"

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("= outside", "x-02.txt:1: outside a set"),
            ("# | shop", "x-02.txt:1: needs a title"),
            ("# a | shop\nen: hello", "x-02.txt:2: a surface without a meaning"),
            ("# a | shop\n= one\nfr: bonjour", "x-02.txt:3: no surface: needs language: text"),
            ("# a | shop\n= one\nen:", "x-02.txt:3: no surface: needs language: text"),
            ("# a | shop\n= one\nhello", "x-02.txt:3: no surface: needs language: text"),
            ("# a | shop\n= one\nen: x\n= one", "x-02.txt:4: a meaning without a note, or twice"),
            ("# a | shop\n= one\nen: x", "x-02.txt: a set with one meaning, or an empty one"),
            ("# a\n= one\nen: x\n= two", "x-02.txt: a set with one meaning, or an empty one"),
        ],
    )
    def test_faults(self, folder, line, why):
        """What is wrong is told by file and line, without the text."""
        (folder / "x-02.txt").write_text(line, "utf-8")

        with pytest.raises(QuestionError, match=f"^{re.escape(why)}$"):
            question_sets(folder)

    def test_title_twice(self, folder):
        """A set is held out by its title, so no two have one."""
        (folder / "y-01.txt").write_text(FILE, "utf-8")

        with pytest.raises(QuestionError, match=r"^y-01.txt: a title that another set has too$"):
            question_sets(folder)

    @pytest.mark.parametrize("surface", ["no place", "{} and {}", "{} {v}"])
    def test_frame_without_its_place(self, tmp_path, surface):
        """A frame that a name cannot be put in is told."""
        path = tmp_path / "frames.txt"
        path.write_text(f"# city\n= delivery\nen: {surface}", "utf-8")

        with pytest.raises(QuestionError, match="without its one place"):
            slot_frames(path)


def test_pairs_of_a_set(folder, monkeypatch):
    """All pairs of a meaning are one question, none of two meanings, in one language and across."""
    monkeypatch.setattr(questions, "question_sets", lambda: question_sets(folder))
    monkeypatch.setattr(questions, "slot_frames", dict)

    rows = list(questions.rows(make_rng(), lambda _: "train"))

    first, second = ({s.text for s in own} for own in question_sets(folder)[0].meanings.values())
    same = [row for row in rows if row.label]
    other = [row for row in rows if not row.label]
    assert len(same) == 3 + 1
    assert all({row.a, row.b} <= first or {row.a, row.b} <= second for row in same)
    assert all((row.a in first) is not (row.b in first) for row in other)
    assert {LANGUAGE_OF[r.language_a] == LANGUAGE_OF[r.language_b] for r in other} == {True, False}
    assert {row.group for row in rows} == {("questions:metro, lost property",)}


def test_names_of_every_frame():
    """Each kind of frame has names, and no two names of a kind are one."""
    names = slot_names()

    for slot, frames in slot_frames().items():
        assert len(frames) > 1
        for variant in ("en", "ar-EG", "hi"):
            spelled = [one.aliases[variant][0] for one in names[slot]]
            assert len(set(spelled)) == len(spelled) > 10


def test_what_is_held_out():
    """Sets, frames and names of the held-out part are not in training, nor the suite's texts."""
    train, held = question_rows(make_rng())

    share = HELD_OUT["questions"]
    assert {split_of(row, share) for row in train} == {"train"}
    assert {split_of(row, share) for row in held} == {"validation"}
    texts = text_keys(train)
    assert not texts & text_keys(held)
    assert not texts & suite_questions()
    assert text_keys(questions.rows(make_rng(), side_of(share))) & suite_questions()
    sides = {side_of(share)(one.key) for one in question_sets()}
    assert sides == {"train", "validation"}
    assert len(held) > 1000


def test_labels_of_the_files():
    """No surface stands under two meanings of a set, nor twice under one."""
    for one in question_sets(FOLDER):
        texts = [surface.text for own in one.meanings.values() for surface in own]
        assert len(set(texts)) == len(texts)
