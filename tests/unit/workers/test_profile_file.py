"""Profiles from files: every mistake by its place, and no phrase quoted."""

import json
from typing import Any

import pytest

from topics.profile import Mode
from workers.profile_file import MAX_PROFILE_BYTES, read_profiles

PHRASE = "zanzibar flamingo"


def document(**overrides) -> dict[str, Any]:
    """Make a profile without mistakes."""
    return {
        "tenant_id": "acme",
        "agent_id": "desk",
        "router": {"mode": "live"},
        "intents": [
            {"name": "hours", "examples": ["when do you open", "opening time"], "response": "9"},
            {"name": "price", "examples": ["how much is it"], "response_ref": "price.wav"},
        ],
        "validation_phrases": {"hours": ["are you open now"], "price": ["what does it cost"]},
        "out_of_scope_phrases": ["what is love"],
    } | overrides


@pytest.fixture
def read(tmp_path):
    """Write a file and read it: text, bytes, or what becomes JSON of two spaces."""

    def write_and_read(content):
        path = tmp_path / "profile.json"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, indent=2)
            path.write_text(text, "utf-8")
        return read_profiles(path)

    return write_and_read


def mistakes(found) -> list[str]:
    """Write mistakes as the command does, and see that none quotes a phrase."""
    said = [str(note) for note in found.mistakes]
    assert PHRASE not in "".join(said)
    return said


class TestGood:
    def test_one_profile(self, read):
        """
        An object is one profile; its version may be left out.
        """
        found = read(document())

        (given,) = found.profiles
        assert mistakes(found) == []
        assert not given.versioned
        assert given.profile.router.mode is Mode.LIVE
        assert given.profile.intents[1].response_ref == "price.wav"

    def test_several_profiles(self, read):
        """
        An array is several, each with its line.
        """
        found = read([document(), document(agent_id="other", version=7)])

        assert [one.profile.agent_id for one in found.profiles] == ["desk", "other"]
        assert [one.versioned for one in found.profiles] == [False, True]
        assert found.profiles[0].line < found.profiles[1].line
        assert mistakes(found) == []

    def test_a_byte_order_mark(self, read):
        """
        What some editors put first is no mistake.
        """
        assert mistakes(read(b"\xef\xbb\xbf" + json.dumps(document()).encode())) == []

    def test_only_a_gate(self, read):
        """
        A profile needs no router.
        """
        gate = {"tenant_id": "t", "agent_id": "a", "match": {"mode": "live"}}

        assert mistakes(read(gate)) == []

    def test_every_script(self, read):
        """
        Phrases of every language are read as they are, escaped or not.
        """
        phrases = {"hours": ["आप कब खुलते हैं", "متى تفتحون", "kab khulta hai"]}
        found = read(json.dumps(document(validation_phrases=phrases), ensure_ascii=False))

        assert mistakes(found) == []
        assert found.profiles[0].profile.validation_phrases["hours"][0] == phrases["hours"][0]

    def test_an_intent_that_acts_needs_no_response(self, read):
        """
        Its response would never be played.
        """
        intent = {"name": "cancel", "examples": ["cancel it"], "side_effect": True}

        assert mistakes(read(document(intents=[intent], validation_phrases={}))) == []


