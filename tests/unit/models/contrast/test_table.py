"""The table of opposites holds together."""

import pytest

from models.contrast.read import read
from models.contrast.table import opposites
from models.contrast.words import DENIALS, FILLERS, tokens

PHRASES = [
    (kind, side, phrase)
    for kind, sides in opposites().items()
    for side, phrases in enumerate(sides)
    for phrase in phrases
]


def test_each_phrase_is_read_as_its_own_side():
    """None is hidden by another, none stands on two sides, none is a filler."""
    wrong = [one for one in PHRASES if read(one[2]).sides.get(one[0]) != {one[1]}]
    assert wrong == []


def test_no_phrase_is_only_a_denial():
    """A denial alone parts texts by its own rule, but for the one that says how often."""
    assert [p for *_, p in PHRASES if set(tokens(p)) <= DENIALS | FILLERS] == ["never"]


def test_every_kind_is_there_in_every_script():
    """A guard of one language alone would be another product there; a few kinds have no words."""
    scripts = {kind: "" for kind, *_ in PHRASES}
    for kind, _, phrase in PHRASES:
        scripts[kind] += phrase
    latin = [kind for kind, text in scripts.items() if text.isascii()]
    assert len(latin) <= 2


@pytest.mark.parametrize("lines", ["  yes, yeah", "answer\n  yes", "answer"])
def test_a_broken_table_is_refused(lines):
    """A side of nothing, and a kind that nothing opposes."""
    with pytest.raises(ValueError, match="opposites"):
        opposites(lines)
