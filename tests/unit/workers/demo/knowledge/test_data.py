"""The demo's knowledge base and questions are readable and consistent."""

from pathlib import Path

import pytest

from models.masking.mask import mask
from models.text import clean, match_key
from topics.codec import decode, encode
from topics.question import KbQuestion
from workers.demo.data import DataError
from workers.demo.knowledge.data import QuestionKind, load_knowledge
from workers.demo.knowledge.play import question_event
from workers.demo.score import TRAINED

_HEADER = "question\ttenant\tlanguage\tkind\tanswer\tcandidates\tgap\thidden\ttext\n"
_ENTRY = '{"id": "e", "tenant": "t", "title": "T", "content": "C"}\n'
_QUESTION = "q-1\tt\ten\tanswer\te\t-\t-\t-\twhat is it\n"


@pytest.fixture(scope="module")
def data():
    """Give the shipped data."""
    return load_knowledge(1_000)


class TestShipped:
    def test_amount(self, data):
        """
        Two tenants have some forty entries in two languages; fifty questions are in four.
        """
        assert len(data.tenants) == 2
        assert 35 <= len(data.entries) <= 50
        assert {entry.lang for entry in data.entries} == {"en", "ar"}
        assert 45 <= len(data.questions) <= 60
        assert {question.language for question in data.questions} == {*TRAINED}

    def test_about_a_third_is_not_answered(self, data):
        """
        About a third of the questions have no answer, of every kind, and only those.
        """
        unanswered = [one for one in data.questions if one.answer is None]

        assert 0.25 <= len(unanswered) / len(data.questions) <= 0.45
        assert {one.kind for one in unanswered} == {*QuestionKind} - {QuestionKind.ANSWER}
        assert all(
            (one.answer is None) == (one.kind is not QuestionKind.ANSWER) for one in data.questions
        )

    def test_names_and_texts(self, data):
        """
        Every question has a name and a text of its own.
        """
        names = [one.question_id for one in data.questions]
        texts = [match_key(clean(one.text).text) for one in data.questions]

        assert len(set(names)) == len(names)
        assert len(set(texts)) == len(texts)

    def test_some_bring_candidates(self, data):
        """
        Some agents bring candidates, in which the answer is not first, or is not at all.
        """
        own = [one for one in data.questions if one.candidates]

        assert 0.15 <= len(own) / len(data.questions) <= 0.5
        assert all(one.candidates[0] != one.answer for one in own)
        assert any(one.answer and one.expected is None for one in own)

    def test_gaps_are_asked_in_two_languages(self, data):
        """
        Some gaps are asked in more than one language, so that grouping can be seen.
        """
        languages: dict[str, set[str]] = {}
        for one in data.questions:
            if one.gap is not None:
                assert one.kind is QuestionKind.MISSING
                languages.setdefault(one.gap, set()).add(one.language)

        assert sum(len(found) > 1 for found in languages.values()) >= 3

    def test_personal_data_is_masked(self, data):
        """
        Telephone numbers in digits, other digits and words are planted, and masking hides each.
        """
        planted = [one for one in data.questions if one.hidden is not None]

        assert len(planted) >= 4
        assert all(one.hidden in one.text for one in planted)
        assert all(one.hidden not in mask(one.text).text for one in planted)

    def test_questions_are_good_events(self, data):
        """
        Every question is an event that the codec takes.
        """
        entries = {(entry.tenant_id, entry.entry_id): entry for entry in data.entries}
        for question in data.questions:
            event = decode(KbQuestion, encode(question_event(question, entries, 1)))
            assert [one.entry_id for one in event.candidates] == [*question.candidates]

    def test_a_few_are_of_many_kinds(self):
        """
        The first twenty questions already hold answers, gaps and personal data.
        """
        few = load_knowledge(20).questions

        assert len(few) == 20
        assert {one.language for one in few} == {*TRAINED}
        assert {QuestionKind.ANSWER, QuestionKind.MISSING} < {one.kind for one in few}
        assert any(one.hidden for one in few)


def write(folder: Path, entries: str = _ENTRY, questions: str = _QUESTION) -> Path:
    """Write a small set of files."""
    (folder / "entries.jsonl").write_text(entries)
    (folder / "questions.tsv").write_text(_HEADER + questions)
    return folder


class TestLoad:
    def test_small(self, tmp_path):
        """
        A question is read with what it needs and what is true of it.
        """
        [question] = load_knowledge(9, write(tmp_path)).questions

        assert (question.answer, question.candidates, question.hidden) == ("e", (), None)
        assert question.expected == "e"

    def test_candidates(self, tmp_path):
        """
        Where the agent does not bring the answer, a verdict is right to say that there is none.
        """
        entries = _ENTRY + _ENTRY.replace('"e"', '"f"')
        folder = write(tmp_path, entries, _QUESTION.replace("e\t-\t-\t-", "e\tf\t-\t-"))

        [question] = load_knowledge(9, folder).questions

        assert (question.candidates, question.expected) == (("f",), None)

    @pytest.mark.parametrize(
        ("entries", "questions", "said"),
        [
            pytest.param("{}\n", _QUESTION, "entries.jsonl:1", id="bad entry"),
            pytest.param(_ENTRY, _QUESTION.replace("answer", "maybe"), "maybe", id="unknown kind"),
            pytest.param(_ENTRY, _QUESTION.replace("\te\t", "\tx\t"), "q-1", id="unknown answer"),
            pytest.param(
                _ENTRY, _QUESTION.replace("\te\t-", "\te\tx"), "q-1", id="unknown candidate"
            ),
            pytest.param(_ENTRY, _QUESTION.replace("\tt\t", "\tu\t"), "q-1", id="other tenant"),
        ],
    )
    def test_refused(self, tmp_path, entries, questions, said):
        """
        A file that is not as it should be is refused, with what is wrong.
        """
        with pytest.raises(DataError, match=said):
            load_knowledge(9, write(tmp_path, entries, questions))

    def test_missing_folder(self, tmp_path):
        """
        A folder without the files is refused.
        """
        with pytest.raises(DataError, match="cannot be read"):
            load_knowledge(9, tmp_path / "nothing")