class TestWhole:
    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            pytest.param("", "1: not JSON at column 1: expecting value", id="empty"),
            pytest.param(
                '{"tenant_id": "t",\n"x": }', "2: not JSON at column 6: expecting value", id="JSON"
            ),
            pytest.param("[]", "1: there is no profile in it", id="empty array"),
            pytest.param("null", "1: expected an object, got null", id="null"),
            pytest.param('"zanzibar flamingo"', "1: expected an object, got string", id="string"),
            pytest.param(b'{\n"a": "\xff"}', "2: the file is not UTF-8 here", id="encoding"),
            pytest.param('{"version": NaN}', "1: NaN is no number in JSON", id="NaN"),
            pytest.param("[" * 100_000, "1: not JSON that we can read", id="deep"),
            pytest.param(
                '{"version": ' + "9" * 10_000 + "}", "1: not JSON that we can read", id="huge"
            ),
        ],
    )
    def test_what_is_no_profile_at_all(self, read, content, expected):
        """
        The place of the first fault is named.
        """
        (said,) = mistakes(read(content))

        assert said.startswith(expected)

    def test_a_key_that_stands_twice(self, read):
        """
        Which of two values was meant is not known.
        """
        text = '{"tenant_id": "t", "agent_id": "a",\n "match": {},\n "match": {}}'

        assert "3: this key stands twice in its object" in mistakes(read(text))

    def test_a_profile_that_fits_no_record(self, read):
        """
        Kafka would refuse it, so it is refused before anything is published.
        """
        intent = {"name": "i", "examples": ["one"], "response": "x" * MAX_PROFILE_BYTES}

        (said,) = mistakes(read(document(intents=[intent], validation_phrases={})))

        assert f"at most {MAX_PROFILE_BYTES} fit" in said

    def test_the_same_agent_twice(self, read):
        """
        Only one of two profiles would be in force.
        """
        (said,) = mistakes(read([document(), document()]))

        assert said.endswith("the same agent as the profile on line 2")


class TestShape:
    def test_all_mistakes_at_once(self, read):
        """
        Each is named with its line and path, in the order of the lines.
        """
        wrong = document(
            agent_id="",
            router={"mode": "on", "target_acuracy": 0.9},
            intents=[
                {"name": "hours", "examples": [PHRASE, 3], "response": 1},
                {"examples": PHRASE},
                7,
            ],
            out_of_scope_phrases={"a": 1},
        )

        said = mistakes(read(wrong))

        assert [one.partition(": ")[2] for one in said] == [
            "agent_id: expected string of length >= 1",
            "router.mode: must be one of off, shadow, live",
            "router.target_acuracy: there is no such field; is it target_accuracy?",
            "intents[0].examples[1]: expected string, got whole number",
            "intents[1]: name is missing",
            "intents[1].examples: expected array, got string",
            "intents[2]: expected an object, got whole number",
            "out_of_scope_phrases: expected array, got object",
        ]
        lines = [int(one.partition(":")[0]) for one in said]
        assert lines == sorted(lines)
        assert lines[0] > 1

    @pytest.mark.parametrize(
        ("overrides", "place"),
        [
            pytest.param({"version": 0}, "version", id="version 0"),
            pytest.param({"version": "1"}, "version", id="version as a string"),
            pytest.param({"match": {"budget_ms": 0}}, "match.budget_ms", id="budget 0"),
            pytest.param(
                {"router": {"target_accuracy": 0}}, "router.target_accuracy", id="target 0"
            ),
            pytest.param(
                {"router": {"target_accuracy": 1.01}}, "router.target_accuracy", id="target 1.01"
            ),
            pytest.param(
                {"router": {"out_of_scope_share": 1}}, "router.out_of_scope_share", id="share 1"
            ),
            pytest.param(
                {"intents": [{"name": "i", "examples": ["e"]}] * 257}, "intents", id="many"
            ),
            pytest.param(
                {"out_of_scope_phrases": ["x" * 1601]}, "out_of_scope_phrases[0]", id="long"
            ),
            pytest.param(
                {"out_of_scope_phrases": ["\ud800"]}, "out_of_scope_phrases[0]", id="surrogate"
            ),
            pytest.param({"schema_version": 2}, "schema_version", id="schema"),
        ],
    )
    def test_bounds(self, read, overrides, place):
        """
        What the topic would refuse, the file is refused for, with its place.
        """
        said = mistakes(read(document(**overrides)))

        assert f": {place}: " in said[0]

    def test_names_cannot_move_the_output(self, read):
        """
        Control and bidi characters of a name are written as their codes.
        """
        said = mistakes(read(document(validation_phrases={"\u202e\x1b[31m": [PHRASE]})))

        assert "\\u202e\\u001b[31m" in said[0]
        assert "\x1b" not in said[0]


