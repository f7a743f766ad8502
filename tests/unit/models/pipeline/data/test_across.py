"""Pairs across scenes: who is paired, and who is not."""

import numpy as np

from models.pipeline.data.across import across
from models.pipeline.data.scenes import Scene
from tests.unit.models.pipeline.data.factory import make_rng


def scene(title, *texts, language="en"):
    """A scene of one meaning."""
    return Scene(title, "natural", language, "", {"said": list(texts)})


def encode(texts):
    """Texts lie where their first letter says."""
    angles = np.array([ord(text[0]) - ord("a") for text in texts]) / 26
    return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def pairs(*scenes):
    """The pairs made of scenes, each sorted."""
    rows = list(across(scenes, encode, make_rng()))
    assert all(row.label == 0 and row.layer == "across" for row in rows)
    return [tuple(sorted((row.a, row.b))) for row in rows]


def test_neighbours_of_other_scenes_are_paired_once():
    """Each pair comes once, whichever side found the other."""
    found = pairs(scene("one", "a boat is on sale"), scene("two", "a goat is on sale"))

    assert found == [("a boat is on sale", "a goat is on sale")]


def test_a_scene_is_not_paired_with_itself():
    """What its meanings say is for the scene to tell."""
    assert not pairs(scene("one", "a boat is on sale", "all boats are for sale"))


def test_short_texts_make_no_pair():
    """Three words often say the same in two scenes."""
    assert not pairs(scene("one", "a boat please"), scene("two", "a goat please"))


def test_languages_are_not_mixed():
    """Nothing is served across languages, so nothing is learnt there."""
    hindi = scene("two", "naav bechni hai aaj", language="hinglish")

    assert not pairs(scene("one", "a boat is on sale"), hindi)


def test_only_the_nearest():
    """Of many other scenes five are near."""
    others = [scene(f"other {letter}", f"{letter} boat is on sale") for letter in "bcdefghij"]
    found = pairs(scene("one", "a boat is on sale"), *others)
    mine = {other for pair in found if "a boat is on sale" in pair for other in pair}

    assert {f"{letter} boat is on sale" for letter in "bcdef"} <= mine
    assert "j boat is on sale" not in mine
