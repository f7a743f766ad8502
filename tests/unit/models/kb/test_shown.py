"""What a judge may see of an entry."""

from dataclasses import dataclass, fields
from typing import Any

import pytest

from models.kb import Shown, shown
from topics.entry import KbEntry
from topics.question import CandidateEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterEntry(KbEntry):
    """An entry of a later version of the topic."""

    #: Something that nobody outside may see.
    cost_centre: str = "secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterCandidate(CandidateEntry):
    """A candidate of a later version of the topic."""

    #: Something that nobody outside may see.
    cost_centre: str = "secret"


TEXT: dict[str, Any] = {
    "title": "Pool",
    "content": "Open from six.",
    "category": "sport",
    "lang": "en",
}


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            LaterEntry(tenant_id="secret", entry_id="secret", updated_at_ms=7, **TEXT), id="entry"
        ),
        pytest.param(LaterCandidate(entry_id="secret", **TEXT), id="candidate"),
    ],
)
def test_a_later_field_is_not_shown(entry):
    """Title, content, category and language arrive; ids, times and what is added later do not."""
    found = shown(entry)

    assert {field.name: getattr(found, field.name) for field in fields(Shown)} == TEXT
    assert not hasattr(found, "cost_centre")
    assert "secret" not in repr(found)
