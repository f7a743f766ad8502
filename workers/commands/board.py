"""`turngate board`: the knowledge-base team's page."""

import asyncio
import sys

import click

from workers.board.app import run_board
from workers.settings import Settings


@click.command("board")
@click.pass_obj
def board(settings: Settings) -> None:
    """
    Serve the knowledge-base team's page until SIGTERM: gaps, retrieval failures, operations.

    TURNGATE_BOARD_TOKEN, or the file that TURNGATE_BOARD_TOKEN_FILE names, holds what people log in
    with; TURNGATE_BOARD_WORKERS names the workers' monitors for the operations page.
    """
    sys.exit(asyncio.run(run_board(settings)))