class TestSense:
    def said(self, read, **overrides):
        """Give the only mistake, without its line."""
        (said,) = mistakes(read(document(**overrides)))
        return said.partition(": ")[2]

    def test_an_intent_that_stands_twice(self, read):
        """
        Both places are named.
        """
        intents = [
            {"name": "a", "examples": ["when do you open"], "response": 1},
            {"name": "a", "examples": ["how much is it"], "response": 2},
        ]

        said = mistakes(read(document(intents=intents, validation_phrases={})))

        assert len(said) == 2
        assert said[0].endswith('intents[0].name: there is another intent "a"')

    def test_an_intent_without_a_response(self, read):
        """
        There would be nothing to play.
        """
        intent = {"name": "a", "examples": ["when do you open"]}

        said = self.said(read, intents=[intent], validation_phrases={})

        assert said.startswith('intents[0]: "a" has nothing to play')

    @pytest.mark.parametrize("response", [0, False, "", [], {}], ids=repr)
    def test_any_json_is_a_response(self, read, response):
        """
        Only null is none.
        """
        intent = {"name": "a", "examples": ["when do you open"], "response": response}

        assert mistakes(read(document(intents=[intent], validation_phrases={}))) == []

    def test_a_phrase_under_two_intents(self, read):
        """
        It tells nothing of either, so both places are named.
        """
        intents = [
            {"name": "a", "examples": [PHRASE, "when do you open"], "response": 1},
            {"name": "b", "examples": ["how much is it", PHRASE.upper()], "response": 2},
        ]

        said = mistakes(read(document(intents=intents, validation_phrases={})))

        assert [one.partition(": ")[2] for one in said] == [
            'intents[0].examples[0]: stands under "b" too, so it tells nothing of either',
            'intents[1].examples[1]: stands under "a" too, so it tells nothing of either',
        ]

    @pytest.mark.parametrize(
        ("overrides", "expected"),
        [
            pytest.param(
                {"validation_phrases": {"price": ["when do you open"]}},
                'validation_phrases.price[0]: an earlier list has it as "hours"',
                id="validation contradicts an example",
            ),
            pytest.param(
                {"out_of_scope_phrases": ["When do you OPEN"]},
                'out_of_scope_phrases[0]: an earlier list has it as "hours"',
                id="out of scope contradicts an example",
            ),
            pytest.param(
                {"validation_phrases": {"hour": ["are you open now"]}},
                "validation_phrases.hour: there is no such intent",
                id="unknown intent",
            ),
            pytest.param(
                {"out_of_scope_phrases": ["\u200b \u202e"]},
                "out_of_scope_phrases[0]: nothing is left",
                id="empty once cleaned",
            ),
            pytest.param(
                {"out_of_scope_phrases": ["word " * 200]},
                "out_of_scope_phrases[0]: longer than anything",
                id="too long",
            ),
            pytest.param(
                {"intents": [], "validation_phrases": {}},
                "router.mode: there are no intents",
                id="no intents to route to",
            ),
        ],
    )
    def test_what_makes_no_sense(self, read, overrides, expected):
        """
        A contradiction is a mistake, whatever a compilation would make of it.
        """
        assert self.said(read, **overrides).startswith(expected)

    def test_an_intent_without_examples(self, read):
        """
        Nothing tells it apart.
        """
        intents = [*document()["intents"], {"name": "x", "examples": [], "response": 1}]

        assert self.said(read, intents=intents).startswith("intents[2].examples: no example")

    def test_a_repeated_phrase_is_a_remark(self, read):
        """
        It is left out and harms nothing, so the profile may be published.
        """
        found = read(document(validation_phrases={"hours": ["Opening time"]}))

        assert mistakes(found) == []
        (remark,) = found.profiles[0].remarks
        assert remark.where == "validation_phrases.hours[0]"
        assert "sounds the same" in remark.what
