"""Words around a value: how it is meant."""

import pytest

from models.gaps.cues import relations
from models.kb.words import words


@pytest.mark.parametrize(
    ("before", "behind", "expected"),
    [
        pytest.param("open from", "", {"from"}, id="right before"),
        pytest.param("open from the", "", {"from"}, id="a link between"),
        pytest.param("free until the age of", "", {"until"}, id="links between"),
        pytest.param("from here the bus takes", "", set(), id="too far"),
        pytest.param("costs about", "", {"about"}, id="about"),
        pytest.param("takes up to", "", {"at most"}, id="a bound"),
        pytest.param("", "से पहले", {"before"}, id="behind, the longest row"),
        pytest.param("", "baje se", set(), id="not right behind"),
        pytest.param("قبل", "", {"before"}, id="Arabic"),
    ],
)
def test_relations(before, behind, expected):
    """What stands right at a value says how it is meant, links and articles left out."""
    assert relations(words(before), words(behind)) == expected
