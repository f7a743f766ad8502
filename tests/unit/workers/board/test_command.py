"""`turngate board`, as a person types it."""

import pytest
from click.testing import CliRunner

from workers.cli import main


@pytest.mark.parametrize("token", [None, "hunter2"], ids=["none", "too short"])
def test_no_board_without_a_token(token) -> None:
    """The start says which setting is needed, and does not show what it was."""
    result = CliRunner(env={"TURNGATE_BOARD_TOKEN": token}).invoke(main, ["board"])

    assert result.exit_code == 1
    assert "TURNGATE_BOARD_TOKEN_FILE" in result.stderr
    assert "hunter2" not in result.output
