"""The shortlist."""

import numpy as np
import pytest

from workers.slow.shortlist import NEAREST, Shortlist


def unit(*values: float):
    """Make a unit vector."""
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def test_other_languages_are_not_buried():
    """However many near wordings the question's language has, the nearest of others are there."""
    near = Shortlist(2)
    for number in range(200):
        near.put(f"en {number}", [("x", "en")], {"x": unit(1, number / 1_000)})
    near.put("ar", [("y", "ar")], {"y": unit(1, 3)})
    found = near.near(unit(1, 0), "en")

    assert "ar" in found
    assert list(found)[:NEAREST] == [f"en {number}" for number in range(NEAREST)]
    assert len(found) == NEAREST + 1


def test_best_wording_of_a_gap_counts():
    """A gap is as near as its nearest wording."""
    near = Shortlist(2)
    near.put("g", [("a", "en"), ("b", "en")], {"a": unit(0, 1), "b": unit(1, 0)})

    assert near.near(unit(1, 0), "en") == {"g": pytest.approx(1.0)}


def test_changed_gap_has_only_its_wordings():
    """Wordings that a gap no longer has are found no more, and their rows are used again."""
    near = Shortlist(2)
    for number in range(1_000):
        near.put("g", [(f"{number}", "en")], {f"{number}": unit(1, number)})

    assert near.near(unit(1, 0), "en")["g"] < 0.01
    assert len(near._owners) == 64

    near.put("g", [], {})

    assert near.near(unit(1, 0), "en") == {}


def test_language_that_nothing_is_in_yet():
    """The first question of a language is held against the others."""
    near = Shortlist(2)
    near.put("g", [("a", "en")], {"a": unit(1, 0)})

    assert list(near.near(unit(1, 0), "hi")) == ["g"]
