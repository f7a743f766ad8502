"""Scenes: how files are read, which pairs they make, and what is held out."""

import json

import pytest

from models.pipeline.data.build import unheld
from models.pipeline.data.groups import groups, read_groups, write_groups
from models.pipeline.data.held import held_turns, turns, write_turns
from models.pipeline.data.scenes import CLASSES, Scene, SceneError, read_scenes, rows, scenes
from models.pipeline.data.split import text_key
from tests.unit.models.pipeline.data.factory import make_rng

FILE = """
# visit on friday | negation
> Can our man come on Friday?
= can come
he can come on friday
Friday suits me.
= cannot come
he can't come on friday
not Friday, please

# reply | short
= yes
yeah
sure thing
= no
nope
no way
"""


@pytest.fixture
def file(tmp_path):
    """A file of two scenes."""
    path = tmp_path / "en-x-01.txt"
    path.write_text(FILE, "utf-8")
    return path


def train(_key):
    return "train"


def held_out(_key):
    return "validation"


class TestRead:
    def test_scenes(self, file):
        """Title, class, agent, meanings and surfaces arrive as they stand."""
        first, second = read_scenes(file)

        assert (first.title, first.kind, first.language) == ("visit on friday", "negation", "en")
        assert first.agent == "Can our man come on Friday?"
        assert first.meanings["cannot come"] == ["he can't come on friday", "not Friday, please"]
        assert second.agent == ""
        assert list(second.meanings) == ["yes", "no"]

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("| negation", "| fancy"),
            ("# visit on friday |", "# |"),
            ("= cannot come", "= can come"),
            ("= cannot come\n", ""),
            ("> Can our man come on Friday?\n= can come", "= can come\n> Can our man come?"),
            ("# visit on friday | negation\n", ""),
            ("not Friday, please\n\n", "not Friday, please\n= third\n\n"),
        ],
    )
    def test_a_wrong_file_is_refused_without_its_text(self, tmp_path, old, new):
        """File and line are told, never what somebody said."""
        assert old in FILE
        path = tmp_path / "en-x-01.txt"
        path.write_text(FILE.replace(old, new), "utf-8")

        with pytest.raises(SceneError) as caught:
            list(read_scenes(path))

        assert "en-x-01.txt" in str(caught.value)
        assert "friday" not in str(caught.value).lower()

    def test_unknown_language(self, tmp_path):
        """A file of another language is refused by name."""
        path = tmp_path / "fr-x-01.txt"
        path.write_text(FILE, "utf-8")

        with pytest.raises(SceneError, match=r"fr-x-01\.txt"):
            list(read_scenes(path))


class TestRows:
    def test_labels_follow_meanings(self, file):
        """Pairs of one meaning are the same, pairs of two are not, and none crosses scenes."""
        found = list(read_scenes(file))
        meaning = {
            text: (scene.title, name)
            for scene in found
            for name, texts in scene.meanings.items()
            for text in texts
        }

        made = list(rows(make_rng(), found))

        assert {row.label for row in made} == {0, 1}
        for row in made:
            assert row.label == (meaning[row.a] == meaning[row.b])
            assert meaning[row.a][0] == meaning[row.b][0]

    def test_all_positives_and_the_nearest_negative(self, file):
        """Every pair of a meaning is there, and the twin that differs in one word."""
        made = {frozenset((row.a, row.b)): row.label for row in rows(make_rng(), read_scenes(file))}

        assert made[frozenset(("yeah", "sure thing"))] == 1
        assert made[frozenset(("he can come on friday", "he can't come on friday"))] == 0
        assert sum(made.values()) == 4

    def test_hindi_comes_romanised_too(self):
        """The romanised twin stands under the key of its original."""
        scene = Scene("समय", "short", "hi", "", {"yes": ["हाँ", "जी हाँ"], "no": ["नहीं", "जी नहीं"]})

        made = list(rows(make_rng(), [scene]))

        assert {row.language_a for row in made} == {"hi", "hinglish"}
        assert {row.group for row in made} == {(scene.key,)}
        assert all(row.a.isascii() for row in made if row.language_a == "hinglish")


class TestHeldOut:
    def test_turns_have_at_most_one_match(self, file):
        """Each surface is said once; what is labelled 1 has the utterance's meaning."""
        scene = next(read_scenes(file))

        made = list(turns(scene))

        assert [turn["utterance"] for turn in made] == [
            text for texts in scene.meanings.values() for text in texts
        ]
        for turn in made:
            right = [one["text"] for one in turn["predictions"] if one["label"]]
            own = next(texts for texts in scene.meanings.values() if turn["utterance"] in texts)
            assert len(right) <= 1
            assert set(right) <= set(own) - {turn["utterance"]}
            assert not {one["text"] for one in turn["predictions"] if not one["label"]} & set(own)
        assert turns(scene).__next__() == made[0]

    def test_only_held_out_scenes(self, file, tmp_path):
        """Scenes that are trained on give no turns."""
        found = list(read_scenes(file))

        assert not list(held_turns(train, found))
        count = write_turns(tmp_path / "turns.jsonl", held_turns(held_out, found))
        lines = (tmp_path / "turns.jsonl").read_text("utf-8").splitlines()
        assert count == len(lines) == 8
        assert json.loads(lines[0])["predictions"]

    def test_no_text_of_a_held_scene_is_in_the_groups(self):
        """What is held out is taken out of a group, and so is a meaning that is then empty."""
        held = frozenset({text_key("nope"), text_key("no way")})

        assert unheld([["yeah", "sure"], ["nope", "no way"]], held) == [["yeah", "sure"]]


def test_groups_survive_a_file(tmp_path):
    """Groups hold all meanings of the training split and come back as they were written."""
    found = list(groups(make_rng(), train, train, train, train))[:20]

    assert write_groups(tmp_path / "groups.jsonl", found) == 20
    assert all(len(group) > 1 for group in read_groups(tmp_path / "groups.jsonl"))


def test_the_committed_scenes():
    """Every file is read; there are natural scenes and contrasts in each language."""
    found = scenes()

    for language in ("en", "hi", "hinglish", "ar"):
        kinds = {scene.kind for scene in found if scene.language == language}
        assert kinds == set(CLASSES)
