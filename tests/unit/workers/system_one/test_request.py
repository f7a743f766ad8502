"""What leaves for a judge, and what never does."""

import dataclasses

import orjson
import pytest

from tests.fakes.judging import Entry
from topics.entry import KbEntry
from topics.question import CandidateEntry
from workers.system_one.request import LEVEL_SENTENCES, MAX_CANDIDATES, encode_request

_QUESTION = "How much is the Gold plan?"
_ENTRY = Entry()


def read(question=_QUESTION, candidates=(_ENTRY,)):
    """Write a request and read it again."""
    return orjson.loads(encode_request("clef", question, candidates).body)


def entries_of(request):
    """List what a request says of each entry."""
    return [asked["instructions"]["entry"] for asked in request["questions"].values()]


def with_new_fields(kind, **fields):
    """Make the class that an event will be once somebody has added fields to it."""
    return dataclasses.make_dataclass(
        f"Later{kind.__name__}", [(name, type(value)) for name, value in fields.items()],
        bases=(kind,), frozen=True, kw_only=True,
    )  # fmt: skip


class TestAllowlist:
    @pytest.mark.parametrize("kind", [KbEntry, CandidateEntry])
    def test_only_four_fields_leave_also_when_fields_are_added(self, kind):
        """
        Title, content, category and language leave; every other field stays, whatever it is.
        """
        later = with_new_fields(kind, internal_note="", owner_email="", tags=())
        texts = {
            field.name: f"marked-{field.name}"
            for field in dataclasses.fields(later)
            if field.type in {str, "str"} or "str" in str(field.type)
        }
        candidate = later(**texts, tags=("marked-tags",))

        body = encode_request("clef", _QUESTION, [candidate]).body.decode()

        allowed = {"title", "content", "category", "lang"}
        assert allowed <= texts.keys()
        assert texts.keys() - allowed
        for name in texts:
            assert (f"marked-{name}" in body) == (name in allowed)
        assert "marked-tags" not in body

    def test_fields_that_an_entry_lacks_are_left_out(self):
        """
        A judge is not told of a category that is none.
        """
        assert entries_of(read())[0].keys() == {"title", "content"}


class TestShape:
    def test_one_call_asks_one_score_question_a_candidate(self):
        """
        The state holds the caller's question alone, each entry sits inside its own question.
        """
        request = read(candidates=[Entry(title=f"t{index}") for index in range(8)])

        assert request.keys() == {"model", "state", "questions"}
        assert request["state"] == {"caller_question": _QUESTION}
        assert [entry["title"] for entry in entries_of(request)] == [f"t{n}" for n in range(8)]
        for asked in request["questions"].values():
            assert asked.keys() == {"type", "instructions", "criteria"}
            assert asked["type"] == "score"
            assert asked["criteria"] == list(LEVEL_SENTENCES)
            assert "never instructions" in asked["instructions"]["question"]

    def test_levels_are_four_full_sentences_without_numbers(self):
        """
        Each level describes a situation by itself.
        """
        assert len(set(LEVEL_SENTENCES)) == 4
        for sentence in LEVEL_SENTENCES:
            assert sentence.endswith(".")
            assert sentence.isascii()
            assert not any(character.isdigit() for character in sentence)
            assert not {"level", "better", "previous", "above"} & set(sentence.lower().split())

    def test_texts_stay_in_their_own_script(self):
        """
        Question and entry are sent as they are: nothing is translated or escaped.
        """
        entry = Entry(title="الباقة الذهبية", content="गोल्ड प्लान ३० पाउंड का है", lang="hi-IN")

        body = encode_request("clef", "कितने का है?", [entry]).body

        for text in ("الباقة الذهبية", "गोल्ड प्लान ३० पाउंड का है", "hi-IN", "कितने का है?"):
            assert text.encode() in body

    def test_the_same_question_gives_the_same_bytes(self):
        """
        A question that is delivered again is asked again in the same words.
        """
        first, again = (encode_request("clef", _QUESTION, [Entry()]) for _ in range(2))

        assert first == again

    @pytest.mark.parametrize(
        "other",
        [
            pytest.param(("Other question?", [Entry()]), id="question"),
            pytest.param((_QUESTION, [Entry(content="Other")]), id="entry"),
        ],
    )
    def test_names_of_questions_belong_to_one_request(self, other):
        """
        An answer to another request names other questions, so it can never count.
        """
        ours = encode_request("clef", _QUESTION, [Entry()])

        assert not set(ours.ids) & set(encode_request("clef", *other).ids)

    def test_too_many_candidates(self):
        """
        More than one call may hold is a mistake of the caller's.
        """
        encode_request("clef", _QUESTION, [Entry()] * MAX_CANDIDATES)

        with pytest.raises(ValueError, match="too many"):
            encode_request("clef", _QUESTION, [Entry()] * (MAX_CANDIDATES + 1))


class TestLength:
    @pytest.mark.parametrize("letter", ["a", "ب", "क", "𐍈", "\n", '"', "\\", "\x00"])
    @pytest.mark.parametrize("count", [1, 8])
    def test_the_body_stays_below_64_kib(self, letter, count):
        """
        However long the entries are, no server's limit is reached.
        """
        long = letter * 1_000_000
        entry = Entry(title=long, content=long, category=long, lang=long)

        # A quotation mark is two bytes in JSON; nobody writes entries of them alone.
        factor = 2 if letter in '"\\\n' else 1
        assert len(encode_request("clef", long, [entry] * count).body) <= factor * 65_536

    @pytest.mark.parametrize("letter", ["ب", "क", "𐍈"])
    def test_a_cut_falls_between_characters(self, letter):
        """
        The end of what is sent is a whole letter.
        """
        sent = entries_of(read(candidates=[Entry(content="a" + letter * 9_999)]))[0]["content"]

        assert set(sent) == {"a", letter}
        assert len(sent.encode()) in range(4_093, 4_097)

    def test_a_usual_entry_is_sent_whole(self):
        """
        Beside seven others, 128 tokens are never cut.
        """
        content = "यह प्लान महीने भर चलता है। " * 30

        sent = entries_of(read(candidates=[Entry(content=content)] * 8))

        assert [entry["content"] for entry in sent] == [content] * 8

    def test_what_json_cannot_carry_is_dropped(self):
        """
        Lone surrogates and control characters do not make a request fail.
        """
        sent = read(question="how\udc80 much\x00?", candidates=[Entry(content="a\ud800b\x1bc\nd")])

        assert sent["state"]["caller_question"] == "how much ?"
        assert entries_of(sent)[0]["content"] == "ab c\nd"
