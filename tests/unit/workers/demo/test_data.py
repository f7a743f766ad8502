"""The demo's files are readable, honest about their sources, and consistent."""

import csv
import re
from pathlib import Path

import pytest

from models.text import clean, match_key
from topics.codec import DecodeError, decode, encode
from topics.names import TOPICS
from topics.prediction import TurnPredictions
from topics.utterance import Utterance
from workers.demo.data import FOLDER, DataError, Expected, load
from workers.demo.events import predictions, utterance
from workers.demo.score import TRAINED
from workers.demo.script import write_script

_HEADER = "turn\tagent\tlanguage\tpart\tkind\tserve\tsource\ttext\n"
#: A set, file and line; Tatoeba's rows add sentence numbers and authors.
_SOURCE = re.compile(r"ours|[a-z0-9_]+/[\w.-]+:\d+(\.[\w-]+)?(, tatoeba\.org #\d+ .+)?")


@pytest.fixture(scope="module")
def data():
    """Give the shipped data."""
    return load()


def rows(name):
    """Read one of the shipped files as it is."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def shipped():
    """Name the shipped files of turns."""
    return sorted(path.name for path in FOLDER.glob("turns*.tsv"))


class TestShipped:
    def test_amount(self, data):
        """
        There are a few hundred turns, at least fifty in each trained language.
        """
        by_language = [turn.language for turn in data.turns]

        assert 300 <= len(data.turns) <= 400
        assert all(by_language.count(language) >= 50 for language in TRAINED)

    def test_share_that_must_bypass(self, data):
        """
        About a tenth of the turns must not be judged, for each of the reasons.
        """
        bypass = [turn.expected for turn in data.turns if turn.expected.bypass]

        assert 0.08 <= len(bypass) / len(data.turns) <= 0.15
        assert set(bypass) == {each for each in Expected if each.bypass}

    def test_strangers(self, data):
        """
        A turn is expected to bypass for its language exactly where that is not a trained one.
        """
        strangers = {turn.language for turn in data.turns if turn.expected is Expected.LANGUAGE}

        assert strangers == {turn.language for turn in data.turns} - {*TRAINED, "none"}
        assert {"ur", "fa", "ne"} <= strangers

    def test_names(self, data):
        """
        Every turn and every prediction has a name of its own.
        """
        names = [turn.turn_id for turn in data.turns]
        names += [each.prediction_id for turn in data.turns for each in turn.predictions]

        assert len(set(names)) == len(names)

    def test_predictions_of_each_turn(self, data):
        """
        A turn has three to eight predictions, no two of them the same text.
        """
        for turn in data.turns:
            keys = [match_key(clean(each.text).text) for each in turn.predictions]
            assert 3 <= len(keys) <= 8, turn.turn_id
            assert len(set(keys)) == len(keys), turn.turn_id

    def test_labels_fit_what_is_expected(self, data):
        """
        Something may be served exactly where a match is expected, and only what is called right.
        """
        for turn in data.turns:
            serve = [each for each in turn.predictions if each.serve]
            assert bool(serve) == (turn.expected is Expected.MATCH), turn.turn_id
            assert all(each.kind == "right" for each in serve), turn.turn_id
            assert all(each.serve for each in turn.predictions if each.kind == "right")

    def test_every_kind_of_prediction(self, data):
        """
        There are predictions of every kind that the documentation lists, and no others.
        """
        documented = (FOLDER / "SOURCE.md").read_text("utf-8").partition("Kind of a prediction:")[2]
        listed = set(re.findall(r"`([a-z_]+)`", documented.partition("- `serve`")[0]))

        assert {each.kind for turn in data.turns for each in turn.predictions} == listed

    def test_same_pair_same_label(self, data):
        """
        No two rows contradict each other on the same two texts, in either order.
        """
        labels: dict[frozenset[str], bool] = {}
        for turn in data.turns:
            if turn.expected.bypass:
                continue
            for each in turn.predictions:
                if each.side_effect:
                    continue
                pair = frozenset(match_key(clean(text).text) for text in (turn.text, each.text))
                assert labels.setdefault(pair, each.serve) == each.serve, each.prediction_id

    def test_mostly_other_words(self, data):
        """
        Most of what may be served says it in other words than the caller.
        """
        same = [
            match_key(clean(turn.text).text) == match_key(clean(each.text).text)
            for turn in data.turns
            for each in turn.predictions
            if each.serve
        ]

        assert sum(same) / len(same) < 0.15

    def test_bad_records_are_bad(self, data):
        """
        Each bad record is refused by the codec, for a reason that does not quote it.
        """
        events = {topic.name: topic.event for topic in TOPICS}
        for record in data.bad_records:
            with pytest.raises(DecodeError):
                decode(events[record.topic], record.value)

    def test_turns_are_good_events(self, data):
        """
        Everything else that the demo sends is an event that the codec takes.
        """
        script = write_script(data, turns=len(data.turns), rate=8, lead_s=1)
        for planned in script.turns:
            decode(Utterance, encode(utterance(planned, 1)))
            decode(TurnPredictions, encode(predictions(planned, 1)))


class TestSources:
    @pytest.mark.parametrize("name", shipped())
    def test_every_row_says_where_it_is_from(self, name):
        """
        Every text is ours or names set, file and line; what callers say is ours only in fragments.
        """
        for row in rows(name):
            assert _SOURCE.fullmatch(row["source"]), row
            if row["part"] == "caller" and row["source"] == "ours":
                assert row["kind"] == "fragment", row

    @pytest.mark.parametrize("name", shipped())
    def test_every_set_is_documented(self, name):
        """
        Each set that a row names is in the table of sets.
        """
        documented = (FOLDER / "SOURCE.md").read_text("utf-8").partition("## Sets")[2]
        sets = {row["source"].partition("/")[0] for row in rows(name)} - {"ours"}

        assert sets
        assert all(each in documented for each in sets)

    def test_share_alike_rows_keep_to_their_file(self):
        """
        Rows of the share-alike set are in the file of that licence, and nowhere else.
        """
        files = {
            name for name in shipped() for row in rows(name) if row["source"].startswith("arbank")
        }

        assert files == {"turns.cc-by-sa-4.0.tsv"}

    def test_tatoeba_names_its_authors(self):
        """
        Every sentence from Tatoeba carries its numbers and authors, in the file of its licence.
        """
        found = [
            (name, row) for name in shipped() for row in rows(name) if "tatoeba" in row["source"]
        ]

        assert {name for name, _ in found} == {"turns.cc-by-2.0-fr.tsv"}
        assert all("tatoeba.org #" in row["source"] for _, row in found)

    def test_numbers_in_the_documentation(self, data):
        """
        The documentation counts what is there.
        """
        text = (FOLDER / "SOURCE.md").read_text("utf-8")
        bypass = sum(turn.expected.bypass for turn in data.turns)
        predictions_ = sum(len(turn.predictions) for turn in data.turns)

        assert f"{len(data.turns)} caller turns with {predictions_:,} predictions" in text
        assert f"The other {bypass} are turns" in text

    def test_licence_texts_are_there(self):
        """
        Each licence file that the table names is shipped.
        """
        text = (FOLDER / "SOURCE.md").read_text("utf-8")
        named = set(re.findall(r"\| `([\w.-]+\.txt)` \|", text))

        assert named == {path.name for path in (FOLDER / "licences").iterdir()}


def write(folder: Path, turns: str, bad: str = "") -> Path:
    """Write a small set of files."""
    (folder / "turns.tsv").write_text(_HEADER + turns)
    (folder / "agents.tsv").write_text("agent\ttenant\tmode\nbank\tnorthbank\tlive\n")
    (folder / "bad-records.jsonl").write_text(bad)
    return folder


_CALLER = "en-1\tbank\ten\tcaller\tmatch\t-\tours\tyes\n"


class TestLoad:
    def test_small(self, tmp_path):
        """
        Callers and their predictions are read, with names and labels.
        """
        folder = write(tmp_path, _CALLER + "en-1\tbank\ten\tp1\tright\tyes\tours\tyes please\n")

        [turn] = load(folder).turns

        assert (turn.turn_id, turn.text, turn.expected) == ("en-1", "yes", Expected.MATCH)
        assert [(p.prediction_id, p.serve) for p in turn.predictions] == [("en-1/p1", True)]

    def test_bad_record_values(self, tmp_path):
        """
        Bad records are text, bytes in hexadecimal, or null.
        """
        folder = write(
            tmp_path,
            _CALLER,
            '{"id":"a","topic":"t","text":"x"}\n{"id":"b","topic":"t","hex":"ff00"}\n'
            '{"id":"c","topic":"t","text":null}\n',
        )

        assert [record.value for record in load(folder).bad_records] == [b"x", b"\xff\x00", None]

    @pytest.mark.parametrize(
        ("turns", "said"),
        [
            pytest.param("en-1\tbank\ten\tcaller\n", "cells", id="few cells"),
            pytest.param(_CALLER.replace("match", "maybe"), "maybe", id="unknown expectation"),
            pytest.param(
                _CALLER + "en-1\tbank\ten\tp1\tright\tperhaps\tours\tx\n", "serve", id="no label"
            ),
            pytest.param(
                _CALLER + "en-2\tbank\ten\tp1\tright\tyes\tours\tx\n", "no caller", id="orphan"
            ),
            pytest.param(_CALLER.replace("bank", "nobody"), "agents", id="unknown agent"),
            pytest.param("", "turns", id="no turns"),
        ],
    )
    def test_refused(self, tmp_path, turns, said):
        """
        A file that is not as it should be is refused, with what is wrong.
        """
        with pytest.raises(DataError, match=said):
            load(write(tmp_path, turns))

    def test_missing_folder(self, tmp_path):
        """
        A folder without the files is refused.
        """
        with pytest.raises(DataError, match="cannot be read"):
            load(tmp_path / "nothing")

    def test_other_columns(self, tmp_path):
        """
        Other columns than the documented ones are refused.
        """
        folder = write(tmp_path, "")
        (folder / "turns.tsv").write_text("turn\ttext\n")

        with pytest.raises(DataError, match="columns"):
            load(folder)
