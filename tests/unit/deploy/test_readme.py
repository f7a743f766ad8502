"""The deployment's README: what it says of rights is what the programs need."""

import re

import pytest

from tests.deployed import DEPLOY
from topics.names import Topic
from workers.board.source import _NEEDED as BOARD
from workers.hot.app import _NEEDED as HOT
from workers.settings import Settings
from workers.slow.app import _NEEDED as SLOW

#: Group, topics read and topics written, by program.
ROWS: dict[str, list[list[str]]] = {}
for _line in (DEPLOY / "README.md").read_text("utf-8").splitlines():
    if _line.startswith("| `turngate "):
        (_program,), *_cells = (re.findall(r"`([^`]+)`", one) for one in _line.split("|")[1:-1])
        ROWS[_program] = _cells


@pytest.mark.parametrize(
    ("program", "group", "needed"),
    [
        ("turngate hot", [Settings().group], HOT),
        ("turngate slow", [Settings().slow_group], SLOW),
        ("turngate board", [], BOARD),
    ],
    ids=["hot", "slow", "board"],
)
def test_every_topic_that_a_program_needs_is_among_its_rights(
    program: str, group: list[str], needed: tuple[Topic, ...]
) -> None:
    """A user with the rights of the table can run its program, and has no others."""
    groups, reads, writes = ROWS[program]

    assert groups == group
    assert {*reads, *writes} == {topic.name for topic in needed}
