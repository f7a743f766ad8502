"""The demo's intents are readable, honest about their sources, and consistent."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from models.router.threshold import LEAST_ACCEPTED
from models.text import clean, match_key
from topics.codec import decode, encode
from topics.profile import AgentProfile
from workers.demo.data import FOLDER, DataError
from workers.demo.routes.data import Part, load_routes
from workers.demo.routes.profiles import profiles
from workers.demo.score import TRAINED

_HEADER = "agent\tlanguage\tintent\tpart\tsource\ttext\n"
_SOURCE = re.compile(r"[a-z0-9_]+/[\w.-]+:\d+")


@pytest.fixture(scope="module")
def data():
    """Give the shipped data."""
    return load_routes(1_000)


def rows():
    """Read the shipped files as they are."""
    for path in sorted(FOLDER.glob("routes*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield path.name, row


class TestShipped:
    def test_no_phrase_stands_twice(self):
        """
        What callers say is in no profile, and no phrase is there for two things.
        """
        keys = [re.sub(r"\W", "", match_key(clean(row["text"]).text)) for _, row in rows()]

        assert [key for key, times in Counter(keys).items() if times > 1] == []

    def test_amount(self, data):
        """
        There are turns in all four languages, some of which mean none of the intents.
        """
        assert {turn.language for turn in data.turns} == {*TRAINED}
        assert 50 <= len(data.turns) <= 100
        assert 0.1 <= sum(meant is None for meant in data.meant.values()) / len(data.turns) <= 0.4

    def test_enough_to_choose_a_threshold(self, data):
        """
        Each agent has validation phrases enough in each of its languages.
        """
        validation = Counter(
            (one.agent, one.language) for one in data.phrases if one.part is Part.VALIDATION
        )

        assert validation.keys() == {(one.agent, one.language) for one in data.phrases}
        assert min(validation.values()) >= LEAST_ACCEPTED

    def test_turns_mean_intents_of_their_agent(self, data):
        """
        What a turn means is an intent of its agent, with examples in its language.
        """
        known = {(one.agent, one.language, one.intent) for one in data.phrases}

        for turn in data.turns:
            assert (turn.agent, turn.language, data.meant[turn.turn_id]) in known

    def test_predictions_do_not_fit(self, data):
        """
        Each turn has predictions, all of them phrases of other intents.
        """
        intents = {one.text: one.intent for one in data.phrases}
        for turn in data.turns:
            assert len(turn.predictions) == 2
            for each in turn.predictions:
                assert not each.serve
                assert intents[each.text] != data.meant[turn.turn_id]

    def test_profiles_are_good_events(self, data):
        """
        Every profile is an event that the codec takes, and each intent has a reply.
        """
        for profile in profiles(data):
            assert decode(AgentProfile, encode(profile)) == profile
            assert all(intent.response_ref for intent in profile.intents)
            assert profile.validation_phrases.keys() == {one.name for one in profile.intents}
            assert profile.out_of_scope_phrases

    def test_sources(self):
        """
        Every phrase names a documented set, file and line; share-alike rows keep to their file.
        """
        documented = (FOLDER / "SOURCE.md").read_text("utf-8").partition("## Sets")[2]
        for name, row in rows():
            assert _SOURCE.fullmatch(row["source"]), row
            assert f"| {row['source'].partition('/')[0]}" in documented
            shared = row["source"].startswith("arbanking77/")
            assert shared == (name == "routes.cc-by-sa-4.0.tsv")


def write(folder: Path, phrases: str) -> Path:
    """Write a small set of files."""
    (folder / "routes.tsv").write_text(_HEADER + phrases)
    (folder / "route-agents.tsv").write_text("agent\ttenant\ndesk\tacme\n")
    return folder


_EXAMPLE = "desk\ten\thours\texample\tours\twhen do you open\n"


class TestLoad:
    def test_small(self, tmp_path):
        """
        Turns and phrases are told apart, and a dash is no intent.
        """
        folder = write(tmp_path, _EXAMPLE + "desk\ten\t-\tturn\tours\tthe sky is blue\n")

        found = load_routes(9, folder)

        [turn], [phrase] = found.turns, found.phrases
        assert (turn.text, found.meant) == ("the sky is blue", {"desk-en-01": None})
        assert (phrase.intent, phrase.part) == ("hours", Part.EXAMPLE)
        assert [each.text for each in turn.predictions] == ["when do you open"]

    @pytest.mark.parametrize(
        ("phrases", "said"),
        [
            pytest.param(_EXAMPLE.replace("example", "maybe"), "maybe", id="unknown part"),
            pytest.param(_EXAMPLE.replace("desk", "nobody"), "agents", id="unknown agent"),
            pytest.param("desk\ten\n", "cells", id="few cells"),
        ],
    )
    def test_refused(self, tmp_path, phrases, said):
        """
        A file that is not as it should be is refused, with what is wrong.
        """
        with pytest.raises(DataError, match=said):
            load_routes(9, write(tmp_path, phrases))

    def test_missing_folder(self, tmp_path):
        """
        A folder without the files is refused.
        """
        with pytest.raises(DataError, match="cannot be read"):
            load_routes(9, tmp_path / "nothing")
